import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentsFor, chooseTool } from './arguments.ts';
import { readAnswer } from './read-answer.ts';
import { splitCommand } from './split-command.ts';

const text = (value: unknown) => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

describe('the answer of another server', () => {
  test.each([
    [
      'a list as data',
      { structuredContent: { results: [{ path: 'a.md', text: 'one' }] } },
      [['a.md', 'one']],
    ],
    ['a list in a text', text([{ file: 'b.ts', snippet: 'two', line: 3 }]), [['b.ts', 'two']]],
    ['a list deep in a text', text({ data: { items: [{ title: 'T', body: 'three' }] } }), [['T', 'three']]],
    [
      'entities with observations',
      text({ entities: [{ name: 'Ada', observations: ['x', 'y'] }] }),
      [['Ada', 'x\ny']],
    ],
    [
      'a resource',
      { content: [{ type: 'resource', resource: { uri: 'f:///a', text: 'four' } }] },
      [['f:///a', 'four']],
    ],
    ['plain text', text('five'), [['answer', 'five']]],
    ['nothing', { content: [] }, []],
  ])('%s becomes matches', (_, answer, expected) => {
    expect(readAnswer(answer).map((match) => [match.name, match.text])).toEqual(expected);
  });

  test('is read as the settings say, where it is unusual', () => {
    const answer = text({ deep: { rows: [{ where: 'x.md', what: 'hello', text: 'not this' }] } });
    expect(readAnswer(answer, { list: 'deep.rows', path: 'where', text: 'what' })).toEqual([
      { name: 'x.md', text: 'hello' },
    ]);
  });

  test('has lines where it says so', () => {
    const [match] = readAnswer(text([{ path: 'a', text: 't', startLine: 3, endLine: 9 }]));
    expect(match?.lines).toEqual([3, 9]);
  });

  test('of any shape breaks nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const match of readAnswer({ structuredContent: value, ...text(value as never) }))
          expect(match.text.length).toBeLessThanOrEqual(4_001);
      }),
    );
  });
});

describe('a question to another server', () => {
  const schema = (properties: object, required: string[] = []) => ({
    name: 't',
    inputSchema: { properties, required },
  });
  test.each([
    [schema({ query: { type: 'string' }, limit: { type: 'integer' } }), { query: 'q', limit: 3 }],
    [schema({ pattern: { type: 'string' } }), { pattern: 'q' }],
    [schema({ needle: { type: 'string' } }, ['needle']), { needle: 'q' }],
    [schema({ depth: { type: 'integer' } }), undefined],
  ])('goes into the field that takes it', (tool, expected) => {
    expect(argumentsFor(tool, undefined, 'q', 3)).toEqual(expected);
  });

  test('fills a template', () => {
    const template = { searches: [{ type: 'lex', query: '{query}' }], limit: '{limit}', note: 'for {query}' };
    expect(argumentsFor({ name: 't' }, template, '$& {limit}', 4)).toEqual({
      searches: [{ type: 'lex', query: '$& 4' }],
      limit: 4,
      note: 'for $& 4',
    });
  });

  test('goes to the tool that is named, or whose name says so', () => {
    const tools = ['get', 'search_notes', 'put'].map((name) => ({ name }));
    expect(chooseTool(tools, undefined)?.name).toBe('search_notes');
    expect(chooseTool(tools, 'get')?.name).toBe('get');
    expect(chooseTool(tools, 'gone')).toBeUndefined();
    expect(chooseTool([{ name: 'a' }, { name: 'b' }], undefined)).toBeUndefined();
  });
});

test.each([
  ['npx server --root /a', ['npx', 'server', '--root', '/a']],
  [`node "my server.js" 'a b' c\\ d`, ['node', 'my server.js', 'a b', 'c d']],
  ['cmd $(rm -rf) ; ls', ['cmd', '$(rm', '-rf)', ';', 'ls']],
])('the command %j is split into words, and nothing is expanded', (command, words) => {
  expect(splitCommand(command)).toEqual(words);
});
