import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { draws } from '../../test/property-draws.ts';
import { scipDocument } from '../../test/scip-bytes.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { type FileGraph, referenceKinds } from '../core/code-graph.ts';
import { mistypedNames } from './answers/find-definitions.ts';
import { createReferences } from './answers/references.ts';
import { type CodeGraph, createCodeGraph } from './code-graph.ts';
import { packCompiled } from './compiled/pack-compiled.ts';
import { packDetail, unpackDetail } from './file/definition-detail.ts';
import { packSites, unpackSites } from './file/sites.ts';
import type { GraphView } from './resolve/view.ts';

const key = new Uint8Array(32).fill(7);
const opened: CodeGraph[] = [];
afterEach(() => {
  for (const graph of opened.splice(0)) graph.close();
});

function openAt(stateFolder: string, options: { key?: Uint8Array; recipe?: string } = {}): CodeGraph {
  const graph = createCodeGraph({ stateFolder, key, recipe: '1', ...options });
  opened.push(graph);
  return graph;
}

const fileAt = (folder: string) => join(folder, 'graph', 'graph.sqlite');

/** Letters to change, add or leave out, by the rule as it is defined. */
function lettersBetween(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const [first, second] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return lettersBetween(first, second);
  return (
    1 + Math.min(lettersBetween(first, second), lettersBetween(one, second), lettersBetween(first, other))
  );
}

/** A file that defines one function and calls another. */
const graphOf = (name: string, called: string): FileGraph => ({
  language: 'typescript',
  definitions: [
    {
      name,
      kind: 'function',
      scope: [],
      line: 1,
      column: 10,
      firstLine: 1,
      lastLine: 3,
      signature: `function ${name}()`,
    },
  ],
  references: [{ name: called, kind: 'call', line: 2, column: 3, within: 0 }],
  imports: [],
});

/** The names that a graph knows of these files. */
function namesIn(graph: CodeGraph, ...uris: string[]): string[] {
  const view = graph.view(graph.lag(uris.map((uri) => ({ uri, hash: 'h' }))));
  return view
    .definedNames()
    .map(({ name }) => name)
    .sort();
}

const code = [{ uri: 'a.ts', hash: 'h' }];

describe('a graph', () => {
  test('keeps what it has read for the next answer, until anybody writes', async () => {
    const folder = await temporaryFolder({});
    const graph = openAt(folder);
    graph.note('a.ts', 'h', graphOf('moor', 'x'));
    graph.flush();
    const first = graph.view(graph.lag(code));
    expect(first.definitionsOf('moor')).toHaveLength(1);
    expect(graph.view(graph.lag(code))).toBe(first);
    const other = openAt(folder);
    other.note('a.ts', 'h', graphOf('steer', 'x'));
    other.flush();
    const next = graph.view(graph.lag(code));
    expect([next.definitionsOf('moor').length, next.definitionsOf('steer').length]).toEqual([0, 1]);
  });

  test('looks for an import among the files of its folder, not among all that are called index', async () => {
    const graph = openAt(await temporaryFolder({}));
    const importing = { from: '@app/harbour', name: 'moor', local: 'moor' };
    graph.note('packages/harbour/index.ts', 'h', graphOf('moor', 'x'));
    graph.note('ship.ts', 'h', { ...graphOf('sail', 'moor'), imports: [importing] });
    const files = ['packages/harbour/index.ts', 'ship.ts'].map((uri) => ({ uri, hash: 'h' }));
    graph.flush();
    const view = graph.view(graph.lag(files));
    const stems: string[] = [];
    const watched: GraphView = {
      ...view,
      documentsOfStem(stem) {
        stems.push(stem);
        return view.documentsOfStem(stem);
      },
    };
    const found = createReferences(watched).of(view.definitionsOf('moor'));
    expect(found).toMatchObject([{ uri: 'ship.ts', line: 2, certainty: 'certain' }]);
    expect(stems).not.toContain('index');
  });

  test('finds the names that one may be a slip of by their letters, among names of nearly its length alone', async () => {
    const graph = openAt(await temporaryFolder({}));
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 4, maxLength: 10 });
    const names = [...new Set(fc.sample(word, { numRuns: 60, seed: 7 }))];
    graph.note('a.ts', 'h', {
      ...graphOf('x', 'x'),
      definitions: names.flatMap((name) => graphOf(name, 'x').definitions),
    });
    graph.flush();
    const view = graph.view(graph.lag([{ uri: 'a.ts', hash: 'h' }]));
    const read: string[] = [];
    const watched: GraphView = {
      ...view,
      definedNames(lengths) {
        const found = view.definedNames(lengths);
        read.push(...found.map(({ name }) => name));
        return found;
      },
    };
    for (const written of fc.sample(word, { numRuns: 40, seed: 8 })) {
      read.length = 0;
      const max = Math.max(1, Math.floor(written.length / 3));
      const distances = names.map((name) => lettersBetween(written, name)).sort((one, other) => one - other);
      const near = mistypedNames(watched, written).map((name) => lettersBetween(written, name));
      expect(near).toEqual(distances.filter((distance) => distance <= max).slice(0, 5));
      expect(read.every(({ length }) => Math.abs(length - written.length) <= max)).toBe(true);
    }
  });

  test('counts what it keeps of a compiler by its mentions, and lets go of them within one answer too', async () => {
    const defined = { line: 1, column: 1, symbol: 's x#' };
    const mentions = Array.from({ length: 3_000 }, (_, at) => ({ ...defined, line: at + 1 }));
    const files = Array.from({ length: 10 }, (_, at) => scipDocument(`${at}.ts`, mentions));
    const bytes = Buffer.concat([scipDocument('a.ts', [{ ...defined, isDefinition: true }]), ...files]);
    const index = await packCompiled((at, length) => bytes.subarray(at, at + length), bytes.length);
    if (!index) throw new Error('no index');
    const graph = openAt(await temporaryFolder({}));
    graph.takeCompiled({ stamp: 's' }, index);
    const view = graph.view(graph.lag([]), 's');
    const sizes = files.map((_, at) => {
      expect(view.compiledAt(`${at}.ts`, 3_000, 1)).toEqual([{ uri: 'a.ts', line: 1 }]);
      return view.size();
    });
    expect(sizes[0]).toBeGreaterThan(3_000);
    expect(sizes[1]).toBeGreaterThan(6_000);
    expect(Math.max(...sizes)).toBeLessThan(11_000);
  });

  test('says which files it lacks, which have changed and which are gone, and shows nothing of these', async () => {
    const graph = openAt(await temporaryFolder({}));
    for (const uri of ['a.ts', 'b.ts', 'c.ts']) graph.note(uri, 'h', graphOf(uri.slice(0, 1), 'x'));
    graph.flush();
    const lag = graph.lag([
      { uri: 'a.ts', hash: 'h' },
      { uri: 'b.ts', hash: 'other' },
      { uri: 'd.ts', hash: 'h' },
    ]);
    expect(lag.current).toBe(1);
    expect(lag.missing.map(({ uri }) => uri)).toEqual(['b.ts', 'd.ts']);
    const view = graph.view(lag);
    expect([view.documentAt('a.ts')?.uri, view.documentAt('b.ts'), view.documentAt('c.ts')]).toEqual([
      'a.ts',
      undefined,
      undefined,
    ]);
    expect(view.mentionsOf('x').length).toBe(1);
    graph.forget(lag.stale);
    expect(graph.lag(code).stale).toEqual([]);
  });

  test('keeps what it was given beyond its closing, and once for each file', async () => {
    const folder = await temporaryFolder({});
    const first = openAt(folder);
    first.note('a.ts', 'g', graphOf('old', 'x'));
    first.note('a.ts', 'h', graphOf('fresh', 'x'));
    first.flush();
    first.close();
    expect(namesIn(openAt(folder), 'a.ts')).toEqual(['fresh']);
  });

  test('is read again where more is read from a file by now', async () => {
    const folder = await temporaryFolder({});
    const first = openAt(folder);
    first.note('a.ts', 'h', graphOf('a', 'x'));
    first.flush();
    expect(first.lag(code).missing).toEqual([]);
    expect(openAt(folder, { recipe: '2' }).lag(code).missing).toEqual(code);
  });

  test('is written by two processes at once without losing anything', async () => {
    const folder = await temporaryFolder({});
    const [one, other] = [openAt(folder), openAt(folder)];
    for (let at = 0; at < 20; at += 1) {
      one.note(`one-${at}.ts`, 'h', graphOf(`one${at}`, 'x'));
      other.note(`other-${at}.ts`, 'h', graphOf(`other${at}`, 'x'));
      one.flush();
      other.flush();
    }
    expect(one.lag([]).stale.length).toBe(40);
  });
});

describe('a file under the name of the graph', () => {
  const filled = async () => {
    const folder = await temporaryFolder({});
    const graph = openAt(folder);
    graph.note('a.ts', 'h', graphOf('a', 'x'));
    graph.flush();
    graph.close();
    return folder;
  };

  test('that another user made, or that somebody copied here, is rebuilt', async () => {
    const folder = await filled();
    expect(openAt(folder, { key: new Uint8Array(32).fill(8) }).lag(code).missing).toEqual(code);
  });

  test.each([
    ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON names BEGIN DELETE FROM names; END'],
    ['a view', 'CREATE VIEW v AS SELECT 1'],
    ['another table', 'CREATE TABLE extra (value)'],
  ])('with %s in it is rebuilt', async (_, statement) => {
    const folder = await filled();
    const database = new DatabaseSync(fileAt(folder));
    database.exec(statement);
    database.close();
    const graph = openAt(folder);
    expect(graph.lag(code).missing).toEqual(code);
    graph.note('a.ts', 'h', graphOf('a', 'x'));
    graph.flush();
    expect(namesIn(graph, 'a.ts')).toEqual(['a']);
  });

  test('that is damaged is rebuilt', async () => {
    const folder = await filled();
    const bytes = readFileSync(fileAt(folder));
    bytes.fill(0x5a, 100, 4096);
    writeFileSync(fileAt(folder), bytes);
    expect(openAt(folder).lag(code).missing).toEqual(code);
  });

  test('that is no database, or has a rollback journal beside it, is rebuilt', async () => {
    const folder = await filled();
    for (const ending of ['-wal', '-shm']) rmSync(`${fileAt(folder)}${ending}`, { force: true });
    writeFileSync(fileAt(folder), 'not a database, but long enough to be looked at as one'.repeat(100));
    expect(openAt(folder).lag(code).missing).toEqual(code);
    const other = await filled();
    writeFileSync(`${fileAt(other)}-journal`, 'hot');
    expect(openAt(other).lag(code).missing).toEqual(code);
    expect(existsSync(`${fileAt(other)}-journal`)).toBe(false);
  });

  test('that is a link is refused, and what it leads to is left alone', async () => {
    const folder = await temporaryFolder({ 'mine.txt': 'mine' });
    mkdirSync(join(folder, 'graph'), { mode: 0o700 });
    symlinkSync(join(folder, 'mine.txt'), fileAt(folder));
    expect(() => openAt(folder).lag(code)).toThrow(expect.objectContaining({ code: 'path-unsafe' }));
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine');
  });

  test('that is taken away while it is open is rebuilt', async () => {
    const folder = await temporaryFolder({});
    const graph = openAt(folder);
    graph.note('a.ts', 'h', graphOf('a', 'x'));
    graph.flush();
    rmSync(join(folder, 'graph'), { recursive: true });
    expect(graph.lag(code).missing).toEqual(code);
  });
});

test('packed sites are what they were, in the order of lines; other bytes are no endless work', () => {
  const site = fc.record({
    kind: fc.constantFrom(...referenceKinds),
    line: fc.integer({ min: 1, max: 100_000 }),
    column: fc.integer({ min: 1, max: 5_000 }),
    within: fc.integer({ min: -1, max: 20_000 }),
    chain: fc.integer({ min: -1, max: 20_000 }),
  });
  fc.assert(
    fc.property(fc.array(site), (sites) => {
      const sorted = [...sites].sort((one, other) => one.line - other.line || one.column - other.column);
      expect(unpackSites(packSites(sites))).toEqual(sorted);
    }),
    { numRuns: draws(100) },
  );
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => unpackSites(bytes).length <= bytes.length),
    { numRuns: draws(100) },
  );
});

test('a definition is kept with all that is known of it, whatever its texts hold', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 });
  const size = fc.nat(2_000_000);
  const detail = fc.record(
    {
      kind: fc.oneof(fc.constantFrom('function', 'class', 'module'), text),
      scope: fc.array(text, { maxLength: 3 }),
      within: size,
      line: size,
      column: size,
      firstLine: size,
      lastLine: size,
      signature: text,
      exported: fc.boolean(),
      type: text,
      parents: fc.array(text, { maxLength: 3 }),
    },
    { requiredKeys: ['kind', 'scope', 'line', 'column', 'firstLine', 'lastLine', 'signature'] },
  );
  fc.assert(
    fc.property(detail, (given) => {
      expect(unpackDetail(packDetail({ name: 'x', ...given }))).toEqual(given);
    }),
    { numRuns: draws(200) },
  );
});
