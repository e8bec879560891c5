import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, vi } from 'vitest';
import { stopResident } from '../src/client/stop-resident.ts';
import { type Finished, startQuarry } from './quarry-process.ts';

/** A user with a home and a project of their own; engines of that user are ended after the test of this context. */
export async function user(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  tree: Readonly<Record<string, string>>,
) {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  const folder = await mkdtemp(join(tmpdir(), 'resident-'));
  for (const [path, text] of Object.entries(tree)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const base: Record<string, string> = {
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    QUARRY_CACHE_MAX_BYTES: '1000000',
    CI: '',
  };
  const start = (words: readonly string[], env: Record<string, string> = {}, program?: string) =>
    startQuarry(folder, words, { ...base, ...env }, program);
  const run = (words: readonly string[], env: Record<string, string> = {}): Promise<Finished> =>
    start(words, env).finished;
  const json = async (words: readonly string[], env: Record<string, string> = {}) =>
    JSON.parse((await run([...words, '--json'], env)).stdout);
  onTestFinished(() =>
    stopResident((name) => base[name]).then(
      () => undefined,
      () => undefined,
    ),
  );
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
  await vi.waitUntil(() => existsSync(socket), { timeout: 60_000 });
  return server;
}
