import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { type Finished, startQuarry } from './quarry-process.ts';

const running: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop();
});

/** A user with a home and a project of their own; engines of that user are ended after the test. */
export async function user(tree: Readonly<Record<string, string>>) {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  const folder = await mkdtemp(join(tmpdir(), 'resident-'));
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const base = { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), QUARRY_CACHE_MAX_BYTES: '1000000', CI: '' };
  const start = (words: readonly string[], env: Record<string, string> = {}, program?: string) =>
    startQuarry(folder, words, { ...base, ...env }, program);
  const run = (words: readonly string[], env: Record<string, string> = {}): Promise<Finished> =>
    start(words, env).finished;
  const json = async (words: readonly string[], env: Record<string, string> = {}) =>
    JSON.parse((await run([...words, '--json'], env)).stdout);
  running.push({ stop: () => run(['stop']) });
  return { home, folder, socket: join(home, 'cache', 'quarry', 'resident', 'socket'), start, run, json };
}

export type User = Awaited<ReturnType<typeof user>>;

/** An engine that runs in the foreground of a process of its own, and listens. */
export async function serve(
  { start, socket }: User,
  env: Record<string, string> = {},
  words: readonly string[] = [],
) {
  const server = start(['serve', '--json', ...words], env);
  await expect.poll(() => existsSync(socket)).toBe(true);
  return server;
}
