import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A server of an engine, started for a test. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

/** A port that nobody uses now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts a program that serves HTTP on a port; undefined where it is not installed or does not start here. */
export async function startServer(
  command: readonly [string, ...string[]],
  port: number,
  answersAt: string,
): Promise<ServerProcess | undefined> {
  const [program, ...words] = command;
  const child = spawn(program, words, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  const url = `http://127.0.0.1:${port}`;
  const isUp = await Promise.race([untilAnswering(url + answersAt, child), ended.then(() => false)]);
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  if (isUp) return { url, pid: child.pid ?? 0, kill };
  await kill();
  return undefined;
}

async function untilAnswering(url: string, child: ChildProcess): Promise<boolean> {
  for (let attempt = 0; attempt < 300 && child.exitCode === null; attempt += 1) {
    // It does not listen yet.
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
