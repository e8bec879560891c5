import fc from 'fast-check';
import { expect } from 'vitest';
import type { ChunkDraft, Chunker, ChunkLimits } from '../../contracts/chunker.ts';
import type { Document } from '../../core/document.ts';
import { documentRecord } from '../../testing/documents.ts';

/** Limits in four characters a token; white space costs nothing, so that sizes add up exactly. */
export function sizeLimits(minTokens: number, targetTokens: number, maxTokens: number): ChunkLimits {
  const countTokens = (text: string) => Math.ceil(text.replace(/\s/g, '').length / 4);
  return { minTokens, targetTokens, maxTokens, overlapTokens: 0, countTokens };
}

/** A document with this text at this path, titled by its name. */
export function documentAt(uri: string, text: string, title = ''): Document {
  return { ...documentRecord(uri, { title }), text };
}

/** Each chunk as its section and its text. */
export async function cutUp(
  chunker: Chunker,
  document: Document,
  limits: ChunkLimits,
): Promise<(readonly [section: string, text: string])[]> {
  const { drafts } = await chunker.chunk(document, limits);
  return drafts.map((draft) => [draft.section, document.text.slice(draft.start, draft.end)] as const);
}

/** Text that looks like the formats at hand: lines from a vocabulary, in any order, with noise between them. */
export function textFrom(lines: readonly string[]): fc.Arbitrary<string> {
  const line = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...lines) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 200 }) },
    { weight: 1, arbitrary: fc.constantFrom('', '   ', '\t', '\f', '\r', 'x'.repeat(500)) },
  );
  return fc.array(line, { maxLength: 40 }).map((chosen) => chosen.join('\n'));
}

/** Checks the promise of every chunker on any such text: all of it, in order, no overlap, within the maximum. */
export async function expectFaithful(
  chunker: Chunker,
  uri: string,
  text: fc.Arbitrary<string>,
): Promise<void> {
  const limits = fc.constantFrom(sizeLimits(2, 8, 16), sizeLimits(10, 40, 60), sizeLimits(50, 300, 800));
  await fc.assert(
    fc.asyncProperty(text, limits, async (value, sizes) => {
      const { drafts } = await chunker.chunk(documentAt(uri, value, 'title'), sizes);
      expect(leftOut(value, drafts)).toBe('');
      for (const { start, end } of drafts) {
        expect(sizes.countTokens(value.slice(start, end))).toBeLessThanOrEqual(sizes.maxTokens);
      }
    }),
    { numRuns: 300 },
  );
}

/** Characters in no chunk, white space aside; overlapping or empty chunks are named. */
function leftOut(text: string, drafts: readonly ChunkDraft[]): string {
  let left = '';
  let at = 0;
  for (const { start, end } of drafts) {
    if (start < at || end <= start) return `chunk ${start}-${end} after ${at}`;
    left += text.slice(at, start).trim();
    at = end;
  }
  return left + text.slice(at).trim();
}
