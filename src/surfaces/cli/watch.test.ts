import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { testedProgram } from '../../../test/quarry-process.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { openProject } from '../../project/open-project.ts';

/** Starts `quarry watch --json` as a process of its own, and reads its lines one by one. */
function startWatch(folder: string, ...more: string[]) {
  const words = ['watch', '--json', '--project', folder, '--set', 'embedder.driver=hashing', ...more];
  const child: ChildProcess = spawn(process.execPath, [testedProgram, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (!child.stdout) throw new TypeError('The process has no standard output.');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (type: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new TypeError(`The process ended before ${type}.`);
      const event = JSON.parse(value);
      if (event.type === type) return event;
    }
  };
  return { child, next };
}

// On Windows a process cannot be asked to stop by another, only ended.
test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
  'quarry watch prints its events one per line, and %s ends it well',
  async (signal) => {
    const folder = await temporaryFolder({ 'a.md': '# Apples\n' });
    const { child, next } = startWatch(folder);
    expect(await next('watch-start')).toMatchObject({ folder, intervalSeconds: 300 });
    expect(await next('pass-end')).toMatchObject({ pass: 1, summary: { documents: { indexed: 1 } } });
    await writeFile(join(folder, 'b.md'), '# Pears\n');
    expect(await next('document-indexed')).toMatchObject({ uri: 'b.md' });
    await next('pass-end');
    const exit = once(child, 'exit');
    child.kill(signal);
    expect(await next('result')).toEqual({
      type: 'result',
      passes: 2,
      indexed: 2,
      deleted: 0,
      failed_passes: 0,
    });
    expect(await exit).toEqual([0, null]);
  },
);

test.skipIf(process.platform === 'win32').each(['sqlite', 'lancedb'])(
  'SIGINT ends quarry watch in the midst of a pass on %s, whatever waits for its commit, and the index is sound',
  async (driver) => {
    const files = Array.from({ length: 300 }, (_, at) => [
      `f${at}.md`,
      at % 3 ? `${'\0\x01\x02\x03\x04'.repeat(9)}${at}` : `# Page ${at}\n`,
    ]);
    const folder = await temporaryFolder(Object.fromEntries(files));
    const { child, next } = startWatch(folder, '--set', `store.driver=${driver}`);
    await next('document-indexed');
    const exit = once(child, 'exit');
    child.kill('SIGINT');
    expect(await next('result')).toMatchObject({ passes: 1, failed_passes: 0 });
    expect(await exit).toEqual([0, null]);
    const settings = { 'embedder.driver': 'hashing', 'store.driver': driver };
    const project = await openProject(folder, { settings });
    onTestFinished(() => project.close());
    expect((await project.status({ compare: false })).counts.documents).toBeGreaterThan(0);
    for await (const _ of project.index());
    expect((await project.status()).counts.documents).toBe(100);
    for await (const defect of project.verify()) expect(defect).toBeUndefined();
  },
);
