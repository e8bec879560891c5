import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openProject } from '../../src/project/open-project.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { readSet } from '../collections/read-set.ts';
import { fitSpaces } from './fit.ts';
import { keepSet } from './keep.ts';
import { keptParts, readPart, readSpace } from './kept.ts';
import { orderingsOf } from './order.ts';

/** As many files as tell an order by words from one by vectors. */
const topics = ['timers', 'sockets', 'parsers', 'caches', 'queues', 'locks', 'streams', 'hooks'];
const settings = { 'embedder.driver': 'static', 'resources.threads': 1 };

async function keptRepository() {
  const files = topics.map((topic, at): [string, string] => [
    `src/${topic}.ts`,
    `/** Handles ${topic} of ${topics[(at + 3) % topics.length]}. */\nexport function open${topic}(): string {\n  return '${topic}';\n}\n`,
  ]);
  const folder = await temporaryFolder(
    Object.fromEntries(files.map(([path, text]) => [`repository/${path}`, text])),
  );
  const asked = topics.map((topic) =>
    JSON.stringify({ text: `who handles ${topic}?`, relevant: [`src/${topic}.ts`] }),
  );
  const questions = await temporaryFolder({ 'repository/queries.jsonl': asked.join('\n') });
  const set = await readSet(`repositories:${folder}:${questions}`, { cacheFolder: '' });
  const kept = await temporaryFolder();
  await keepSet(set, { settings, folder: kept, space: 'table' });
  return { folder: join(folder, 'repository'), kept };
}

test('kept candidates are ordered as the engine orders them, and another share moves them', async () => {
  const { folder, kept } = await keptRepository();
  const [name = ''] = keptParts(kept, ['table']);
  const orderings = orderingsOf(readPart(kept, name), readSpace(kept, name, 'table'));
  expect(orderings).toHaveLength(topics.length);
  const project = await openProject(folder, { settings });
  for (const { question, order } of orderings) {
    const { hits } = await project.search(question.text, { update: false, topK: 60, byDocument: false });
    const found = order({ dense: 0.3, said: 0, power: 1 }).map(({ match }) => match.chunk.id);
    expect(found).toEqual(hits.map(({ chunk }) => chunk.id));
  }
  await project.close();
  const scoresAt = (dense: number) =>
    orderings.map(({ order }) => order({ dense, said: 0, power: 1 }).map(({ score }) => score));
  expect(scoresAt(0.8)).not.toEqual(scoresAt(0.3));
}, 60_000);

test('the fit names the shares that it chose, and judges on questions that chose nothing', async () => {
  const { kept } = await keptRepository();
  const split = { fitted: [], judged: [], every: 2 };
  const texts = [...fitSpaces(kept, ['table'], split)];
  expect(texts[0]).toContain('table: chosen {"dense":');
  expect(texts[1]).toContain(`| repositories | ${topics.length / 2} |`);
}, 60_000);
