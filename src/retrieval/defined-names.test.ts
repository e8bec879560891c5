import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { openMemoryStore } from '../drivers/stores/memory/store.ts';
import { putDocument } from '../index/write.ts';
import { processEnvironment } from '../platform/environment.ts';
import { openProject } from '../project/open-project.ts';
import { severalProjects } from '../several/several-projects.ts';
import { chunkEntries, documentRecord } from '../testing/documents.ts';
import { declaresNamed, isNamed } from './definitions.ts';
import { findDefined } from './gather/find-definitions.ts';
import { analyseQuery } from './query/analyse-query.ts';

const fields = (name: string) =>
  ['Offered', 'HTML', 'XML', 'YAML', 'TOML', 'Plain', 'Binary', 'Other']
    .map((one) => `\t${one}${name} map[string]interface{} // what is sent as ${one}`)
    .join('\n');
const body = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']
  .map((one) => `\t${one}, found := lookUp(${one}Key, "the ${one} of them"); if !found { return nil }`)
  .join('\n');

const files = {
  'context.go': `package web

// Context is one request.
type Context struct {
${fields('Context')}
}

// Negotiate has all that is negotiated about.
type Negotiate struct {
${fields('Negotiate')}
}

func (c *Context) Negotiate(code int, config Negotiate) any {
${body}
\treturn c.send(code, config)
}
`,
  'errors.go': `package web

func (msg *Error) JSON() any {
${body}
\treturn msg
}

// MarshalJSON writes the JSON of one Error, with the Error in its JSON.
func (a errorMsgs) JSON() any {
${body}
\treturn a.JSON().JSON()
}
`,
  'store.ts': '// The store of store.ts: what ts of the store is kept in store.ts.\nexport const kept = 1;\n',
  'limits.ts': 'export const RETRY_LIMIT = 3;\n',
  'names.ts': 'export function retry_limit(): string {\n  return "limit";\n}\n',
  'calls.ts': ['send', 'store', 'fetch', 'close']
    .map(
      (one) =>
        `/** To ${one} again, up to RETRY_LIMIT. */\nexport function ${one}Again() {\n  // RETRY_LIMIT of ${one}\n  return again(${one}, RETRY_LIMIT);\n}\n`,
    )
    .join('\n'),
  'again.ts':
    'export const again = (task: () => void, count: number) => { for (let at = 0; at < count; at += 1) task(); };\n',
  'other.ts': 'export class store {\n  ts() {\n    return 1;\n  }\n}\n',
};

let project: Project;
beforeAll(async () => {
  const settings = { 'embedder.driver': 'hashing' };
  project = await openProject(await temporaryFolder(files), { settings });
  for await (const event of project.index()) if (event.type === 'document-failed') throw event;
  return () => project.close();
});
const first = async (query: string) => (await project.search(query)).hits[0];
const isLifted = async (query: string) => {
  const { hits } = await project.search(query);
  expect(hits.length).toBeGreaterThan(0);
  return hits.some(({ trace }) => trace.some(({ note }) => note === 'has the full name that is asked for'));
};

test.each([
  ['Context.Negotiate', 'Context > Negotiate'],
  ['Context::Negotiate', 'Context > Negotiate'],
  ['Context#Negotiate', 'Context > Negotiate'],
  ['Context.Negotiate()', 'Context > Negotiate'],
  ['Error.JSON', 'Error > JSON'],
  ['errorMsgs.JSON', 'errorMsgs > JSON'],
])('what has the name and the owner that are asked for is shown first: %s', async (query, section) => {
  expect((await first(query))?.chunk.section).toBe(section);
});

test('a name whose owner nothing has moves nothing, nor does a sentence that has one, nor the name of a file', async () => {
  for (const query of ['Engine.Negotiate', 'what does Context.Negotiate send?', 'store.ts', 'store'])
    expect(await isLifted(query), query).toBe(false);
  expect(await isLifted('Context.Negotiate')).toBe(true);
  expect((await first('store#ts'))?.document.uri).toBe('other.ts');
});

test('a definition comes before a file full of its uses, and before what is called so in other letters', async () => {
  for (const query of ['RETRY_LIMIT', 'where is RETRY_LIMIT defined?', 'what does RETRY_LIMIT do?']) {
    const found = await first(query);
    expect(found?.document.uri, query).toBe('limits.ts');
    expect(found?.relevance, query).toBeGreaterThanOrEqual(0.7);
  }
  expect((await first('retry_limit'))?.document.uri).toBe('names.ts');
  expect((await first('where is again declared'))?.document.uri).toBe('again.ts');
});

test('it stays first where a reranker has its say, and where several projects are searched', async () => {
  const mentions = Object.fromEntries(
    ['one', 'two', 'three'].map((name) => [
      `${name}.md`,
      `# Context.Negotiate\n\nContext.Negotiate of ${name}: what Context.Negotiate does.\n`,
    ]),
  );
  const settings = { 'reranker.driver': 'maxsim', 'reranker.budget_ms': 10_000 };
  const open = async (given: Record<string, string>) => {
    const opened = await openProject(await temporaryFolder(given), { settings });
    for await (const event of opened.index()) if (event.type === 'document-failed') throw event;
    return opened;
  };
  const members = [await open({ ...files, ...mentions }), await open(mentions)];
  try {
    const [own] = members;
    const { hits = [] } = (await own?.search('Context.Negotiate')) ?? {};
    expect(hits.some(({ trace }) => trace.some(({ stage }) => stage === 'rerank'))).toBe(true);
    expect(hits[0]?.chunk.section).toBe('Context > Negotiate');
    const joined = severalProjects(
      members.map((each, at) => ({ name: `${at}`, folder: each.folder, use: (work) => work(each) })),
      { environment: processEnvironment, patience: 60_000 },
    );
    const all = await joined.search('Context.Negotiate');
    expect(all.hits[0]?.chunk.section).toBe('Context > Negotiate');
  } finally {
    for (const each of members) await each.close();
  }
});

test('the declaration is looked up where none was found, within the filter', async () => {
  const store = openMemoryStore();
  const document = documentRecord('context.go', { type: 'code' });
  const symbol = { name: 'Next', kind: 'method', signature: 'func (c *Context) Next()', scope: ['Context'] };
  const chunks = chunkEntries(document, ['func (c *Context) Next() {'], { symbol });
  await putDocument(store, { document, chunks });
  const find = (name: string, filter = {}) => findDefined(store, name, [], filter);
  const found = await find('Context.Next');
  expect(found.map(({ chunk }) => chunk.symbol?.name)).toEqual(['Next']);
  expect(await find('Engine.Next')).toEqual([]);
  expect(await find('Context.Next', { paths: ['docs/**'] })).toEqual([]);
  expect(await findDefined(store, 'Context.Next', found)).toEqual([]);
});

describe('the declaration of a name', () => {
  const [{ chunk: plain } = { chunk: undefined }] = chunkEntries(documentRecord('a'), ['']);
  const declares = (
    qualified: string,
    scope: readonly string[],
    [name = '', ...further]: readonly string[],
    more: { readonly text?: string; readonly kind?: string; readonly part?: string } = {},
  ) => {
    if (!plain) throw new Error('no chunk');
    const { text = '', kind = 'method', part } = more;
    const symbol = { name, kind, signature: `def ${name}`, scope };
    const metadata = { symbols: [name, ...further], ...(part && { part }) };
    return declaresNamed(qualified, { ...plain, text, symbol, metadata });
  };

  test('is of that owner, however much of it is written', () => {
    expect(declares('Ecto.Changeset.cast', ['Ecto.Changeset'], ['cast'])).toBe(true);
    expect(declares('Changeset.cast', ['Ecto.Changeset'], ['cast'])).toBe(true);
    expect(declares('Type.cast', ['Ecto.Changeset'], ['cast'])).toBe(false);
    expect(declares('Set.cast', ['ChangeSet'], ['cast'])).toBe(false);
    expect(declares('Ecto.Changeset', [], ['Ecto.Changeset'])).toBe(true);
  });

  test('is read by the same names, with or without brackets', () => {
    const symbol = { name: 'cast', kind: 'function', signature: 'def cast', scope: ['Ecto.Changeset'] };
    for (const name of ['cast', 'cast()', 'Changeset.cast()', 'Ecto.Changeset.cast'])
      expect(isNamed(symbol, name), name).toBe(true);
    for (const name of ['Changeset', 'Type.cast', 'cast.Changeset'])
      expect(isNamed(symbol, name), name).toBe(false);
  });

  test('is the part that declares it', () => {
    expect(declares('Store.put', ['Store'], ['put'], { text: 'def put', part: '1/2' })).toBe(true);
    expect(declares('Store.put', ['Store'], ['put'], { text: 'return', part: '2/2' })).toBe(false);
  });

  test('is not an example in a comment', () => {
    const part = { text: '# def put\n#   1\n# end', part: '1/3' };
    expect(declares('put', ['Store'], ['put'], part)).toBe(false);
    expect(declares('put', ['Store'], ['put'], { ...part, text: `${part.text}\ndef put` })).toBe(true);
  });

  test('is not what extends it', () => {
    for (const kind of ['impl', 'extension']) expect(declares('Store', [], ['Store'], { kind })).toBe(false);
    expect(declares('Store', [], ['Store'], { kind: 'class' })).toBe(true);
    const text = 'protocol Readable {}\n\nextension Store: Readable {}';
    const shares = (whole: string) =>
      declares('Store', [], ['Readable', 'Store'], { kind: 'protocol', text: whole });
    expect([shares(text), shares(`${text}\n\nstruct Store {}`)]).toEqual([false, true]);
  });

  test('may share its chunk with others', () => {
    expect(declares('get', ['Store'], ['put', 'get'], { text: 'return', part: '2/3' })).toBe(true);
    expect(declares('GET', ['Store'], ['put', 'get'])).toBe(false);
    expect(declares('Json::new', [], ['Json', 'new'], { kind: 'impl' })).toBe(true);
    expect(declares('Store.get', ['Store'], ['put', 'get'])).toBe(true);
    expect(declares('Error.Is', [], ['list', 'Is'], { text: 'func (e *Error) Is() {}' })).toBe(true);
    const methods =
      'func (c *Context) First() {}\n\nfunc (e *Error) Is() {}\n\nfunc (s *Set[Key]) Add() {}\n\nfunc Sort() {}';
    const inContext = (name: string) =>
      declares(name, ['Context'], ['First', 'Is', 'Add', 'Sort'], { text: methods });
    expect(['Error.Is', 'Set.Add'].filter(inContext)).toEqual(['Error.Is', 'Set.Add']);
    expect(['Context.Is', 'Context.Add', 'Context.Sort', 'Error.Sort'].filter(inContext)).toEqual([]);
    expect(declares('json.Marshal', ['api'], ['list', 'Marshal'], { text: 'return json.Marshal(v)' })).toBe(
      false,
    );
  });
});

test.each([
  ['Store.put', 'Store.put'],
  [' Store::put() ', 'Store::put()'],
  ['Model#valid?', 'Model#valid?'],
  ['put', ''],
  ['putDocument', 'putDocument'],
  ['Store', 'Store'],
  ['where is put defined', 'put'],
  ['Store.put fails', ''],
  ['v1.2', ''],
  ['src/store.ts', ''],
  ['.gitignore', ''],
  ['store.ts:42', ''],
])('a name of code is told from what only looks like one: %s', (query, defined) => {
  expect(analyseQuery(query).defined).toBe(defined);
});
