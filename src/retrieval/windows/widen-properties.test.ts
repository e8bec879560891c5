import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import type { Passage } from '../../core/passage.ts';
import { createCodeChunker } from '../../drivers/chunkers/code/code.ts';
import { createMarkdownChunker } from '../../drivers/chunkers/markdown/markdown.ts';
import { createProseChunker } from '../../drivers/chunkers/prose.ts';
import { countLineEnds } from './fragment.ts';
import { countWords, indexText, wordLimits } from './indexed-text.fixture.ts';
import { type WindowOptions, widen } from './widen.ts';

const folder = new URL('../../drivers/chunkers/code/fixtures/', import.meta.url);
const code = readdirSync(folder).map((name) => ({
  uri: name.replace(/\.txt$/, ''),
  text: readFileSync(new URL(name, folder), 'utf8'),
}));
const chunkers = {
  code: createCodeChunker(),
  markdown: createMarkdownChunker(),
  prose: createProseChunker(),
};

const sentence = fc
  .array(fc.constantFrom('alpha', 'beta', 'gamma', '😀', 'naïve', '日本語', '👩‍👩‍👧', 'x_1', '30'), {
    minLength: 3,
    maxLength: 14,
  })
  .map((words) => `${words.join(' ')}.`);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 6 }).map((sentences) => sentences.join(' '));
const block = fc.oneof(
  { weight: 4, arbitrary: paragraph },
  sentence.map((text) => `## ${text}`),
  fc
    .array(sentence, { minLength: 1, maxLength: 5 })
    .map((items) => items.map((item) => `- ${item}`).join('\n')),
  sentence.map((text) => `\`\`\`\n${text}\n\n${text}\n\`\`\``),
);
const written = fc.array(block, { minLength: 1, maxLength: 14 }).map((blocks) => blocks.join('\n\n'));
const source = fc.oneof(
  fc.constantFrom(...code).map(({ uri, text }) => ({ uri, text, chunker: chunkers.code })),
  written.map((text) => ({ uri: 'docs/a.md', text, chunker: chunkers.markdown })),
  written.map((text) => ({ uri: 'virtual:talk.txt', text, chunker: chunkers.prose })),
);
const setting = fc.record({
  source,
  hasWindowsLineEnds: fc.boolean(),
  limits: fc.constantFrom(wordLimits(20), wordLimits(40, 12), wordLimits(90)),
  places: fc.uniqueArray(fc.nat(400), { minLength: 1, maxLength: 8 }),
  neighbours: fc.nat(3),
  totalTokens: fc.constantFrom(10, 60, 200, 100_000),
  passageTokens: fc.constantFrom(5, 40, 120, 100_000),
});

test('shows the own text of a document, nothing twice, every hit once, within every budget', async () => {
  await fc.assert(
    fc.asyncProperty(setting, async ({ source: { uri, text: unix, chunker }, places, limits, ...rest }) => {
      const text = rest.hasWindowsLineEnds ? unix.replaceAll('\n', '\r\n') : unix;
      const { store, chunks, hitsAt } = await indexText(chunker, uri, text, limits);
      const hits = hitsAt([...new Set(places.map((place) => place % chunks.length))]);
      const options: WindowOptions = { ...rest, countTokens: countWords };
      const passages = await widen(store, hits, options);
      expect(await widen(store, hits, options)).toEqual(passages);
      for (const passage of passages) expectOwnText(passage, text);
      expectNothingTwice(passages);
      expectWithinBudget(passages, options);
      const shown = passages.flatMap((passage) => passage.hits);
      expect(new Set(shown).size).toBe(shown.length);
      if (options.totalTokens === 100_000) expect(new Set(shown)).toEqual(new Set(hits));
      const ranks = passages.map((passage) => hits.findIndex((hit) => passage.hits.includes(hit)));
      expect(ranks).toEqual([...ranks].sort((one, other) => one - other));
      for (const passage of passages.filter(({ isCut }) => !isCut)) expectWhole(passage, passages);
    }),
    { numRuns: draws(150) },
  );
});

function expectOwnText({ pieces, span }: Passage, text: string): void {
  for (const piece of pieces) {
    const { start, end, firstLine, lastLine } = piece.span;
    expect(piece.text).toBe(text.slice(start, end));
    expect(firstLine).toBe(1 + countLineEnds(text.slice(0, start)));
    expect(lastLine).toBe(1 + countLineEnds(text.slice(0, end - 1)));
    expect(piece.text.isWellFormed()).toBe(true);
  }
  expect(span).toMatchObject({
    start: pieces[0]?.span.start,
    end: pieces.at(-1)?.span.end,
    lastLine: pieces.at(-1)?.span.lastLine,
  });
}

function expectNothingTwice(passages: readonly Passage[]): void {
  const spans = passages.flatMap(({ pieces }) => pieces.map(({ span }) => span));
  spans.sort((one, other) => one.start - other.start);
  spans.forEach((span, index) => {
    expect(span.start).toBeGreaterThanOrEqual(spans[index - 1]?.end ?? 0);
  });
}

function expectWithinBudget(passages: readonly Passage[], options: WindowOptions): void {
  let total = 0;
  for (const { context, text, tokens } of passages) {
    expect(countWords(`${context}\n${text}`)).toBe(tokens);
    expect(tokens).toBeLessThanOrEqual(options.passageTokens);
    total += tokens;
  }
  expect(total).toBeLessThanOrEqual(options.totalTokens);
}

/** Every character of a hit is shown: in its own passage, or where two hits overlap, in that of the better one. */
function expectWhole({ hits }: Passage, passages: readonly Passage[]): void {
  const spans = passages.flatMap(({ pieces }) => pieces.map(({ span }) => span));
  for (const { chunk } of hits) {
    let covered = 0;
    for (const { start, end } of spans)
      covered += Math.max(0, Math.min(end, chunk.span.end) - Math.max(start, chunk.span.start));
    expect(covered).toBe(chunk.text.length);
  }
}
