import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressGroup } from './requests/caller-address.ts';

/** Connections on which nobody has shown a token yet. */
export interface Strangers {
  /** The caller on this connection is known, which counts no longer. */
  admit(connection: Socket): void;
}

/** Closes connections of an address beyond so many, so that one caller does not take all that there are. */
export function boundStrangers(server: Server, most: number): Strangers {
  const counts = new Map<string, number>();
  const admissions = new Map<string, () => void>();
  server.on('connection', (connection: Socket) => {
    const from = addressGroup(connection);
    const others = counts.get(from) ?? 0;
    if (others >= most) {
      connection.destroy();
      return;
    }
    counts.set(from, others + 1);
    const name = nameOf(connection);
    const admit = (): void => {
      if (!admissions.delete(name)) return;
      const left = (counts.get(from) ?? 1) - 1;
      if (left > 0) counts.set(from, left);
      else counts.delete(from);
    };
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
