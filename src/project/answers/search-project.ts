import type { SearchOptions, SearchOutcome } from '../../calls/project.ts';
import type { IndexState, Store } from '../../contracts/store.ts';
import type { Digest } from '../../core/digest.ts';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import { keepsNothing } from '../../core/failures/keeps-nothing.ts';
import { notIndexed } from '../../core/failures/not-indexed.ts';
import type { Hit } from '../../core/hit.ts';
import type { Passage } from '../../core/passage.ts';
import { requireQuery, usesVectors } from '../../core/query.ts';
import { searchCandidates } from '../../core/search-options.ts';
import { camelCased } from '../../core/text/camel-case.ts';
import { noVectors, type ProjectEmbedders } from '../../opening/embedders/project-embedders.ts';
import type { Outside } from '../../opening/outside-searcher.ts';
import { RecentValues } from '../../platform/recent-values.ts';
import type { AskedOfHits } from '../../retrieval/digest/digest.ts';
import type { OpenReranker } from '../../retrieval/rerank/rerank.ts';
import type { SearchRequest } from '../../retrieval/search-request.ts';
import { isOnlyLookedAt } from '../../runs/update/first-run.ts';
import { rerankerInUse } from '../../settings/reranker-in-use.ts';
import type { Settings } from '../../settings/settings.ts';

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
    if (settings.store.driver === 'mock') return { hits: [], warnings: [keepsNothing()], pending: 0 };
    if (!openStore) return { hits: [], warnings: [notIndexed()], pending: 0 };
    const { search } = await import('../../retrieval/search.ts');
    const { asksForHistory, withoutCommits } = await import('../../retrieval/query/asks-for-history.ts');
    const store = await openStore();
    const state = await store.state();
    const { embedder: named, signal, isInReach } = options;
    const embedder = () => (named === undefined ? embedders.answering(state) : embedders.forQueries(named));
    if (named !== undefined) await requireVectors(state, embedders, named);
    const asked = requestOf(query, options, settings);
    const isOfNow = (await hasHistory()) && !asksForHistory(query, options.filter);
    const among = isOfNow ? await withoutCommits(store, state) : undefined;
    const request = among ? { ...asked, among } : asked;
    if (options.filter) {
      const { requireKnownKinds } = await import('../../retrieval/query/known-kinds.ts');
      await requireKnownKinds(store, state, options.filter, Object.keys(settings.types));
    }
    const wanted = await embedders.forQueries(named).catch(asQuarryError);
    const space = wanted instanceof QuarryError ? undefined : wanted.fingerprint;
    // A question about files that were just read for it, before any model was loaded, does not wait for one.
    const isByMeaning = usesVectors(request) && named === undefined;
    const isRough = isByMeaning && isOnlyLookedAt(state) && !(await embedders.isReady());
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
          isRough,
        }),
        ...(request.rerank && !(isRough && request.rerank.isByItself) && { reranker }),
      },
      { ...request, ...(isInReach && { isInReach }), ...(signal && { signal }) },
    );
    const theirs = await beside;
    const outsideHits = theirs && (await import('../../retrieval/outside-hits.ts'));
    const joined = (hits: readonly Hit[]) =>
      theirs && outsideHits
        ? outsideHits.withOutsideHits({ ...ours, hits }, theirs, request)
        : { ...ours, hits };
    const result = joined(ours.hits);
    const texts = joined(chunks).hits;
    const passages = window && (await passagesOf(store, texts, window));
    const digest = wantedDigest && (await digestFor(store, query, result, wantedDigest));
    const { searchWarnings } = await import('../../retrieval/search-warnings.ts');
    const { pending, warnings } = await searchWarnings(store, state, {
      request,
      result,
      wanted,
      embedder,
      loss: embedders.takeLoss,
      stale: await countStale(store, state),
      refused: async (fingerprint) =>
        (await import('../../indexing/refused-texts.ts'))
          .refusedChunks(store, (name) => name === fingerprint, state)
          .then(({ total }) => total),
    });
    const outcome = {
      ...result,
      ...(passages && { passages }),
      ...(digest && { digest }),
      pending,
      warnings,
    };
    // What was left out for a reason that may pass is asked for again.
    if (isComplete && isAlone && !isRough && warnings.length === 0)
      answers.set(key, structuredClone(outcome));
    return outcome;
  };
}

/** The hits within their surroundings. */
export async function passagesOf(
  store: Pick<Store, 'chunksIn'>,
  hits: readonly Hit[],
  window: NonNullable<SearchOptions['window']>,
): Promise<Passage[]> {
  const { widen, windowDefaults } = await import('../../retrieval/windows/widen.ts');
  const { promptTokens } = await import('../../models/tokenizers/bundled.ts');
  return widen(store, hits, {
    neighbours: window.neighbours ?? windowDefaults.neighbours,
    totalTokens: window.totalTokens ?? windowDefaults.totalTokens,
    passageTokens: window.passageTokens ?? windowDefaults.passageTokens,
    countTokens: promptTokens,
  });
}

/** What is shown of the hits. */
export async function digestFor(
  store: AskedOfHits,
  query: string,
  { hits, analysis }: Pick<SearchOutcome, 'hits' | 'analysis'>,
  asked: NonNullable<SearchOptions['digest']>,
): Promise<Digest> {
  const { digestOf } = await import('../../retrieval/digest/digest.ts');
  const isLiteral = analysis?.occurrences !== undefined;
  return digestOf(store, hits, { ...asked, query, isLiteral });
}

/** The query with what the caller chose, and the settings for the rest. */
function requestOf(
  query: string,
  {
    embedder: _,
    update: __,
    window: ___,
    digest: ____,
    signal: _____,
    isInReach: ______,
    ...chosen
  }: SearchOptions,
  settings: Settings,
): SearchRequest {
  const inUse = rerankerInUse(settings);
  const isByItself = settings.reranker.driver === 'auto';
  return {
    query,
    candidates: searchCandidates,
    ...camelCased(settings.search),
    ...camelCased(chosen),
    // Where words alone answer nobody waits for the model, unless a reranker was named.
    ...(inUse && {
      rerank: { ...inUse, onlyWithVectors: isByItself, isByItself },
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
