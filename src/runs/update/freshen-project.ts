import { setTimeout } from 'node:timers/promises';
import type {
  FreshenOptions,
  Freshness,
  Project,
  ProjectIndexOptions,
  SearchOutcome,
} from '../../calls/project.ts';
import type { IndexState, Store } from '../../contracts/store.ts';
import { type LeftOutForAge, leftOutForAge, tooOldDocuments } from '../../core/documents/age-rule.ts';
import { leavesText, QuarryError } from '../../core/errors.ts';
import type { IndexEvent } from '../../core/events.ts';
import { firstLookNote } from '../../core/first-look.ts';
import type { IndexSummary } from '../../core/index-summary.ts';
import { setFact } from '../../index/write.ts';
import { unlessAborted } from '../../platform/abort.ts';
import type { Closable } from '../../platform/close-all.ts';
import { resultOf } from '../../platform/streams.ts';
import type { LookFirst } from './first-look.ts';
import { lookEvery, patience, syncedFact } from './first-run.ts';
import type { UnchangedFiles } from './unchanged-files.ts';

/** A search reads files for so long before it answers from those it has read; more are read by the next one. */
const textSeconds = 60;

/** What a search says of the run before it, with its result. */
const reported: readonly IndexEvent['type'][] = ['vectors-failed', 'root-failed', 'index-set-aside'];

/** The fact that a search has used up its wait for vectors, and no run has made them to the end since. */
const waitedFact = 'waited-for-vectors';

/**
 * Brings the index up to date before an answer: the text within a minute, then vectors for `index.search_seconds`. The
 * rest stays pending, and later searches do not wait for vectors again until a run has made them all. While another
 * process is writing, or the files cannot be read, what is there answers. While a watch can tell that a scan would find
 * nothing, there is none. `requireMeant` rejects a folder that only a run of its own may index.
 */
export async function* freshenProject(
  project: Pick<Project, 'index' | 'status' | 'settings' | 'store'>,
  { update, vectors = true, question, signal: cancel }: FreshenOptions = {},
  files?: Pick<UnchangedFiles, 'look' | 'summaryAt' | 'scanned'>,
  lookFirst?: LookFirst,
  requireMeant: () => void = () => undefined,
): AsyncGenerator<IndexEvent, Freshness> {
  const { on_search: isWanted, search_seconds: seconds } = project.settings.index;
  const warnings: QuarryError[] = [];
  if (!project.settings.enabled || !(update ?? isWanted)) return { warnings };
  requireMeant();
  const started = performance.now();
  const firstLook = question && lookFirst && (yield* lookFirst({ ...question, signal: cancel }));
  if (firstLook) return { firstLook, warnings: [firstLookNote(firstLook, question.restLater === true)] };
  // What keeps from looking keeps the run from its work too, which reports it.
  const moment = await files?.look().catch(() => undefined);
  const known = moment && files?.summaryAt(moment);
  if (known && (!vectors || known.chunks.pending === 0)) {
    const seconds = { total: (performance.now() - started) / 1000, embedding: 0 };
    return { summary: { ...known, seconds }, warnings };
  }
  const text = new AbortController();
  const wait = new AbortController();
  const signal = cancel ? AbortSignal.any([cancel, text.signal]) : text.signal;
  let summary: IndexSummary | undefined;
  let isUsedUp = false;
  let isWhole = true;
  const tooOld: LeftOutForAge[] = [];
  let timer = globalThis.setTimeout(() => text.abort(), textSeconds * 1000);
  try {
    if (!vectors) wait.abort();
    // A query is no reason to ask a model again for what it has refused: that may cost money each time.
    const run = inTurn(project, { signal, giveWay: wait.signal, wait: false, passOverRefused: true });
    for await (const event of run) {
      // From here on the text is up to date.
      if (event.type === 'model-loading') {
        clearTimeout(timer);
        if (await hasWaited(project)) {
          wait.abort();
          continue;
        }
        timer = globalThis.setTimeout(() => {
          isUsedUp = true;
          wait.abort();
        }, seconds * 1000);
      }
      if (event.type === 'index-end') summary = event.summary;
      if (event.type === 'documents-stale') isWhole = false;
      const aged = leftOutForAge(event);
      if (aged) tooOld.push(aged);
      if ('error' in event && event.error && reported.includes(event.type)) warnings.push(event.error);
      else yield event;
    }
    if (moment && summary && isWhole && warnings.length === 0) await files?.scanned(moment, summary);
    if (isUsedUp) await setFact(await project.store(), waitedFact, 'yes');
  } catch (thrown) {
    if (!(thrown instanceof QuarryError)) throw thrown;
    const isOutOfPatience = thrown.code === 'interrupted' && cancel?.aborted !== true;
    if (isOutOfPatience) warnings.push(unreadFiles());
    else if (thrown.code === 'store-busy' || (leavesIndex(thrown) && (await hasIndex(project))))
      warnings.push(thrown);
    else throw thrown;
  } finally {
    clearTimeout(timer);
  }
  if (tooOld.length > 0) warnings.push(tooOldDocuments(tooOld));
  return { ...(summary && { summary }), warnings };
}

/**
 * A run that is tried again while another one holds an index that was never in sync: an engine that has just opened the
 * project has read the first files in a moment, and until then nothing could answer.
 */
async function* inTurn(
  project: Pick<Project, 'index' | 'store'>,
  options: ProjectIndexOptions,
): AsyncGenerator<IndexEvent> {
  const began = performance.now();
  let isWaiting = false;
  for (;;) {
    try {
      for await (const event of project.index(options)) {
        const isKnown = isWaiting && event.type === 'index-waiting';
        isWaiting ||= event.type === 'index-waiting';
        if (!isKnown) yield event;
      }
      return;
    } catch (thrown) {
      if (!(thrown instanceof QuarryError) || thrown.code !== 'store-busy') throw thrown;
      const { facts, isEmpty } = await (await project.store()).state();
      const max = isEmpty ? patience.max : patience.some;
      if (facts.has(syncedFact) || performance.now() - began > max) throw thrown;
      await setTimeout(lookEvery, undefined, { signal: options.signal });
    }
  }
}

/** An answer, and what bringing the index up to date before it came to. */
export interface Answered<Outcome> {
  readonly outcome: Outcome;
  readonly fresh: Freshness;
}

/**
 * Answers from an index when it is up to date. This is the one way to an answer: the calls of a project go it, and the
 * operations, by which every surface asks.
 */
export async function* answerFresh<Outcome, Event = never>(
  update: Freshness | Promise<Freshness> | AsyncGenerator<IndexEvent, Freshness>,
  answer: (fresh: Freshness) => Promise<Outcome> | AsyncGenerator<Event, Outcome>,
): AsyncGenerator<IndexEvent | Event, Answered<Outcome>> {
  const fresh = Symbol.asyncIterator in update ? yield* update : await update;
  const answered = answer(fresh);
  const outcome = Symbol.asyncIterator in answered ? yield* answered : await answered;
  return { outcome, fresh };
}

/** A freshening that several searches wait for. */
interface Shared {
  /** Whether it makes vectors too. */
  readonly vectors: boolean;
  /** The question that it may look for alone. */
  readonly about: string | undefined;
  readonly stop: AbortController;
  readonly result: Promise<Freshness>;
  waiting: number;
}

/** Brings the index up to date once for all searches that come meanwhile; it stops when none of them waits any more. */
export interface SharedFreshening extends Closable {
  join(options: Pick<FreshenOptions, 'vectors' | 'question' | 'signal'>): Promise<Freshness>;
}

/** Nothing is begun yet. */
export function shareFreshening(freshen: Project['freshen']): SharedFreshening {
  let current: Shared | undefined;
  const start = (wanted: Pick<FreshenOptions, 'vectors' | 'question'>, about?: string): Shared => {
    const stop = new AbortController();
    const result = resultOf(freshen({ ...wanted, update: true, signal: stop.signal }));
    const shared = { vectors: wanted.vectors === true, about, stop, result, waiting: 0 };
    const end = () => leave(shared);
    result.then(end, end);
    return shared;
  };
  const leave = (shared: Shared): void => {
    if (current === shared) current = undefined;
  };
  const waitFor = async (shared: Shared, signal: AbortSignal | undefined): Promise<Freshness> => {
    shared.waiting += 1;
    try {
      return await unlessAborted(() => shared.result, signal);
    } finally {
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        leave(shared);
        shared.stop.abort();
      }
    }
  };
  return {
    async join({ vectors = true, question, signal }) {
      const about = question && JSON.stringify(question);
      // One for words alone makes no vectors, and one for another question may read other files: another one follows it.
      while (current && ((vectors && !current.vectors) || (current.about ?? about) !== about)) {
        await waitFor(current, signal).catch((thrown) => {
          // Where it fails, the next one says why.
          if (signal?.aborted) throw thrown;
        });
      }
      current ??= start({ vectors, question }, about);
      return waitFor(current, signal);
    },
    async close() {
      current?.stop.abort();
      // It was stopped just now; who waited for it hears of it.
      await current?.result.catch(() => undefined);
    },
  };
}

/**
 * A result with what bringing the index up to date came to. One failure often stops both the vectors of chunks and that
 * of the query: it is reported once, and says enough about vectors that are missing.
 */
export function withFreshness<Outcome extends Pick<SearchOutcome, 'warnings' | 'indexed' | 'firstLook'>>(
  outcome: Outcome,
  { summary, firstLook, warnings }: Freshness,
): Outcome {
  const all = new Map([...warnings, ...outcome.warnings].map((warning) => [warning.message, warning]));
  const isExplained = firstLook !== undefined || [...all.values()].some(leavesText);
  return {
    ...outcome,
    warnings: [...all.values()].filter(({ code }) => code !== 'vectors-pending' || !isExplained),
    ...(summary && { indexed: summary }),
    ...(firstLook && { firstLook }),
  };
}

/** Remembers at the end of a run that the next search may wait for vectors again, if it made all that it could. */
export async function noteVectorsMade(
  store: Store,
  { facts }: IndexState,
  { chunks }: IndexSummary,
  hasGivenWay: boolean,
): Promise<void> {
  if (hasGivenWay && chunks.pending > 0) return;
  if (facts.has(waitedFact)) await setFact(store, waitedFact, undefined);
}

/** Whether a search has used up its wait before, and vectors are still missing. */
async function hasWaited(project: Pick<Project, 'store'>): Promise<boolean> {
  return (await (await project.store()).state()).facts.has(waitedFact);
}

function unreadFiles(): QuarryError {
  return new QuarryError(
    'index-stale',
    `Not all files are read yet: a search waits ${textSeconds} seconds for them.`,
    'Run: quarry index',
  );
}

/** Whether what was indexed still answers: the store cannot be written, or a root cannot be read. */
function leavesIndex({ code }: QuarryError): boolean {
  // One that somebody else changed is built again.
  if (code === 'store-foreign') return false;
  return code.startsWith('store-') || ['lock-lost', 'project-not-found', 'file-unreadable'].includes(code);
}

/** Whether there is an index to answer from, whatever keeps it from being brought up to date. */
async function hasIndex(project: Pick<Project, 'status'>): Promise<boolean> {
  return project.status({ compare: false }).then(
    ({ empty }) => !empty,
    // The search that follows says what is wrong with it.
    () => false,
  );
}
