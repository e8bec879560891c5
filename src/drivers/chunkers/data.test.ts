import { describe, expect, test } from 'vitest';
import { createDataChunker } from './data.ts';
import { jsonDamage } from './data-json.ts';
import { cutUp, documentAt, expectFaithful, sizeLimits, textFrom } from './sections.fixture.ts';

const chunker = createDataChunker();
const words = (word: string, count: number) => `${word} `.repeat(count).trim();

describe('JSON', () => {
  test('cuts by top-level key, joins small keys and follows large values to their children', async () => {
    const value = {
      name: 'quarry',
      version: 1,
      goals: words('find', 12),
      agents: { lead: words('plan', 12), scout: [words('look', 12), words('seek', 12)] },
    };
    const text = JSON.stringify(value, null, 2);
    const chunks = await cutUp(chunker, documentAt('state.json', text), sizeLimits(7, 20, 24));
    expect(chunks.map(([section]) => section)).toEqual([
      'name, version',
      'goals',
      'agents > lead',
      'agents > scout > 0',
      'agents > scout > 1',
    ]);
    expect(chunks[0]?.[1]).toBe('{\n  "name": "quarry",\n  "version": 1,');
  });

  test('names a run of array items by its first and last place', async () => {
    const text = JSON.stringify(Array.from({ length: 40 }, (_, index) => index));
    const chunks = await cutUp(chunker, documentAt('a.json', text), sizeLimits(5, 10, 20));
    expect(chunks[0]?.[0]).toBe('0-9');
    expect(chunks.at(-1)?.[0]).toMatch(/-39$/);
  });

  test('understands comments, bare keys and trailing commas', async () => {
    const text = `{ // one } brace\n  first: '${words('a"a', 12)}',\n  /* two ] */ "second": [${words('1,', 30)}],\n}`;
    const { drafts, degraded } = await chunker.chunk(documentAt('a.json5', text), sizeLimits(4, 12, 40));
    expect(drafts.map((draft) => draft.section)).toEqual(['first', 'second']);
    expect(degraded).toBeUndefined();
  });

  test.each([
    ['{"a": [1, 2}', 'unexpected } in line 1'],
    ['{"a": 1', '1 brackets without end'],
    ['{\n"a: 1\n}', 'string without end in line 2'],
    ['{"a": 1}\n{"b": 2}', 'text after the end in line 2'],
  ])('cuts %j by lines and says why', async (text, reason) => {
    const { drafts, degraded } = await chunker.chunk(documentAt('a.json', text), sizeLimits(1, 20, 40));
    expect(degraded).toBe(`broken JSON (${reason}): cut by lines`);
    expect(drafts).toHaveLength(1);
  });

  test('survives a hundred thousand levels and a flat list of as many', async () => {
    const deep = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`;
    expect(jsonDamage(deep)).toBeUndefined();
    const { drafts } = await chunker.chunk(documentAt('a.json', deep), sizeLimits(50, 300, 800));
    expect(drafts.length).toBeGreaterThan(100);
    const flat = `[${'0,'.repeat(100_000)}0]`;
    expect(
      (await chunker.chunk(documentAt('a.json', flat), sizeLimits(50, 300, 800))).drafts.length,
    ).toBeGreaterThan(9);
  });
});

test('cuts JSON lines by record and a large record by its keys', async () => {
  const text = `{"n": 1}\n\n{"n": 2}\n{"first": "${words('x', 60)}", "second": "${words('y', 60)}"}\n`;
  const chunks = await cutUp(chunker, documentAt('a.jsonl', text), sizeLimits(4, 10, 20));
  expect(chunks.map(([section]) => section)).toEqual(['1-3', '4 > first', '4 > second']);
});

describe('YAML', () => {
  test('cuts by top-level key, with comments before it, and by the keys and items below', async () => {
    const text = [
      'name: quarry',
      '# who works',
      'agents:',
      `  lead: ${words('plan', 12)}`,
      `  "the scout": ${words('look', 12)}`,
      'tasks:',
      `- title: ${words('dig', 20)}`,
      '  done: false',
      `- title: ${words('lay', 20)}`,
      'note: |',
      '  not: a key',
    ].join('\n');
    const chunks = await cutUp(chunker, documentAt('a.yaml', text), sizeLimits(4, 20, 24));
    expect(chunks.map(([section]) => section)).toEqual([
      'name',
      'agents > lead',
      'agents > the scout',
      'tasks > 0',
      'tasks > 1',
      'note',
    ]);
    expect(chunks[1]?.[1]).toBe(`# who works\nagents:\n  lead: ${words('plan', 12)}`);
  });

  test('tells documents apart', async () => {
    const text = `---\nkind: ${words('a', 20)}\n---\nkind: ${words('b', 20)}\n`;
    const chunks = await cutUp(chunker, documentAt('a.yml', text), sizeLimits(4, 5, 24));
    expect(chunks.map(([section]) => section)).toEqual(['document 1 > kind', 'document 2 > kind']);
  });
});

test('cuts TOML by table, and a large table by key, past brackets in multi-line strings', async () => {
  const text = [
    '# settings',
    'title = "x"',
    '[server.http]',
    `host = "${words('h', 30)}"`,
    `text = """\n[not.a.table]\n${words('t', 30)}"""`,
    '[[plugins]]',
    'name = "one two three four"',
  ].join('\n');
  const chunks = await cutUp(chunker, documentAt('a.toml', text), sizeLimits(3, 8, 17));
  expect(chunks.map(([section]) => section)).toEqual([
    '',
    'server > http > host',
    'server > http > text',
    'plugins',
  ]);
});

const vocabulary: Record<string, string[]> = {
  'a.json': ['{', '}', '[', ']', '"key": "value",', '"n": 12.5,', '// note', '"open', 'null,', "'x': 1,"],
  'a.jsonl': ['{"a": 1}', '{"b": [1, 2, {"c": "d"}]}', '', '{"broken'],
  'a.yaml': [
    'key: value',
    '  inner: x',
    '- item',
    '  - deep',
    '# note',
    '---',
    'text: |',
    '"quoted key": 1',
    '...',
  ],
  'a.toml': ['[table]', '[[many]]', 'key = "v"', '"""', "'''", '# note', 'list = [', ']'],
};

test.each(Object.keys(vocabulary))(
  'holds any text at %s whole, in order and within the maximum',
  async (uri) => {
    await expectFaithful(chunker, uri, textFrom(vocabulary[uri] ?? []));
  },
);
