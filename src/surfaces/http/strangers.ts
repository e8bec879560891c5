import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from './requests/caller-address.ts';

/** Connections on which nobody has shown a token yet. */
export interface Strangers {
  /** The caller on this connection is known, which counts no longer. */
  admit(connection: Socket): void;
}

/**
 * Leaves so many of them to an address. One more takes the place of the one that waits longest: who has a token shows it at once,
 * so that those who wait keep nobody out.
 */
export function boundStrangers(server: Server, max: number): Strangers {
  /** By address, the oldest first. */
  const waiting = new Map<string, Set<Socket>>();
  const admissions = new Map<string, () => void>();
  server.on('connection', (connection: Socket) => {
    const from = addressGroup(connection);
    const others = waiting.get(from) ?? new Set();
    const [oldest] = others;
    if (oldest && others.size >= max) {
      admissions.get(nameOf(oldest))?.();
      oldest.destroy();
    }
    const name = nameOf(connection);
    const admit = (): void => {
      if (admissions.get(name) === admit) admissions.delete(name);
      others.delete(connection);
      if (others.size === 0 && waiting.get(from) === others) waiting.delete(from);
    };
    waiting.set(from, others.add(connection));
    admissions.set(name, admit);
    connection.once('close', admit);
  });
  return {
    // Over TLS a request has another object than the connection below it, but the same two ends.
    admit: (connection) => admissions.get(nameOf(connection))?.(),
  };
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
