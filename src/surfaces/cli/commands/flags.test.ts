import { expect, test } from 'vitest';
import { loadOperations } from '../../../operations/catalogue.ts';
import { serveCommand } from '../../http/serve.ts';
import type { CommandShape } from './command-shape.ts';
import { shapeOf } from './flags.ts';
import { parseWords } from './parse-words.ts';

const operations = await loadOperations();
const shapes = operations.map(shapeOf);
const shapeNamed = (name: string) => shapes.find((shape) => shape.name === name) as CommandShape;
const search = shapeNamed('search');

test.each(['eval', 'help', 'cache stats', '--help', '--json', '-h', '--'])(
  'a query is searched, whatever it looks like: %s',
  (query) => {
    const { input, common } = parseWords(search, ['--', ...query.split(' ')]);
    expect(input.query).toBe(query);
    expect(common).toMatchObject({ help: false, json: false });
  },
);

test('-k is the short form of --top-k', () => {
  for (const words of [
    ['x', '-k', '7'],
    ['-k7', 'x'],
    ['x', '--top-k=7'],
  ])
    expect(parseWords(search, words).input).toMatchObject({
      query: 'x',
      top_k: 7,
    });
});

test.each([
  ['search', ['x', '--tpo-k', '3'], 'Did you mean: quarry search --top-k'],
  ['search', ['x', '--jsn'], 'Did you mean: quarry search --json'],
  ['search', ['x', '--no-udpate'], 'Did you mean: quarry search --update'],
  ['cache stats', ['--clear'], 'Run: quarry cache stats --help'],
  ['manifest', ['--chunsk'], 'Did you mean: quarry status --files --chunks'],
  ['search', ['x', '--frobnicate'], 'Run: quarry search --help'],
  ['search', ['x', '-q'], 'Run: quarry search --help'],
])('%s %j is no command line: %s', (name, words, remedy) => {
  expect(() => parseWords(shapeNamed(name), words)).toThrow(
    expect.objectContaining({ code: 'usage-invalid', remedy }),
  );
});

test('a file of projects is no list of names', () => {
  const serve = parseWords(shapeOf({ ...serveCommand, name: 'serve', summary: '' }), [
    '--projects',
    'team.yaml',
  ]);
  expect(serve).toMatchObject({ input: { projects: 'team.yaml' }, common: { projects: [] } });
  expect(parseWords(search, ['x', '--projects', 'api,web']).common.projects).toEqual(['api', 'web']);
});

test('several texts in quotation marks are several questions, and words without are one', () => {
  const inputOf = (...words: string[]) => parseWords(search, words).input;
  expect(inputOf('how is it opened?', 'and how closed?')).toEqual({
    query: 'how is it opened?',
    also: ['and how closed?'],
  });
  expect(inputOf('who', 'throws', 'no such table')).toEqual({ query: 'who throws no such table' });
  expect(inputOf('one two', 'three four', '--also', 'five').also).toEqual(['three four', 'five']);
});

test('as JSON a search has every text, unless a line for each hit is asked for', () => {
  expect(parseWords(search, ['x', '--json']).input).toEqual({ query: 'x', full: true });
  expect(parseWords(search, ['x', '--json', '--no-full']).input).toEqual({ query: 'x', full: false });
});
