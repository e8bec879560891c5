import type { SourceFile } from '../contracts/source.ts';
import { isVirtual } from '../core/document.ts';
import { interrupted } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { documentsAtOnce } from '../index/commit.ts';
import { createAside, withAside } from '../platform/aside.ts';
import { Gathering } from '../platform/gathering.ts';
import { mapConcurrently, type Outcome } from '../platform/map-concurrently.ts';
import { mapInOrder } from '../platform/map-in-order.ts';
import { commitAdded } from './commit-added.ts';
import { notesTogether } from './file-notes.ts';
import { commitFile, noteUnopened, type PreparedFile, prepareFile } from './ingest.ts';
import { gonePaths, keepVectors } from './moved-files.ts';
import type { Plan, Remembered } from './plan.ts';
import type { Reading } from './read-document.ts';
import { ReadingOrder } from './reading-order.ts';
import { isStale } from './recipe.ts';
import { addCounts, countsOf, noCounts, type RunCounts } from './run-counts.ts';
import type { IndexingParts, TextOptions } from './run-options.ts';

/** Bytes of files whose chunks may be on their way into the store at once; a larger file is alone. */
const bytesOfPuts = 8_000_000;

/**
 * Chunks that are handed to the store at once, and how long the first of them wait for that: a commit costs more than the
 * chunks of a file, and a text index that grew in small steps is slower to search.
 */
const committedTogether = { max: 80, milliseconds: 40 };

/** Reads and cuts several files at a time, and commits each as it is done; several at a time where the store likes that. */
export async function* ingestFiles(
  parts: IndexingParts,
  plan: Plan,
  { manifest, stored }: Remembered,
  options: TextOptions,
): AsyncGenerator<IndexEvent, RunCounts> {
  const { signal, full } = options;
  const { store, reading } = parts;
  const aside = createAside<IndexEvent>();
  const moved = gonePaths(plan, manifest);
  const before = (uri: string) => {
    const entry = manifest.get(uri);
    if (!entry || (entry.status === 'indexed' && !stored.has(uri))) return undefined;
    // What is cut as previous settings said is cut again with its vectors, later.
    return full && !(entry.status === 'indexed' && isStale(entry.recipe, reading.recipe)) ? undefined : entry;
  };
  // For an answer that does not wait for the rest, the graph does not either: it reads what it lacks when it is asked.
  const withoutGraph = !parts.graph || options.chosen !== undefined;
  const prepare = (file: SourceFile) =>
    prepareFile(
      { ...parts, choice: choiceOf(options, reading), withoutGraph, onPage: aside.add, signal },
      file,
      before(file.uri),
    );
  const weighing = { max: reading.bytesAtOnce, weightOf: ({ size }: SourceFile) => size };
  const { order = new ReadingOrder() } = options;
  const prepared = mapConcurrently(
    order.of(slowLast(plan.toRead, reading)),
    reading.concurrency,
    prepare,
    weighing,
  );
  const putsAtOnce = documentsAtOnce(store);
  const together = new Gathering(committedTogether);
  const note = notesTogether(store, signal);
  let begun = 0;
  let ended = 0;
  const commit = async (outcome: Outcome<SourceFile, PreparedFile>): Promise<IndexEvent[]> => {
    const events = await commitOne(outcome);
    order.done(outcome.item.uri);
    return events;
  };
  const commitOne = async (outcome: Outcome<SourceFile, PreparedFile>): Promise<IndexEvent[]> => {
    begun += 1;
    const chunks = chunksOf(outcome);
    const turn = chunks > 0 ? together.join(chunks) : undefined;
    // Nobody else can come: the store has as many as it takes, or this is the last one.
    if (begun - ended >= putsAtOnce || begun === plan.toRead.length) together.goOn();
    await turn;
    if (signal?.aborted) throw interrupted(signal.reason);
    if (!('value' in outcome)) return noteUnopened(store, outcome.item, outcome.error, note);
    const { value: file } = outcome;
    const events = await (isVirtual(file.entry.uri)
      ? commitAdded(parts, file)
      : commitFile(store, file, {}, note));
    await keepVectors(store, file, moved);
    if (events.length > 0) noteGraph(parts, file);
    return events;
  };
  const committing = { max: bytesOfPuts, weightOf: ({ item }: { readonly item: SourceFile }) => item.size };
  let counts = noCounts;
  for await (const events of withAside(mapInOrder(prepared, putsAtOnce, commit, committing), aside)) {
    if (!Array.isArray(events)) {
      yield events;
      continue;
    }
    ended += 1;
    counts = addCounts(counts, countsOf(events));
    yield* events;
  }
  parts.graph?.flush();
  return counts;
}

/** The files with those last that take long: what is quickly read can be found meanwhile. */
function slowLast(files: readonly SourceFile[], { takesLong }: Reading): readonly SourceFile[] {
  if (!takesLong) return files;
  const { quick = [], slow = [] } = Object.groupBy(files, ({ uri }) => (takesLong(uri) ? 'slow' : 'quick'));
  return slow.length === 0 ? files : [...quick, ...slow];
}

function noteGraph({ graph: sink }: IndexingParts, { entry, content }: PreparedFile): void {
  if (content.kind === 'document' && content.graph) sink?.note(entry.uri, entry.contentHash, content.graph);
}

/** Chunks that a file gives to the store. */
function chunksOf(outcome: Outcome<SourceFile, PreparedFile>): number {
  const content = 'value' in outcome ? outcome.value.content : undefined;
  return content?.kind === 'document' ? content.chunks.length : 0;
}

/** How a run judges what was left out or failed before. */
export function choiceOf({ passOverRefused, leaveStale }: TextOptions, reading: Reading) {
  return { passOverCutShort: passOverRefused, leaveStale, readsPictures: reading.readsPictures?.() };
}
