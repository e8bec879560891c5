import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import type { Chunk } from '../../core/chunk.ts';
import { numberedParts } from '../../core/text/left-out.ts';
import { foldForQuestion } from './fold-for-question.ts';

const words = (text: string): number => text.split(/\s+/).length;

interface Told {
  readonly name?: string;
  readonly isMarkdown?: boolean;
}

function fold(lines: readonly string[], question: string, { name, isMarkdown = false }: Told = {}) {
  const text = lines.join('\n');
  const textLines = [11, 10 + lines.length] as const;
  const place = { kind: 'lines', first: 11, last: 10 + lines.length } as const;
  const chunks: Chunk[] = [];
  return foldForQuestion(
    { text, textLines, place, tokens: 0, isCut: false, chunks, name, isMarkdown },
    question,
    [],
    {
      maxTokens: 100_000,
      countTokens: words,
    },
  );
}

const body = (name: string, count: number) => Array.from({ length: count }, (_, at) => `    ${name}${at}();`);
const storeClass = [
  'class Store {',
  '  put(',
  '    document,',
  '  ) {',
  ...body('write', 40),
  '    releaseTheLock();',
  ...body('close', 40),
  '  }',
  '}',
];

test('the lines that answer stay, with those that open what they stand in', () => {
  const { text = '', folded = [] } = fold(storeClass, 'when is the lock released?') ?? {};
  const shown = text.split('\n');
  expect(shown).toEqual(
    expect.arrayContaining(['class Store {', '  put(', '  ) {', '    releaseTheLock();']),
  );
  expect(folded.length).toBeGreaterThan(0);
  expect(shown.length).toBeLessThan(storeClass.length);
});

test('of a definition the line with its name stays, whatever answers', () => {
  const lines = ['/** Puts it. */', 'function put(box) {', ...body('write', 60), '  theLock.release();', '}'];
  const { text = '' } = fold(lines, 'who releases it?', { name: 'Shelf.put' }) ?? {};
  expect(text.split('\n').slice(0, 2)).toEqual(['/** Puts it. */', 'function put(box) {']);
});

test('of Markdown the headings stay that what answers stands below', () => {
  const days = Array.from({ length: 40 }, (_, at) => `Day ${at} was calm.`);
  const lines = ['# Log', '', '## March', ...days, '## April', '', ...days, 'Ada tarred the ferry.', ...days];
  const { text = '' } = fold(lines, 'who tarred it?', { isMarkdown: true }) ?? {};
  expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual(['# Log', '## April']);
});

test('a short text is not folded', () => {
  expect(fold(body('write', 40), 'what is written?')).toBeUndefined();
});

test('less stays where less fits', () => {
  const found = foldForQuestion(
    {
      text: storeClass.join('\n'),
      textLines: [1, storeClass.length],
      place: { kind: 'lines', first: 1, last: storeClass.length },
      tokens: 0,
      isCut: false,
      chunks: [],
      isMarkdown: false,
    },
    'which write and close calls are there?',
    [],
    { maxTokens: 20, countTokens: words },
  );
  expect(words(found?.text ?? '')).toBeLessThanOrEqual(20);
});

test('property: every line of the text is shown with its number, or is in one of the folded parts', () => {
  const line = fc.constantFrom('', 'a', '  bell tower', '    the harbour bell', '}', ') {', '\tbell');
  fc.assert(
    fc.property(fc.array(line, { minLength: 41, maxLength: 300 }), (lines) => {
      const result = fold(lines, 'where is the harbour bell?');
      const parts = result && numberedParts(result.text, [11, 10 + lines.length], result.folded);
      const found = new Map<number, string | undefined>();
      for (const { lines: own } of result?.folded ?? [])
        for (let at = own[0]; at <= own[1]; at += 1) found.set(at, undefined);
      for (const part of parts ?? [])
        if (typeof part !== 'string')
          for (const [at, text] of part.text.split('\n').entries()) found.set(part.line + at, text);
      expect([...found.keys()].sort((one, other) => one - other)).toEqual(lines.map((_, at) => at + 11));
      for (const [at, text] of found) if (text !== undefined) expect(text).toBe(lines[at - 11]);
    }),
    { numRuns: draws(200) },
  );
});
