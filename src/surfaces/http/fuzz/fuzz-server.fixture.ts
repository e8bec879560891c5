import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../../client/client.ts';
import { socketTransport } from '../../../client/socket-transport.ts';
import type { AnsweredRequest } from '../refusal-log.ts';
import type { Target } from './fuzz.fixture.ts';

/** What a server under attack says of itself, from its own process. */
export interface AttackedServer extends Omit<Target, 'agent'> {
  readonly socket: string;
  readonly folder: string;
}

/** How it is doing. */
export interface ServerState {
  /** Bytes of its process. */
  readonly memory: number;
  /** What it blames itself for in its log. */
  readonly failures: readonly AnsweredRequest[];
  readonly crashes: readonly string[];
}

/** Starts a server to attack, in a process of its own. */
export async function startTarget() {
  const path = fileURLToPath(new URL('./fuzz-process.fixture.ts', import.meta.url));
  const child = fork(path, { execArgv: ['--expose-gc'] });
  const [{ socket, folder, ...told }] = (await once(child, 'message')) as [AttackedServer];
  const client = createClient(socketTransport(socket));
  const target: Target = { ...told, agent: new Agent({ keepAlive: true, maxSockets: 64 }) };
  return {
    target,
    async state(): Promise<ServerState> {
      child.send('state');
      const [state] = (await once(child, 'message')) as [ServerState];
      return state;
    },
    /** Whether it still does its work. */
    async answers(): Promise<boolean> {
      // A request to forget the project may have been a right one.
      const { id } = await client.openFolder(folder);
      const { result } = await client.call(id, 'search', { query: 'heron' });
      return Array.isArray((result as { hits?: unknown }).hits);
    },
    async end(): Promise<void> {
      target.agent.destroy();
      child.disconnect();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
