import { expect, test } from 'vitest';
import { keptOutput } from '../terminal/kept-output.fixture.ts';
import { renderRead } from './read.ts';

test('what is folded is a line among those with numbers, and how it is read is said once', () => {
  const { output, results } = keptOutput();
  renderRead(
    {
      path: 'a.ts',
      citation: 'a.ts:1-9',
      place: { kind: 'lines', first: 1, last: 9 },
      lines: [1, 9],
      text_lines: [1, 9],
      total_lines: 9,
      section: '',
      text: 'class A {\n… 2-6 folded: put, get\n  close() {}\n\n}',
      tokens: 20,
      is_cut: false,
      folded: [{ lines: [2, 6], names: ['put', 'get'] }],
      others: [],
      warnings: [],
    },
    output,
  );
  expect(results.map((line) => line.trim())).toEqual([
    '1 │ class A {',
    '… 2-6 folded: put, get',
    '7 │   close() {}',
    '8 │',
    '9 │ }',
    'Folded lines are read as PATH:42-97, all of it with --full.',
  ]);
});
