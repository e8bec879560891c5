import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { openWriter, type Place } from './lease-writer.fixture.ts';

/**
 * A process takes the lease of an index, writes, and is paused until its lease has run out and another process has taken
 * over: what it writes when it continues is refused, and what the other one has written stays.
 */
export async function checkPausedWriter(
  store: Place['store'],
  variables: Place['variables'] = {},
): Promise<void> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'index-1'));
  const place = { store, folder, variables };
  const program = fileURLToPath(new URL('./lease-writer.fixture.ts', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(place)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(() => ['ended']);
  const answer = async () => String((await Promise.race([once(child.stdout, 'data'), ended]))[0]);
  try {
    expect(await answer()).toBe('written');
    child.kill('SIGSTOP');
    const next = await openWriter(place);
    expect(next.lease.isTakenOver).toBe(true);
    child.stdin.write('continue\n');
    child.kill('SIGCONT');
    expect(await answer()).toBe('lock-lost');
    expect(await next.texts()).toEqual(['before']);
    await next.put('by the next');
    expect(await next.texts()).toEqual(['by the next']);
    await next.lease.release();
    await next.store.close();
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}
