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

/** What a shell makes of a line. */
function shellWords(line: string): string[] {
  const printed = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' });
  return printed.split('\0').slice(0, -1);
}

test.skipIf(process.platform === 'win32').each(operations)(
  'each example of $name is a command line that a shell and the parser read as its input',
  (operation) => {
    for (const example of operation.examples) {
      const words = shellWords(exampleLine(operation, example));
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
  for (const query of ["it's $HOME", 'a "b" `c` \\d!', '-x', '*', "'"])
    expect(shellWords(exampleLine(search, { input: { query }, explains: '' })).at(-1)).toBe(query);
});
