import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadOperations } from '../../../operations/catalogue.ts';
import type { Operation } from '../../../operations/operation.ts';
import { lineOf } from './commands.ts';
import { exampleLine, wordsOf } from './example-line.ts';
import { checkInput, shapeOf } from './flags.ts';
import { parseWords } from './parse-words.ts';

const operations = await loadOperations();
const search = operations[0] as Operation;

/** What a shell makes of each line: one for all of them, since its start takes longest. */
function shellWords(lines: readonly string[]): string[][] {
  const script = lines.map((line) => `printf '%s\\0' ${line}\nprintf '\\n\\0'\n`).join('');
  const printed = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
  return printed
    .split('\n\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

test.skipIf(process.platform === 'win32').each(operations)(
  'each example of $name is a command line that a shell and the parser read as its input',
  (operation) => {
    const lines = shellWords(operation.examples.map((example) => exampleLine(operation, example)));
    for (const [at, example] of operation.examples.entries()) {
      const words = lines[at] ?? [];
      const name = ['quarry', ...lineOf(operation).split(' ')];
      expect(words.slice(0, name.length)).toEqual(name);
      const { input: written, common } = parseWords(shapeOf(operation), words.slice(name.length));
      const input = checkInput(operation, written);
      expect(input).toEqual(operation.input.parse(example.input));
      const settings = Object.entries(example.settings ?? {}).map(([key, value]) => [key, String(value)]);
      expect(common.settings).toEqual(Object.fromEntries(settings));
    }
  },
);

test('any words survive the way to the command line and back', () => {
  const text = fc.string({ minLength: 1 });
  const anyInput = fc.record(
    {
      query: text,
      path: fc.array(fc.stringMatching(/^-?[a-z]{1,4}( [*]|[*][*]|[.]md)?$/)),
      since: text,
      update: fc.boolean(),
      top_k: fc.integer({ min: 1, max: 9 }),
    },
    { requiredKeys: ['query'] },
  );
  fc.assert(
    fc.property(anyInput, (input) => {
      const words = wordsOf(search, { input }).slice(1);
      expect(checkInput(search, parseWords(shapeOf(search), words).input)).toEqual(search.input.parse(input));
    }),
  );
});

test.skipIf(process.platform === 'win32')('a shell reads back what is quoted, whatever is in it', () => {
  const queries = ["it's $HOME", 'a "b" `c` \\d!', '-x', '*', "'"];
  const lines = queries.map((query) => exampleLine(search, { input: { query }, explains: '' }));
  expect(shellWords(lines).map((words) => words.at(-1))).toEqual(queries);
});
