import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../../test/property-draws.ts';
import { chunkLines } from '../lines.ts';
import { createCodeChunker } from './code.ts';
import { characterLimits, documentOf, misplaced } from './samples.fixture.ts';

const folder = new URL('./fixtures/', import.meta.url);
const samples = readdirSync(folder).map((name) => ({
  uri: name.replace(/\.txt$/, ''),
  blocks: readFileSync(new URL(name, folder), 'utf8').split(/(?<=\n\n)/),
}));
const chunker = createCodeChunker();

/** Blocks of one sample in any order, with pieces cut out and noise put in. */
const mangled = fc.constantFrom(...samples).chain(({ uri, blocks }) =>
  fc
    .record({
      blocks: fc.array(fc.constantFrom(...blocks), { minLength: 1, maxLength: 25 }),
      cuts: fc.array(fc.tuple(fc.nat(), fc.nat(60)), { maxLength: 4 }),
      noise: fc.array(fc.tuple(fc.nat(), fc.constantFrom('{', '}', '"', '😀', '/*', '\r\n', ' ', '(')), {
        maxLength: 4,
      }),
    })
    .map(({ blocks: chosen, cuts, noise }) => {
      let text = chosen.join('');
      for (const [at, length] of cuts) {
        const start = at % (text.length + 1);
        text = text.slice(0, start) + text.slice(start + length);
      }
      for (const [at, extra] of noise) {
        const start = at % (text.length + 1);
        text = text.slice(0, start) + extra + text.slice(start);
      }
      return { uri, text };
    }),
);

const sizes = fc.constantFrom(
  characterLimits(5, 20, 40),
  characterLimits(20, 60, 120),
  characterLimits(50, 300, 800),
);

test('covers mangled code in order, without overlap and within the maximum and a signature', async () => {
  await fc.assert(
    fc.asyncProperty(mangled, sizes, async ({ uri, text }, limits) => {
      const { drafts } = await chunker.chunk(documentOf(uri, text), limits);
      expect(misplaced(text, drafts)).toEqual([]);
      for (const { start, end, symbol } of drafts) {
        const max = limits.maxTokens + limits.minTokens;
        expect(limits.countTokens(text.slice(start, end))).toBeLessThanOrEqual(max);
        expect(symbol?.signature ?? '').not.toContain('\n');
        expect(symbol?.signature.length ?? 0).toBeLessThanOrEqual(200);
      }
    }),
    { numRuns: draws(80) },
  );
});

test('cuts any text by lines in order, without overlap and within the maximum', () => {
  const text = fc
    .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.constantFrom('', '  ', '\t\tx')), {
      maxLength: 60,
    })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, sizes, (value, limits) => {
      const drafts = chunkLines(value, limits);
      expect(misplaced(value, drafts)).toEqual([]);
      for (const { start, end } of drafts) {
        const part = value.slice(start, end);
        expect(limits.countTokens(part)).toBeLessThanOrEqual(limits.maxTokens);
        expect(part).toBe(part.toWellFormed());
      }
    }),
  );
});

test('cuts lines within a range, at blank lines and low indentation first', () => {
  const block = 'def f():\n    a\n    b\n    c\n';
  const text = `skipped\n${block}\n${block}\n${block}`;
  const limits = {
    ...characterLimits(1, 5, 8),
    countTokens: (part: string) => part.trim().split('\n').length,
  };
  const drafts = chunkLines(text, limits, { start: 8, end: text.length });
  expect(drafts.map(({ start, end }) => text.slice(start, end))).toEqual(Array(3).fill(block.trim()));
});
