import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openProject } from '../project/open-project.ts';
import { focusOf } from './focus.ts';
import { analyseQuery } from './query/analyse-query.ts';

const steps = (count: number, from = 0) =>
  Array.from({ length: count }, (_, step) => `  connect(part${from + step});`);
const server = [
  'export function startServer(options) {',
  ...steps(20),
  '  // Nobody asked for a while.',
  '  const idleTimer = setInterval(() => {',
  '    if (Date.now() - lastRequest > options.ttl) shutDown();',
  '  }, 60_000);',
  ...steps(20, 20),
  '}',
];

const chunkOf = (lines: readonly string[], first = 1) => ({
  text: lines.join('\n'),
  header: 'src > server > export function startServer(options)',
  place: { kind: 'lines' as const, first, last: first + lines.length - 1 },
});
const focus = (query: string, lines: readonly string[] = server, first = 101) =>
  focusOf(chunkOf(lines, first), analyseQuery(query));

test('the lines that a question is about are found inside a long definition, with the body that they open', () => {
  expect(focus('when does startServer shut down for idle timeouts')).toEqual([123, 124]);
  expect(focus('idleTimer')).toEqual([123, 124]);
});

test('a word that stands in one line counts more than one that stands everywhere', () => {
  expect(focus('connect and the last request')).toEqual([124, 124]);
});

test('lines are counted in the file, lie inside of the chunk, and a comment brings what it is about', () => {
  const [first = 0, last = 0] = focus('nobody asked', server, 1) ?? [];
  expect(server.slice(first - 1, last)[0]).toContain('Nobody asked');
  expect(server.slice(first - 1, last).join('\n')).toContain('setInterval');
  for (const query of ['}', 'part39', 'startServer', 'options connect part0 part39']) {
    const [from, to] = focus(query, server, 7) ?? [7, 7];
    expect(from).toBeGreaterThanOrEqual(7);
    expect(to).toBeLessThanOrEqual(7 + server.length - 1);
    expect(from).toBeLessThanOrEqual(to);
  }
});

test('a short chunk, one without the words and one that has no lines have none', () => {
  expect(focus('part3', server.slice(0, 8))).toBeUndefined();
  expect(focus('sausages')).toBeUndefined();
  const place = { kind: 'pages' as const, first: 1, last: 90 };
  expect(focusOf({ ...chunkOf(server), place }, analyseQuery('idle timer'))).toBeUndefined();
});

test('a literal text is shown where it stands, over as many lines as it has', () => {
  const at = (literal: string) => focusOf(chunkOf(server), analyseQuery('x'), literal);
  expect(at('lastRequest > options')).toEqual([24, 24]);
  expect(at('60_000);\n  connect(part20);')).toEqual([25, 26]);
  expect(at('not there')).toBeUndefined();
});

test('very long lines and queries end', () => {
  const lines = Array.from({ length: 3000 }, (_, line) => `word${line} `.repeat(30));
  const query = Array.from({ length: 400 }, (_, word) => `word${word * 7}`).join(' ');
  expect(focus(query, lines)).toBeDefined();
});

test('a search shows them for its hits', async () => {
  const project = await openProject(await temporaryFolder({ 'server.ts': server.join('\n') }), {
    settings: { 'embedder.driver': 'hashing' },
  });
  for await (const event of project.index()) if (event.type === 'document-failed') throw event;
  const [hit] = (await project.search('idle timer')).hits;
  expect(hit?.chunk.place).toMatchObject({ first: 1, last: server.length });
  expect(hit?.focus).toEqual([23, 24]);
  const [found] = (await project.search('lastRequest >', { route: 'exact' })).hits;
  expect(found?.focus).toEqual([24, 24]);
  await project.close();
});
