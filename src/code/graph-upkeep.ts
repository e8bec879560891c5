import type { Source } from '../contracts/source.ts';
import type { Store } from '../contracts/store.ts';
import type { FileGraph } from '../core/code-graph.ts';
import { asQuarryError, interrupted } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { sha256 } from '../core/identity.ts';
import { languageOf } from '../drivers/chunkers/code/languages.ts';
import type { CodeGraph, GraphLag, IndexedCode } from '../graph/code-graph.ts';
import { type Holdings, holdingsOf } from '../index/holdings.ts';
import type { Reading } from '../indexing/read-document.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';

/** What the graph is filled from. */
export interface FillParts {
  readonly store: Store;
  readonly source: Source;
  readonly reading: Reading;
  readonly graph: CodeGraph;
  readonly signal?: AbortSignal | undefined;
  /** Ends it early, without an error; what is left is read the next time. */
  readonly until?: number;
}

/** Files between two events. */
const filesPerEvent = 64;
const known = new WeakMap<Holdings, readonly IndexedCode[]>();

/** The files of code that an index holds; of one state of it always the same list. */
export async function codeIn(store: Store): Promise<readonly IndexedCode[]> {
  const holdings = await holdingsOf(store);
  const before = known.get(holdings);
  if (before) return before;
  const code = holdings.entries.flatMap(({ uri, status, contentHash }) =>
    status === 'indexed' && languageOf(uri) !== undefined ? [{ uri, hash: contentHash }] : [],
  );
  known.set(holdings, code);
  return code;
}

/** How far a graph is behind an index. */
export async function lagOf(store: Store, graph: CodeGraph): Promise<GraphLag> {
  return graph.lag(await codeIn(store));
}

/**
 * Reads what the graph lacks: of an index that was made before there was a graph, or whose last run was killed between the two
 * commits. What is kept of files that are gone goes. Nothing is cut or embedded again.
 */
export async function* fillGraph(parts: FillParts): AsyncGenerator<IndexEvent> {
  const { store, graph, reading, signal } = parts;
  const { missing, stale } = await lagOf(store, graph);
  graph.forget(stale);
  if (missing.length === 0) return;
  yield { type: 'code-read', done: 0, total: missing.length };
  const sizes = new Map((await holdingsOf(store)).entries.map(({ uri, size }) => [uri, size]));
  const weighing = { max: reading.bytesAtOnce, weightOf: ({ uri }: IndexedCode) => sizes.get(uri) ?? 0 };
  let done = 0;
  for await (const outcome of mapConcurrently(
    untilThen(missing, parts.until),
    reading.concurrency,
    (entry) => readOne(parts, entry),
    weighing,
  )) {
    if (signal?.aborted) throw interrupted(signal.reason);
    const { uri, hash } = outcome.item;
    const found = 'value' in outcome ? outcome.value : gapOf(uri, outcome.error);
    if (found) graph.note(uri, hash, found);
    done += 1;
    if (done % filesPerEvent === 0) yield { type: 'code-read', done, total: missing.length };
  }
  graph.flush();
}

function* untilThen(
  entries: readonly IndexedCode[],
  until = Number.POSITIVE_INFINITY,
): Generator<IndexedCode> {
  for (const entry of entries) {
    if (performance.now() > until) return;
    yield entry;
  }
}

/** Undefined for a file that is another one by now: the next run reads it. */
async function readOne(
  { source, reading }: FillParts,
  { uri, hash }: IndexedCode,
): Promise<FileGraph | undefined> {
  const bytes = await source.read(uri);
  if (sha256(bytes) !== hash) return undefined;
  const size = bytes.byteLength;
  const read = await reading.read({ file: { uri, size, modifiedAt: Date.now() }, bytes, revision: hash });
  if (read.kind === 'document' && read.graph) return read.graph;
  return emptyGraph(uri, 'It is not cut by its syntax.');
}

/** A file that cannot be read by syntax is not tried again; one that cannot be opened now is. */
function gapOf(uri: string, thrown: unknown): FileGraph | undefined {
  const error = asQuarryError(thrown);
  if (error.code === 'interrupted' || error.code === 'internal') throw error;
  return error.code === 'machine-failed' || error.code === 'file-unreadable'
    ? undefined
    : emptyGraph(uri, error.message);
}

function emptyGraph(uri: string, gap: string): FileGraph {
  return { language: languageOf(uri) ?? '', definitions: [], references: [], imports: [], gap };
}
