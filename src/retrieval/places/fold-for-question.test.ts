import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import type { Chunk } from '../../core/chunk.ts';
import { numberedParts } from '../../core/text/left-out.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import { foldForQuestion } from './fold-for-question.ts';

const words = (text: string): number => text.split(/\s+/).length;

interface Told {
  readonly name?: string;
  readonly isMarkdown?: boolean;
  /** Of the only chunk. */
  readonly symbol?: string;
  /** Where the only chunk is in its file. */
  readonly fileLines?: readonly [number, number];
  readonly maxTokens?: number;
}

function fold(
  lines: readonly string[],
  question: string,
  { name, isMarkdown = false, symbol, fileLines, maxTokens = 100_000 }: Told = {},
) {
  const text = lines.join('\n');
  const textLines = [11, 10 + lines.length] as const;
  const place = { kind: 'lines', first: 11, last: 10 + lines.length } as const;
  const [first] = chunkEntries(documentRecord('a.ts'), [text]);
  const chunk: Chunk | undefined = first && {
    ...first.chunk,
    span: { ...first.chunk.span, firstLine: textLines[0], lastLine: textLines[1] },
    place: fileLines ? { kind: 'lines', first: fileLines[0], last: fileLines[1] } : place,
    ...(symbol !== undefined && { symbol: { name: symbol, kind: 'function', signature: '', scope: [] } }),
  };
  const chunks = chunk ? [chunk] : [];
  return foldForQuestion(
    { text, textLines, place, tokens: 0, isCut: false, chunks, name, isMarkdown },
    question,
    [],
    {
      maxTokens,
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

test('a sign for headings in code is no heading of Markdown', () => {
  const days = Array.from({ length: 40 }, (_, at) => `Day ${at} was calm.`);
  const code = ['```sh', '# tar', 'brew tar', '~~~', '# and wait', '```'];
  const lines = ['# Log', '', '## April', ...days, ...code, ...days, 'Ada painted the ferry.', ...days];
  const { text = '' } = fold(lines, 'who painted it?', { isMarkdown: true }) ?? {};
  expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual(['# Log', '## April']);
});

test('of what stands too deep the line that answers is shown with the nearest that it stands in', () => {
  const deep = Array.from({ length: 90 }, (_, at) => `${' '.repeat(at)}level${at}(`);
  const { text = '' } = fold([...deep, `${' '.repeat(90)}ringTheBell()`], 'who rings the bell?') ?? {};
  expect(text).toContain('ringTheBell()');
  expect(text).toContain('level89(');
});

test('a text of which not even the best line fits is not folded, so that its beginning is read', () => {
  const lines = body('write', 60).map((line) => `${line} ${'and more '.repeat(100)}`);
  expect(fold(lines, 'write7', { maxTokens: 150 })).toBeUndefined();
});

test('what begins in a folded part is named in one short line', () => {
  const name = `Bell\n${'long '.repeat(100)}`;
  const lines = [...name.split('\n'), ...body('close', 60).map((line) => line.trim()), 'ferry'];
  const { folded = [] } = fold(lines, 'ferry', { symbol: name }) ?? {};
  expect(folded[0]?.names).toEqual([`Bell ${'long '.repeat(14)}long…`]);
});

test('of a file with other lines than its text the lines of the file are named', () => {
  const { folded = [] } = fold([...body('close', 90), 'ring'], 'ring', { fileLines: [1000, 1299] }) ?? {};
  expect(folded[0]?.lines).toEqual([1000, 1299]);
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
