import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContextText, contextFormats } from '../../core/context.ts';
import { buildBlock } from './build-block.ts';
import { countWords, named, retrieved } from './texts.fixture.ts';

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
const build = (texts: readonly ContextText[], maxTokens: number) =>
  buildBlock(texts, { format: 'memory', question: 'q', maxTokens, countTokens: countWords, fence: false });
const shown = (texts: readonly ContextText[], maxTokens: number) =>
  build(texts, maxTokens).sources.map(({ uri, isCut }) => (isCut ? `${uri}…` : uri));

describe('the budget', () => {
  test('is for whole texts: one that does not fit gives way to the next that does', () => {
    const texts = [retrieved('a.md', words(20)), retrieved('b.md', words(90)), retrieved('c.md', words(20))];
    expect(shown(texts, 120)).toEqual(['a.md', 'c.md']);
    expect(build(texts, 120).left).toBe(1);
    expect(build(texts, 120).sources.map(({ number }) => number)).toEqual([1, 2]);
  });

  test('cuts the first text where none would fit whole', () => {
    const texts = [retrieved('a.md', words(200)), retrieved('b.md', words(150))];
    const { sources, text } = build(texts, 100);
    expect(sources).toMatchObject([{ uri: 'a.md', isCut: true }]);
    expect(text).toContain('\n[…]\n</working_memory>');
  });

  test('shows nothing where not even a beginning fits, and says what is left', () => {
    expect(build([retrieved('a.md', words(20))], 12)).toMatchObject({ text: '', sources: [], left: 1 });
  });

  test('is never exceeded, whatever the texts and the format', () => {
    const text = fc.record({
      uri: fc.constantFrom('a.md', 'b.md', 'c/d.ts'),
      text: fc.string({ maxLength: 400 }),
    });
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 6 }),
        fc.integer({ min: 32, max: 400 }),
        fc.constantFrom(...contextFormats),
        fc.boolean(),
        (texts, maxTokens, format, fence) => {
          const { tokens } = buildBlock(
            texts.map(({ uri, text }) => retrieved(uri, text)),
            { format, question: 'why?', maxTokens, countTokens: countWords, fence },
          );
          expect(tokens).toBeLessThanOrEqual(maxTokens);
        },
      ),
    );
  });
});

describe('files that the user named', () => {
  test('come first, and what was retrieved of them is left out', () => {
    const texts = [
      retrieved('a.md', 'part of a'),
      retrieved('b.md', 'b'),
      named('a.md', 'all of a'),
      named('z.md', 'z'),
    ];
    const { sources } = build(texts, 500);
    expect(sources.map(({ uri, text }) => [uri, text])).toEqual([
      ['a.md', 'all of a'],
      ['z.md', 'z'],
      ['b.md', 'b'],
    ]);
  });

  test('are shown once, though named twice', () => {
    expect(shown([named('a.md', 'x'), named('a.md', 'x')], 500)).toEqual(['a.md']);
  });

  test('are cut rather than left out', () => {
    expect(shown([named('a.md', words(500)), retrieved('b.md', words(3))], 100)).toEqual(['a.md…']);
  });
});
