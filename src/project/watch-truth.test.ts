import { cp, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { sha256 } from '../core/identity.ts';
import type { ChangeCounts } from '../indexing/compare.ts';
import { openSource } from '../sources/project-source.ts';
import { changingTree, seededNumbers } from './changing-tree.fixture.ts';
import { followWatch } from './follow-watch.fixture.ts';
import { openProject } from './open-project.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'watch.interval_seconds': 0 };

/** Everything that an index says of its files. */
async function contents(project: Project) {
  const store = await project.store();
  const { failed, degraded, skipped, counts } = await project.status({ compare: false });
  const said = (entries: typeof failed) =>
    entries
      .map(({ uri, status, reason, detail, contentHash }) => ({ uri, status, reason, detail, contentHash }))
      .sort((one, other) => (one.uri < other.uri ? -1 : 1));
  return {
    documents: (await store.documents())
      .map(({ uri, revision, type, title }) => ({ uri, revision, type, title }))
      .sort((one, other) => (one.uri < other.uri ? -1 : 1)),
    counts: { documents: counts.documents, chunks: counts.chunks, embedded: counts.embedded },
    failed: said(failed),
    degraded: said(degraded),
    skipped: said(skipped),
  };
}

/** An index made from nothing out of a copy of the tree. */
async function freshContents(folder: string) {
  const copy = await temporaryFolder();
  const filter = (path: string) => basename(path) !== '.quarry';
  await cp(folder, copy, { recursive: true, preserveTimestamps: true, filter });
  const project = await openProject(copy, { settings });
  try {
    for await (const _ of project.index());
    return await contents(project);
  } finally {
    await project.close();
  }
}

/** How far the index is behind, found by reading every file. */
async function trueChanges(project: Project): Promise<ChangeCounts> {
  const source = openSource(project.folder, project.settings, () => undefined);
  const store = await project.store();
  const known = new Map((await store.manifest()).map((entry) => [entry.uri, entry]));
  const gone = new Set(await store.paths());
  let added = 0;
  let changed = 0;
  for await (const entry of source.scan()) {
    if (entry.kind === 'skipped') continue;
    const { uri } = entry.file;
    gone.delete(uri);
    const before = known.get(uri);
    if (!before) added += 1;
    else if (before.contentHash !== sha256(await source.read(uri))) changed += 1;
  }
  return { added, changed, deleted: gone.size };
}

async function isBehind(project: Project): Promise<boolean> {
  const { added, changed, deleted } = await trueChanges(project);
  return added + changed + deleted > 0;
}

/** Compares what the status says with the truth, at a moment when no pass was writing. */
async function checkStatus(project: Project): Promise<void> {
  const store = await project.store();
  for (;;) {
    const revision = (await store.state()).revision;
    const { changes } = await project.status();
    const truth = await trueChanges(project);
    if ((await store.state()).revision !== revision) continue;
    expect(changes).toMatchObject({ added: truth.added, deleted: truth.deleted });
    // A file that was written again with the same content counts as changed until it has been looked at.
    expect(changes?.changed).toBeGreaterThanOrEqual(truth.changed);
    return;
  }
}

describe('while files change at random', () => {
  test.each([1, 2])('the index and its status tell the truth (seed %i)', async (seed) => {
    const folder = await temporaryFolder();
    const random = seededNumbers(seed);
    const tree = changingTree(folder, random);
    const project = await openProject(folder, { settings });
    onTestFinished(() => project.close());
    const watch = followWatch(project);
    onTestFinished(() => watch.stop());
    await watch.next('pass-end');
    const done: string[] = [];
    for (let round = 1; round <= 2; round++) {
      for (let count = 0; count < 15; count++) {
        done.push(tree.change());
        if (random() < 0.15) await checkStatus(project);
      }
      // Events come in the order of the changes: once the last one is indexed, all others are, but for files that
      // have changed again and again, which may wait a little longer.
      const last = `last-${round}.py`;
      await writeFile(join(folder, last), `# Round ${round}\n`);
      await watch.next('document-indexed', ({ uri }) => uri === last);
      await watch.next('pass-end');
      while (await isBehind(project)) await watch.next('pass-end');
      await checkStatus(project);
      expect(await contents(project), done.join('\n')).toEqual(await freshContents(folder));
    }
  });
});
