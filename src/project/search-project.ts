import type { Embedder } from '../contracts/embedder.ts';
import type { IndexState, Store } from '../contracts/store.ts';
import { embeddedText } from '../core/chunk.ts';
import type { Digest } from '../core/digest.ts';
import { asQuarryError, leavesText, QuarryError } from '../core/errors.ts';
import type { Filter } from '../core/filter.ts';
import type { Hit } from '../core/hit.ts';
import { embeddingKey } from '../core/identity.ts';
import type { Passage } from '../core/passage.ts';
import { requireQuery, usesVectors } from '../core/query.ts';
import { searchCandidates } from '../core/search-options.ts';
import { camelCased } from '../core/text/camel-case.ts';
import { counted } from '../core/text/counted.ts';
import { documentTypes } from '../index/document-types.ts';
import { pendingIn } from '../index/state.ts';
import { RecentValues } from '../platform/recent-values.ts';
import type { AskedOfHits } from '../retrieval/digest/digest.ts';
import type { OpenReranker } from '../retrieval/rerank/rerank.ts';
import type { SearchRequest } from '../retrieval/search-request.ts';
import { rerankerInUse } from '../settings/reranker-in-use.ts';
import type { Settings } from '../settings/settings.ts';
import { noVectors, type ProjectEmbedders } from './embedders/project-embedders.ts';
import { requireKnownKinds } from './known-kinds.ts';
import { interleave, type Outside, type OutsideHits } from './outside-searcher.ts';
import type { SearchOptions, SearchOutcome } from './project.ts';

/** Answers a query from an opened index; without one there are no hits. */
export type SearchIn = (
  openStore: (() => Promise<Store>) | undefined,
  query: string,
  options?: SearchOptions,
) => Promise<SearchOutcome>;

/** Vectors of queries that are kept: as many as a long conversation asks. */
const keptVectors = 256;
/** Answers that are kept until the index changes. */
const keptAnswers = 64;

/**
 * Searches with the project's settings where the caller gave none. A query that was asked before is answered from
 * memory while the index is the same; its vector is remembered in any case.
 */
export function createSearch(
  embedders: ProjectEmbedders,
  reranker: OpenReranker,
  settings: Settings,
  /** Documents that are still cut as previous settings said. */
  countStale: (store: Store, state: IndexState) => Promise<number>,
  /** Another server that is asked too. */
  outside?: Outside,
  /** Whether the index may hold commits. */
  hasHistory: () => Promise<boolean> = async () => false,
): SearchIn {
  const vectors = new RecentValues<Float32Array>(keptVectors);
  // A new index counts its revisions from the start: those of a previous one cannot be compared with them.
  const answersOf = new WeakMap<Store, RecentValues<SearchOutcome>>();

  return async (openStore, query, options = {}) => {
    requireQuery(query);
    if (!openStore) return { hits: [], warnings: [notIndexed()], pending: 0 };
    const { search } = await import('../retrieval/search.ts');
    const { asksForHistory } = await import('../retrieval/query/asks-for-history.ts');
    const store = await openStore();
    const state = await store.state();
    const { embedder: named, signal } = options;
    const embedder = () => (named === undefined ? embedders.answering(state) : embedders.forQueries(named));
    if (named !== undefined) await requireVectors(state, embedders, named);
    const asked = requestOf(query, options, settings);
    const isOfNow = (await hasHistory()) && !asksForHistory(query, options.filter);
    const among = isOfNow ? await withoutCommits(store, state) : undefined;
    const request = among ? { ...asked, among } : asked;
    if (options.filter) await requireKnownKinds(store, state, options.filter, Object.keys(settings.types));
    const wanted = await embedders.forQueries(named).catch(asQuarryError);
    const space = wanted instanceof QuarryError ? undefined : wanted.fingerprint;
    const { window, digest: wantedDigest } = options;
    const key = JSON.stringify([state.revision, space, named, request, window, wantedDigest]);
    const answers = answersOf.get(store) ?? new RecentValues<SearchOutcome>(keptAnswers);
    answersOf.set(store, answers);
    // What another server says may change at any time; it cannot look at our filters and patterns either.
    const isAlone =
      !outside || options.filter !== undefined || ['exact', 'regex'].includes(options.route ?? '');
    const beside = isAlone ? undefined : outside.search(query, request.topK, signal);
    // Where our own search fails, nobody waits for the other one.
    beside?.catch(() => undefined);
    const known = isAlone ? answers.get(key) : undefined;
    // Everyone gets a copy: what one caller does with an answer must not show in the next.
    if (known) return structuredClone(known);
    const { isComplete, chunks, ...ours } = await search(
      {
        store,
        state,
        embedder,
        vectors,
        // A query that names its embedder is not answered by another one.
        ...(named === undefined && {
          fallback: embedders.fallback,
          chunkVectors: embedders.chunkVectors,
          roughVectors: embedders.roughVectors,
        }),
        ...(request.rerank && { reranker }),
      },
      { ...request, ...(signal && { signal }) },
    );
    const theirs = await beside;
    const result = theirs ? withOutsideHits(ours, theirs, request) : ours;
    const texts = theirs ? withOutsideHits({ ...ours, hits: chunks }, theirs, request).hits : chunks;
    const pending = space === undefined ? state.chunks : pendingIn(state, space);
    const stale = await countStale(store, state);
    const passages = window && (await passagesOf(store, texts, window));
    const digest = wantedDigest && (await digestFor(store, query, result, wantedDigest));
    const warnings = [...result.warnings];
    // Another embedder, whose vectors are there already, may have answered in its place.
    if (
      wanted instanceof QuarryError &&
      usesVectors(request) &&
      leavesText(wanted) &&
      !isSaid(warnings, wanted)
    )
      warnings.push(wanted);
    const loss = embedders.takeLoss();
    if (loss) warnings.push(loss);
    if (stale > 0) warnings.push(staleDocuments(stale));
    if (result.hits.length === 0 && isUnread(state)) warnings.push(notIndexed());
    const unmade = pending > 0 && usesVectors(request) ? await countUnmade(store, state, embedder) : 0;
    if (unmade > 0) warnings.push(pendingVectors(unmade, await isCompared(store, space, result.hits)));
    const outcome = {
      ...result,
      ...(passages && { passages }),
      ...(digest && { digest }),
      warnings,
      pending,
    };
    // What was left out for a reason that may pass is asked for again.
    if (isComplete && isAlone && warnings.length === 0) answers.set(key, structuredClone(outcome));
    return outcome;
  };
}

/** Everything but commits: what was once written must not stand before what is. Undefined where there are none. */
async function withoutCommits(store: Store, state: IndexState): Promise<Filter | undefined> {
  const types = await documentTypes(store, state);
  return types.has('commit') ? { types: [...types.keys()].filter((type) => type !== 'commit') } : undefined;
}

function withOutsideHits<Result extends Pick<SearchOutcome, 'hits' | 'warnings'>>(
  ours: Result,
  theirs: OutsideHits,
  { topK, threshold }: SearchRequest,
): Result {
  const relevant = theirs.hits.filter(({ relevance }) => relevance >= threshold);
  return {
    ...ours,
    hits: interleave(ours.hits, relevant, topK),
    warnings: [...ours.warnings, ...theirs.warnings],
  };
}

function isSaid(warnings: readonly QuarryError[], { message }: QuarryError): boolean {
  return warnings.some((warning) => warning.message === message);
}

function staleDocuments(count: number): QuarryError {
  return new QuarryError(
    'index-stale',
    `${counted(count, 'document')} still cut by previous settings.`,
    'Run: quarry index',
  );
}

/** The warning that nothing can be found yet. */
export function notIndexed(): QuarryError {
  return new QuarryError(
    'index-stale',
    'The files of this project are not indexed yet.',
    'Run: quarry index',
  );
}

/** Whether no run has read the files, and nothing was added either. */
function isUnread({ facts, isEmpty }: IndexState): boolean {
  return !facts.has('synced-at') && isEmpty;
}

function pendingVectors(count: number, isByMeaning: boolean): QuarryError {
  const [has, it, its] =
    count === 1 ? ['1 chunk has', 'it', 'its'] : [`${count} chunks have`, 'them', 'their'];
  return new QuarryError(
    'vectors-pending',
    isByMeaning
      ? `${has} no vector yet: found by ${its} words, and the best of these ordered by meaning.`
      : `${has} no vector yet: words alone find and order ${it}.`,
    'Run quarry index to make them now; an engine in the background makes them too.',
  );
}

/** Whether hits that have no vector in the index were compared with the query on the spot. */
async function isCompared(store: Store, space: string | undefined, hits: readonly Hit[]): Promise<boolean> {
  const compared = hits.filter(({ trace }) => trace.some(({ stage }) => stage === 'dense'));
  if (space === undefined || compared.length === 0) return false;
  const keys = compared.map(({ chunk }) => embeddingKey(embeddedText(chunk)));
  const stored = await store.keysWithVector(space, keys);
  return keys.some((key) => !stored.has(key));
}

/** Chunks without a vector of the embedder that answers, which a run could still make: what it refused is none of them. */
async function countUnmade(store: Store, state: IndexState, open: () => Promise<Embedder>): Promise<number> {
  const { refusedChunks } = await import('../indexing/refused-texts.ts');
  // The warning of the search says that there is none.
  const answering = await open().catch(() => undefined);
  if (!answering) return 0;
  const { fingerprint } = answering;
  const refused = await refusedChunks(store, (name) => name === fingerprint, state);
  return pendingIn(state, fingerprint) - refused.total;
}

/** The hits within their surroundings. */
export async function passagesOf(
  store: Pick<Store, 'chunksIn'>,
  hits: readonly Hit[],
  window: NonNullable<SearchOptions['window']>,
): Promise<Passage[]> {
  const { widen, windowDefaults } = await import('../retrieval/windows/widen.ts');
  const { bundledTokenizer } = await import('../models/tokenizers/bundled.ts');
  const tokenizer = await bundledTokenizer();
  return widen(store, hits, {
    neighbours: window.neighbours ?? windowDefaults.neighbours,
    totalTokens: window.totalTokens ?? windowDefaults.totalTokens,
    passageTokens: window.passageTokens ?? windowDefaults.passageTokens,
    countTokens: (text) => tokenizer.encode(text).length,
  });
}

/** What is shown of the hits. */
export async function digestFor(
  store: AskedOfHits,
  query: string,
  { hits, analysis }: Pick<SearchOutcome, 'hits' | 'analysis'>,
  asked: NonNullable<SearchOptions['digest']>,
): Promise<Digest> {
  const { digestOf } = await import('../retrieval/digest/digest.ts');
  const isLiteral = analysis?.occurrences !== undefined;
  return digestOf(store, hits, { ...asked, query, isLiteral });
}

/** The query with what the caller chose, and the settings for the rest. */
function requestOf(
  query: string,
  { embedder: _, update: __, window: ___, digest: ____, signal: _____, ...chosen }: SearchOptions,
  settings: Settings,
): SearchRequest {
  const inUse = rerankerInUse(settings);
  return {
    query,
    candidates: searchCandidates,
    ...camelCased(settings.search),
    ...camelCased(chosen),
    // Where words alone answer nobody waits for the model, unless a reranker was named.
    ...(inUse && {
      rerank: { ...inUse, onlyWithVectors: settings.reranker.driver === 'auto' },
    }),
  };
}

/** A query that names its embedder is meant that way: an answer without its vectors would mislead. */
async function requireVectors(
  { spaces, isEmpty }: IndexState,
  embedders: ProjectEmbedders,
  name: string,
): Promise<void> {
  const { fingerprint } = await embedders.forQueries(name);
  if (!spaces.has(fingerprint) && !isEmpty) throw noVectors(name);
}
