import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { draws } from '../core/draws.ts';
import { openProject } from '../project/open-project.ts';

const draw = draws(41);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(draw() * items.length)] as Item;
const syllables = 'ba ke lo mi nu ra se ti vo wu xa ze'.split(' ');
const rareWord = () => `q${Array.from({ length: 4 }, () => pick(syllables)).join('')}`;
const common = 'the engine keeps a list of parts that people order from a store in town every week'.split(
  ' ',
);
const sentence = () => `${Array.from({ length: 9 }, () => pick(common)).join(' ')}.`;
const page = (word: string) => [sentence(), `${sentence()} Ask for ${word} there.`, sentence()].join('\n\n');

/** Words that one file each has, in files of every kind. */
const kinds = [
  ['md', page],
  ['txt', page],
  [
    'ts',
    (word: string) => `/** ${sentence()} */\nexport function ${word}() {\n  return '${sentence()}';\n}\n`,
  ],
  [
    'log',
    (word: string) => `2026-01-02 10:00:00 INFO ${sentence()}\n2026-01-02 10:00:01 WARN lost ${word}\n`,
  ],
  ['json', (word: string) => JSON.stringify({ note: sentence(), owner: word }, null, 2)],
  [
    'eml',
    (word: string) =>
      `From: a@example.org\nDate: Mon, 2 Nov 2026 10:00:00 +0000\nSubject: ${word}\n\n${sentence()}\n`,
  ],
] as const;
const rare = Array.from({ length: 24 }, rareWord);
/** What people look for by name: other scripts, accents, codes, options and names from code. */
const names = [
  ...['größenwahn', 'Žižek', 'naïveté', 'Достоевский', '東京都', 'مرحبا', 'O’Hanlon'],
  ...['E0425', 'ERR_SOCKET_TIMEOUT', 'n8n', '3f9a2c71e', '--no-frobnicate', 'quorBelix2', '$QUIBBLE_HOME'],
];
const files = Object.fromEntries(
  [...rare, ...names].map((word, number) => {
    const [ending, write] = kinds[number % kinds.length] ?? kinds[0];
    return [`file-${number}.${ending}`, write(word)];
  }),
);

describe.each([
  ['with the bundled model', {}],
  ['with another embedder', { 'embedder.driver': 'hashing' }],
  ['by words alone', { 'search.dense_weight': 0 }],
])('relevance, %s', (_, settings) => {
  let project: Project;
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder(files);
    project = await openProject(folder, { settings });
    for await (const event of project.index()) if (event.type === 'document-failed') throw event;
  });
  afterAll(() => project.close());

  const best = async (query: string) => (await project.search(query, { threshold: 0 })).hits[0];

  test('of a word that one file has is at least a half there', async () => {
    for (const [number, word] of rare.entries()) {
      const hit = await best(word);
      expect(hit?.document.uri).toMatch(`file-${number}.`);
      expect(hit?.relevance, word).toBeGreaterThanOrEqual(0.5);
    }
  });

  test('of a name in any script is at least a half there, alone and where a question asks for nothing else', async () => {
    for (const [number, name] of names.entries()) {
      for (const query of [name, `where is ${name}`, `what does ${name} mean?`]) {
        const hit = await best(query);
        expect(hit?.document.uri, query).toMatch(`file-${rare.length + number}.`);
        expect(hit?.relevance, query).toBeGreaterThanOrEqual(0.5);
      }
    }
  });

  test('of a name from code is at least a half where it stands, whatever else a sentence asks', async () => {
    for (const name of ['E0425', 'ERR_SOCKET_TIMEOUT', 'n8n', 'quorBelix2']) {
      const { hits } = await project.search(
        `since the update ${name} appears whenever people order from us`,
        {
          threshold: 0,
        },
      );
      const holder = hits.find(({ document }) =>
        document.uri.startsWith(`file-${rare.length + names.indexOf(name)}.`),
      );
      expect(holder?.relevance, name).toBeGreaterThanOrEqual(0.5);
    }
  });

  test('of words that nothing has is below what counts as an answer', async () => {
    for (let count = 0; count < 12; count += 1) {
      const words = [`z${rareWord()}`, `z${rareWord()}`].slice(count % 2).join(' ');
      const query = count % 3 === 0 ? `what does ${words} mean?` : words;
      const { hits } = await project.search(query, { threshold: 0 });
      for (const { relevance } of hits) expect(relevance, query).toBeLessThan(0.3);
    }
  });

  test('of a word does not fall below a half when files about something else come in', async () => {
    const others = join(folder, 'others');
    await mkdir(others);
    for (let count = 0; count < 40; count += 1)
      await writeFile(join(others, `${count}.md`), page(`z${rareWord()}`));
    for await (const event of project.index()) if (event.type === 'document-failed') throw event;
    for (const word of rare.slice(0, 8))
      expect((await best(word))?.relevance, word).toBeGreaterThanOrEqual(0.5);
  });
});

test('a project of one file answers what it says', async () => {
  const text = 'Returns are free within thirty days. Ask Marlene Oduya about exchanges of boots.';
  const alone = await openProject(await temporaryFolder({ 'returns.md': text }), {});
  for await (const event of alone.index()) if (event.type === 'document-failed') throw event;
  for (const query of ['Oduya', 'exchanges of boots', 'Who is asked about exchanges?', 'returns'])
    expect((await alone.search(query)).hits[0]?.relevance, query).toBeGreaterThanOrEqual(0.5);
  await alone.close();
});

const shop = {
  'returns.md': 'You may send anything back within thirty days. We pay the postage inside the country.',
  'refunds.md': 'Refunds go to the card that was charged, usually within five working days.',
  'rover.py':
    'def drive(self):\n    if self.battery.level() < 0.15:\n        raise RuntimeError("battery too low to go on")\n',
};
const asked = [
  'how long may I send things back',
  'when are refunds on my card',
  'what happens when the battery is low',
  'battery too low to go on',
  'Refunds',
];

test('files about something else never make a hit less relevant, and their questions find nothing in it', async () => {
  const folder = await temporaryFolder(shop);
  const project = await openProject(folder, {});
  const index = async () => {
    for await (const event of project.index()) if (event.type === 'document-failed') throw event;
  };
  await index();
  const first = async (query: string) =>
    (await project.search(query, { threshold: 0 })).hits[0]?.relevance ?? 0;
  const before = new Map<string, number>();
  for (const query of asked) before.set(query, await first(query));
  for (const query of asked) expect(before.get(query), query).toBeGreaterThanOrEqual(0.3);
  for (const query of ['who won the football world cup', 'best recipe for blueberry pancakes'])
    expect(await first(query), query).toBeLessThan(0.15);
  for (let count = 0; count < 60; count += 1)
    await writeFile(
      join(folder, `${count}.md`),
      `The ${rareWord()} of ${rareWord()} grows on hills, and ${rareWord()} eats it in spring.`,
    );
  await index();
  for (const query of asked)
    expect(await first(query), query).toBeGreaterThanOrEqual((before.get(query) ?? 0) - 0.02);
  await project.close();
});

test('a copied error is found where it stands, with or without quotation marks and its name', async () => {
  const project = await openProject(await temporaryFolder({ ...shop, ...files }), {});
  for await (const event of project.index()) if (event.type === 'document-failed') throw event;
  for (const query of [
    'battery too low to go on',
    'RuntimeError: battery too low to go on',
    '"battery too low to go on"',
  ]) {
    const [hit] = (await project.search(query)).hits;
    expect(hit?.document.uri, query).toBe('rover.py');
    expect(hit?.relevance, query).toBeGreaterThanOrEqual(0.7);
  }
  await project.close();
});
