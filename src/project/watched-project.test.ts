import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { followWatch } from './follow-watch.fixture.ts';
import { openProject } from './open-project.ts';
import { watchProject } from './watch-project.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'watch.interval_seconds': 0 };

describe('the project that a watch is asked of', () => {
  /** A watch that counts what is opened and closed; the first settings are those of the project itself. */
  async function countedWatch(isAlone: boolean) {
    const folder = await temporaryFolder({
      'a.md': '# apples\n\nThis page explains apples in a few words.\n',
    });
    const owned = await openProject(folder, { settings });
    onTestFinished(() => owned.close());
    const counts = { open: 0, passes: 0, closed: 0 };
    const reopen = async (): Promise<Project> => {
      const own = await openProject(folder, { settings });
      counts.open += 1;
      const close = async (): Promise<void> => {
        counts.open -= 1;
        await own.close();
      };
      return { ...own, close };
    };
    const asked: Project = {
      ...owned,
      index: (options) => {
        counts.passes += 1;
        return owned.index(options);
      },
      close: async () => {
        counts.closed += 1;
        await owned.close();
      },
    };
    const watch = followWatch({
      watch: (options = {}) =>
        watchProject(
          asked,
          { environment: () => undefined, reopen, onLookout: () => {} },
          { ...options, isAlone },
        ),
    });
    await watch.next('pass-end');
    return { folder, owned, counts, watch };
  }

  test('does the work while its settings hold, and stays open', async () => {
    const { folder, owned, counts, watch } = await countedWatch(false);
    expect(counts).toEqual({ open: 0, passes: 1, closed: 0 });
    await writeFile(join(folder, 'quarry.toml'), '[chunking]\nsizes = "characters"\n');
    await watch.next('pass-end', ({ pass }) => pass === 2);
    expect(counts).toEqual({ open: 1, passes: 1, closed: 0 });
    await writeFile(join(folder, 'quarry.toml'), '[chunking]\nsizes = "large"\n');
    await watch.next('pass-end', ({ pass }) => pass === 3);
    expect(counts).toEqual({ open: 1, passes: 1, closed: 0 });
    await rm(join(folder, 'quarry.toml'));
    await watch.next('pass-end', ({ pass }) => pass === 4);
    expect(counts).toEqual({ open: 0, passes: 2, closed: 0 });
    await watch.stop();
    expect((await owned.search('apples')).hits[0]?.document.uri).toBe('a.md');
  });

  test('opens nothing itself where nobody else uses it', async () => {
    const { folder, counts, watch } = await countedWatch(true);
    await writeFile(join(folder, 'quarry.toml'), '[chunking]\nsizes = "characters"\n');
    await watch.next('pass-end', ({ pass }) => pass === 2);
    expect(counts).toEqual({ open: 1, passes: 0, closed: 0 });
    await watch.stop();
    expect(counts).toEqual({ open: 0, passes: 0, closed: 0 });
  });
});

describe('a watch', () => {
  const page = (about: string) => `# ${about}\n\nThis page explains ${about} in a few words.\n`;

  test('emits once what others index and delete while it is on, and nothing that was there before', async () => {
    const folder = await temporaryFolder({
      'old.md': page('apples'),
      'gone.md': page('pears'),
      'left-out.md': page('figs'),
    });
    const [watching, other] = [
      await openProject(folder, { settings }),
      await openProject(folder, { settings }),
    ];
    onTestFinished(() => other.close());
    onTestFinished(() => watching.close());
    for await (const _ of other.index());
    // So late that the others are always first.
    const watch = followWatch(watching, { timing: { quiet: 1_500, maxWait: 10_000 } });
    onTestFinished(() => watch.stop());
    await watch.next('pass-end');
    await writeFile(join(folder, 'by-other.md'), page('plums'));
    await rm(join(folder, 'gone.md'));
    await writeFile(join(folder, '.quarryignore'), 'left-out.md\n');
    for await (const _ of other.index());
    await writeFile(join(folder, 'by-search.md'), page('cherries'));
    await watching.search('cherries');
    await watch.next('pass-end');
    await writeFile(join(folder, 'by-watch.md'), page('quinces'));
    await watch.next('document-indexed', ({ uri }) => uri === 'by-watch.md');
    await watch.next('pass-end');
    const emitted = watch.events.flatMap((event) =>
      event.type === 'document-indexed' || event.type === 'document-deleted' ? [[event.type, event.uri]] : [],
    );
    expect(emitted.sort()).toEqual([
      ['document-deleted', 'gone.md'],
      ['document-deleted', 'left-out.md'],
      ['document-indexed', '.quarryignore'],
      ['document-indexed', 'by-other.md'],
      ['document-indexed', 'by-search.md'],
      ['document-indexed', 'by-watch.md'],
    ]);
  });
});
