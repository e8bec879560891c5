import { expect, test } from 'vitest';
import type { StoreMatch } from '../../contracts/store.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import type { Candidate } from '../candidate.ts';
import { withSupport } from './support.ts';

function candidate(uri: string, score: number, text: string, name = '', type = 'code'): Candidate {
  const document = { ...documentRecord(uri), type };
  const symbol = { name, kind: 'function', signature: `function ${name}()`, scope: [] };
  const [entry] = chunkEntries(document, [uri], { text, ...(name && { symbol }) });
  return { match: { document, chunk: entry?.chunk as StoreMatch['chunk'], score }, score, trace: [] };
}

const order = (...candidates: Candidate[]) => withSupport(candidates).map(({ match }) => match.document.uri);

const router = candidate('router.ts', 0.9, 'export class Router {}', 'matchRoute');
const client = candidate('client.ts', 1, 'new Client(); matchRoute(path);');
const server = candidate('server.ts', 0.98, 'const found = matchRoute(request.url);');

test('a file whose definition the others use comes before them', () => {
  expect(order(client, server, router)).toEqual(['router.ts', 'client.ts', 'server.ts']);
  const alone = candidate('router.ts', 0.9, 'export class Router {}', 'otherName');
  expect(order(client, server, alone)).toEqual(['client.ts', 'server.ts', 'router.ts']);
});

test('the lift says why, and only the best candidate of a file gets it', () => {
  const further = candidate('router.ts', 0.3, 'function parts() {}', 'partsOf');
  const lifted = withSupport([client, server, router, further]).filter(
    ({ match }) => match.document.uri === 'router.ts',
  );
  expect(lifted.map(({ trace }) => trace.map(({ note }) => note))).toEqual([
    ['other files that fit use what its file defines'],
    [],
  ]);
});

test('a file that uses everything says less than one that uses a single thing', () => {
  const others = ['firstName', 'secondName', 'thirdName'].map((name) =>
    candidate(`${name}.ts`, 0.5, `function ${name}() {}`, name),
  );
  const scoreOf = (user: string) =>
    withSupport([candidate('user.ts', 1, user), router, ...others]).find(
      ({ match }) => match.document.uri === 'router.ts',
    )?.score ?? 0;
  expect(scoreOf('matchRoute();')).toBeGreaterThan(scoreOf('matchRoute(firstName, secondName, thirdName);'));
  expect(scoreOf('matchRoute(firstName, secondName, thirdName);')).toBeGreaterThan(0.9);
});

test('nothing moves by plain words, by names that several files define, or by what a file uses of itself', () => {
  const plain = candidate('match.ts', 0.9, 'function match() {}', 'match');
  expect(order(candidate('a.ts', 1, 'match(this, match);'), plain)).toEqual(['a.ts', 'match.ts']);
  const second = candidate('second.ts', 0.8, 'function matchRoute() {}', 'matchRoute');
  expect(order(client, server, router, second)).toEqual(['client.ts', 'server.ts', 'router.ts', 'second.ts']);
  const recursive = candidate('own.ts', 0.95, 'matchRoute(matchRoute());', 'matchRoute');
  expect(order(candidate('a.ts', 1, 'nothing of it'), recursive)).toEqual(['a.ts', 'own.ts']);
});

test('a document defines nothing, but what it mentions counts', () => {
  const guide = candidate('guide.md', 1, 'Call `matchRoute` with a path.', '', 'doc');
  expect(order(guide, router)).toEqual(['guide.md', 'router.ts']);
  const close = candidate('router.ts', 0.95, 'export class Router {}', 'matchRoute');
  expect(order(guide, close)).toEqual(['router.ts', 'guide.md']);
  const described = candidate('guide.md', 0.95, 'How routes match.', 'matchRoute', 'doc');
  expect(order(client, described)).toEqual(['client.ts', 'guide.md']);
});
