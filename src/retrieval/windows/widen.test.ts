import { describe, expect, test } from 'vitest';
import type { Chunk } from '../../core/chunk.ts';
import type { Hit } from '../../core/hit.ts';
import { gapMark } from '../../core/passage.ts';
import { createCodeChunker } from '../../drivers/chunkers/code/code.ts';
import { createEmailChunker } from '../../drivers/chunkers/email.ts';
import { createProseChunker } from '../../drivers/chunkers/prose.ts';
import { openMemoryStore } from '../../drivers/stores/memory/store.ts';
import { chunksOf } from '../../index/chunks-of.ts';
import { deletePaths, putDocument } from '../../index/write.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import { countWords, indexText, wordLimits } from './indexed-text.fixture.ts';
import { type WindowOptions, widen, windowDefaults } from './widen.ts';

const options: WindowOptions = { ...windowDefaults, countTokens: countWords };
/** Paragraphs of four words, each a chunk. */
const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => `par ${index} has words.`).join('\n\n');
const fourWords = { ...wordLimits(4), minTokens: 1, targetTokens: 4 };
const indexParagraphs = (count: number, uri = 'a.txt') =>
  indexText(createProseChunker(), uri, paragraphs(count), fourWords);
const shownLines = (text: string) => text.split('\n').filter(Boolean);

describe('windows', () => {
  test('hold the chunks beside a hit, cut at the borders of its document', async () => {
    const { store, hitsAt, record } = await indexParagraphs(9);
    const [passage, first, ...others] = await widen(store, hitsAt([4, 0]), options);
    expect(passage).toMatchObject({
      document: record,
      text: 'par 3 has words.\n\npar 4 has words.\n\npar 5 has words.',
      span: { firstLine: 7, lastLine: 11 },
      relevance: 1,
      isCut: false,
      tokens: 12,
    });
    expect(first?.text).toBe('par 0 has words.\n\npar 1 has words.');
    expect(others).toEqual([]);
  });

  test.each([
    ['overlap', 1, [4, 5]],
    ['share a neighbour', 1, [4, 6]],
    ['stand beside each other', 1, [4, 7]],
    ['are a chunk apart', 2, [3, 7]],
  ])('that %s make passages: %i', async (_, count, places) => {
    const { store, hitsAt } = await indexParagraphs(12);
    const hits = hitsAt(places);
    const passages = await widen(store, hits, options);
    expect(passages).toHaveLength(count);
    expect(passages.flatMap((passage) => passage.hits)).toEqual(hits);
  });

  test('of a mailbox end where a message ends', async () => {
    const mails = ['Tea', 'Rent', 'Boats'].map(
      (subject) => `From: a@b.example\nSubject: ${subject}\n\nAbout ${subject}.\n`,
    );
    const { store, hitsAt } = await indexText(
      createEmailChunker(),
      'all.mbox',
      mails.join('\n\f\n'),
      wordLimits(100),
    );
    expect((await widen(store, hitsAt([1]), options)).map(({ text }) => text)).toEqual([
      expect.not.stringMatching(/Tea|Boats/),
    ]);
    const all = await widen(store, hitsAt([0, 1, 2]), options);
    expect(all.map(({ section, place }) => [section, place])).toMatchObject([
      ['Tea', { first: 1, last: 4 }],
      ['Rent', { first: 7, last: 10 }],
      ['Boats', { first: 13, last: 16 }],
    ]);
  });

  test('stand in the order of their best hit, with its relevance', async () => {
    const one = await indexParagraphs(9, 'one.txt');
    const two = await indexText(createProseChunker(), 'two.txt', paragraphs(9), fourWords, one.store);
    const [a, b] = one.hitsAt([8, 0]);
    const [c] = two.hitsAt([4]);
    const hits = [c, a, b].filter((hit) => hit !== undefined);
    const passages = await widen(one.store, hits, options);
    expect(passages.map(({ hits: [best] }) => best)).toEqual(hits);
    expect(passages.map(({ relevance }) => relevance)).toEqual([1, 1, 0.5]);
  });

  test('of nothing are nothing', async () => {
    expect(await widen(openMemoryStore(), [], options)).toEqual([]);
  });

  test('show a hit alone whose document has changed or gone', async () => {
    const { store, hitsAt, record } = await indexParagraphs(5);
    const hits = hitsAt([2]);
    await putDocument(store, {
      document: record,
      chunks: chunkEntries(record, ['other', 'things', 'stand', 'here']),
    });
    expect((await widen(store, hits, options)).map(({ text }) => text)).toEqual(['par 2 has words.']);
    await deletePaths(store, [record.uri]);
    expect((await widen(store, hits, options)).map(({ text }) => text)).toEqual(['par 2 has words.']);
  });

  test('take a hit that is given twice once', async () => {
    const { store, hitsAt } = await indexParagraphs(5);
    const [hit] = hitsAt([2]);
    const passages = await widen(
      store,
      [hit, hit].filter((each) => each !== undefined),
      options,
    );
    expect(passages.map(({ hits }) => hits)).toEqual([[hit]]);
  });
});

describe('budgets', () => {
  test('give up neighbours before hits, those after the best hit last', async () => {
    const { store, hitsAt } = await indexParagraphs(20);
    const passages = await widen(store, hitsAt([4, 14]), { ...options, totalTokens: 15 });
    expect(passages.map(({ text }) => shownLines(text))).toEqual([
      ['par 4 has words.', 'par 5 has words.'],
      ['par 14 has words.'],
    ]);
  });

  test('give up the last hits before they cut one', async () => {
    const { store, hitsAt } = await indexParagraphs(20);
    const passages = await widen(store, hitsAt([4, 14, 9]), { ...options, totalTokens: 10 });
    expect(passages.map(({ text }) => text)).toEqual(['par 4 has words.', 'par 14 has words.']);
    expect(await widen(store, hitsAt([4]), { ...options, totalTokens: 0 })).toEqual([]);
  });

  test('keep two passages apart that are too large together, without repeating what they share', async () => {
    const text = Array.from({ length: 12 }, (_, index) => `Sentence ${index} has five words.`).join(' ');
    const { store, chunks, hitsAt } = await indexText(createProseChunker(), 'a.txt', text, wordLimits(20, 6));
    const [first, second] = chunks;
    expect(second?.span.start).toBeLessThan(first?.span.end ?? 0);
    const passages = await widen(store, hitsAt([0, 1]), { ...options, neighbours: 0, passageTokens: 16 });
    expect(passages.map(({ span }) => [span.start, span.end])).toEqual([
      [first?.span.start, first?.span.end],
      [first?.span.end, second?.span.end],
    ]);
  });

  test('cut a hit that is too large at a line end, and mark it', async () => {
    const record = documentRecord('a.txt');
    const text = 'one two three\nfour five\r\n\r\n😀 six seven';
    const store = openMemoryStore();
    await putDocument(store, { document: record, chunks: chunkEntries(record, [text]) });
    const [chunk] = await chunksOf(store, record.id);
    const shown = async (passageTokens: number) => {
      const [passage] = await widen(store, [hitOf(chunk, record)], { ...options, passageTokens });
      return { text: passage?.text, isCut: passage?.isCut, lastLine: passage?.span.lastLine };
    };
    expect(await shown(8)).toEqual({ text, isCut: false, lastLine: 4 });
    expect(await shown(7)).toEqual({
      text: `one two three\nfour five\n${gapMark}`,
      isCut: true,
      lastLine: 2,
    });
    expect(await shown(4)).toEqual({ text: `one two three\n${gapMark}`, isCut: true, lastLine: 1 });
    expect((await shown(3)).text).toBe(`one two\n${gapMark}`);
    expect((await shown(1)).text).toBeUndefined();
  });
});

function hitOf(chunk: Chunk | undefined, document: Hit['document']): Hit {
  if (!chunk) throw new TypeError('There is no chunk.');
  return { chunk, document, relevance: 0.5, score: 1, trace: [] };
}

describe('code', () => {
  const steps = (count: number) =>
    Array.from(
      { length: count },
      (_, index) => `    const step${index} = await this.run(${index}, 'step ${index}');`,
    );
  const source = [
    "import { Runner } from './runner.ts';",
    '',
    'export class Longer extends Runner {',
    '  async everything(): Promise<void> {',
    ...steps(30),
    '  }',
    '',
    '  async other(): Promise<void> {',
    ...steps(6),
    '  }',
    '}',
    '',
  ].join('\n');
  const indexed = () => indexText(createCodeChunker(), 'src/longer.ts', source, wordLimits(60));

  test('is shown as the whole definition, where the budget allows, before plain neighbours', async () => {
    const { store, chunks, hitsAt } = await indexed();
    const parts = chunks.filter(({ symbol }) => symbol?.name === 'everything');
    expect(parts.length).toBeGreaterThan(2);
    const middle = parts[1]?.ordinal ?? 0;
    const [whole] = await widen(store, hitsAt([middle]), { ...options, neighbours: 0 });
    expect(whole?.pieces).toHaveLength(1);
    expect(whole?.text).toBe(source.slice(parts[0]?.span.start, parts.at(-1)?.span.end));
    const [small] = await widen(store, hitsAt([middle]), { ...options, passageTokens: 110 });
    expect(small?.text).not.toContain('step0 ');
    expect(small?.text).toContain(parts[1]?.text);
  });

  test('is shown with the signatures around it, which are no part of its text', async () => {
    const { store, chunks, hitsAt } = await indexed();
    const other = chunks.find(({ symbol }) => symbol?.name === 'other')?.ordinal ?? 0;
    const [passage] = await widen(store, hitsAt([other]), { ...options, neighbours: 0 });
    expect(passage?.context).toContain('class Longer extends Runner');
    expect(passage?.text).not.toContain('class Longer');
    expect(passage?.section).toBe('Longer > other');
    expect(passage?.tokens).toBe(countWords(`${passage?.context}\n${passage?.text}`));
    const [poor] = await widen(store, hitsAt([other]), { ...options, neighbours: 0, passageTokens: 50 });
    expect(poor?.context).toBe('');
  });
});

test('a definition is shown whole with the members between its parts', async () => {
  const record = documentRecord('a.ts');
  const symbol = { name: 'f', kind: 'function', signature: 'f()', scope: [] };
  const inner = { name: 'g', kind: 'function', signature: 'g()', scope: ['f'] };
  const store = openMemoryStore();
  const texts = ['head of f', 'inner g one two three', 'rest of f', 'last of f'];
  const entries = chunkEntries(record, texts).map(({ chunk, embeddingKey }, index) => ({
    embeddingKey,
    chunk: {
      ...chunk,
      symbol: index === 1 ? inner : symbol,
      metadata: index === 1 ? {} : { part: `${Math.max(1, index)}/3` },
    },
  }));
  await putDocument(store, { document: record, chunks: entries });
  const hit = (index: number) => hitOf(entries[index]?.chunk, record);
  const [whole] = await widen(store, [hit(2)], options);
  expect(whole?.text).toBe(texts.join('\n'));
  const few = { ...options, neighbours: 0, passageTokens: 8 };
  const passages = await widen(store, [hit(2), hit(0)], few);
  expect(passages.map(({ text }) => text)).toEqual(['rest of f', 'head of f']);
});

test('a passage is where its chunks are: from the first page to the last, or the lines that are shown', async () => {
  const store = openMemoryStore();
  const pages = documentRecord('a.pdf');
  const entries = chunkEntries(pages, ['one two', 'three four', 'five six']).map(
    ({ chunk, ...entry }, index) => ({
      ...entry,
      chunk: { ...chunk, place: { kind: 'pages', first: index + 2, last: index + 2 } as const },
    }),
  );
  await putDocument(store, { document: pages, chunks: entries });
  const [middle] = await widen(store, [hitOf(entries[1]?.chunk, pages)], options);
  expect(middle?.place).toEqual({ kind: 'pages', first: 2, last: 4 });
  const lines = await indexParagraphs(9);
  const [passage] = await widen(lines.store, lines.hitsAt([4]), options);
  expect(passage?.place).toEqual({ kind: 'lines', first: 7, last: 11 });
});

test('a page of blank lines is shown as a gap', async () => {
  const text = `one two three four.${'\n'.repeat(1000)}five six seven eight.`;
  const { store, hitsAt } = await indexText(createProseChunker(), 'a.txt', text, fourWords);
  const [passage] = await widen(store, hitsAt([0]), options);
  expect(passage?.text).toBe(`one two three four.\n${gapMark}\nfive six seven eight.`);
  expect(passage?.span).toMatchObject({ firstLine: 1, lastLine: 1001 });
  expect(passage?.pieces.map(({ span }) => span.firstLine)).toEqual([1, 1001]);
});
