import { expect, test } from 'vitest';
import { commandFor } from './command.ts';
import type { Question } from './questions.ts';

const nothing: Question = {
  query: '',
  type: '',
  in: '',
  path: '',
  language: '',
  author: '',
  tag: '',
  projects: '',
  since: '',
  route: '',
  top: '',
};

test('a search is the same on the command line, whatever is in its words', () => {
  expect(commandFor({ ...nothing, query: 'boat' })).toBe('quarry search boat');
  expect(
    commandFor({
      ...nothing,
      query: "it's $(late); -x",
      type: 'code doc',
      in: 'my docs',
      since: '7d',
      top: '50',
    }),
  ).toBe("quarry search 'it'\\''s $(late); -x' --type code --type doc --in 'my docs' --since 7d -k 50");
  expect(commandFor({ ...nothing, query: 'x', author: 'Ada Weber', tag: 'boat', projects: '*' })).toBe(
    "quarry search x --author 'Ada Weber' --tag boat --all",
  );
  expect(commandFor({ ...nothing, query: 'x', projects: 'api,web' })).toBe(
    'quarry search x --projects api,web',
  );
  expect(commandFor({ ...nothing, query: '-v', route: 'exact', path: 'a/** !*.ts' })).toBe(
    "quarry search '-v' --path 'a/**' --path '!*.ts' --route exact",
  );
});

test('what a terminal would obey is not in a command that is copied', () => {
  expect(commandFor({ ...nothing, query: 'x', tag: 'boat\u0003', author: 'Ada\nls' })).toBe(
    "quarry search x --author 'Ada ls' --tag 'boat '",
  );
});
