import type { Embedder } from '../contracts/embedder.ts';
import type { IndexState, Store } from '../contracts/store.ts';
import { embeddedText } from '../core/chunk.ts';
import { leavesText, QuarryError } from '../core/errors.ts';
import { notIndexed } from '../core/failures/not-indexed.ts';
import { pathMatcher } from '../core/globs/glob.ts';
import type { Hit } from '../core/hit.ts';
import { embeddingKey } from '../core/identity.ts';
import { usesVectors } from '../core/query.ts';
import { counted } from '../core/text/counted.ts';
import { holdingsOf } from '../index/holdings.ts';
import { kindsOf } from '../index/kinds.ts';
import { pendingIn } from '../index/state.ts';
import type { SearchRequest, SearchResult } from './search-request.ts';

/** What decides what a search says of its index. */
export interface SearchFacts {
  readonly request: SearchRequest;
  readonly result: Pick<SearchResult, 'hits' | 'warnings'>;
  /** The embedder that was wanted, or why it is not there. */
  readonly wanted: Embedder | QuarryError;
  /** The one that answers. */
  readonly embedder: () => Promise<Embedder>;
  /** What went wrong with vectors meanwhile, said once. */
  readonly loss: () => QuarryError | undefined;
  /** Documents that are still cut as previous settings said. */
  readonly stale: number;
  /** How many chunks an embedder refused. */
  readonly refused: (fingerprint: string) => Promise<number>;
}

/** The warnings of a search with those of its index: what is missing there, and could have been found. */
export async function searchWarnings(
  store: Store,
  state: IndexState,
  { request, result: { hits, warnings: said }, wanted, loss, stale, ...facts }: SearchFacts,
): Promise<{ readonly pending: number; readonly warnings: QuarryError[] }> {
  const space = wanted instanceof QuarryError ? undefined : wanted.fingerprint;
  const pending = space === undefined ? state.chunks : pendingIn(state, space);
  const warnings = [...said];
  const isWanted = usesVectors(request);
  // Another embedder, whose vectors are there already, may have answered in its place.
  if (wanted instanceof QuarryError && isWanted && leavesText(wanted) && !isSaid(warnings, wanted))
    warnings.push(wanted);
  const lost = loss();
  if (lost) warnings.push(lost);
  if (stale > 0) warnings.push(staleDocuments(stale));
  if (hits.length === 0 && isUnread(state)) warnings.push(notIndexed());
  else if (hits.length === 0 && (await isNowhere(store, state, request))) warnings.push(noSuchPlace());
  else if (hits.length === 0) warnings.push(...(await notReadYet(store, state, request)));
  const unmade = pending > 0 && isWanted ? await countUnmade(state, facts) : 0;
  if (unmade > 0) warnings.push(pendingVectors(unmade, await isCompared(store, space, hits)));
  return { pending, warnings };
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

/** Whether no run has read the files, and nothing was added either. */
function isUnread({ facts, isEmpty }: IndexState): boolean {
  return !facts.has('synced-at') && isEmpty;
}

/** Whether no document is where a filter has it searched. */
async function isNowhere(store: Store, state: IndexState, { filter }: SearchRequest): Promise<boolean> {
  if (!filter?.paths) return false;
  const admits = pathMatcher(filter.paths);
  return !(await holdingsOf(store, state)).paths.some(admits);
}

/** Types that nothing has before the user wants them read: what there is none of, and how to get it. */
const readOnDemand: Readonly<Record<string, readonly [missing: string, remedy: string]>> = {
  commit: ['No commit is indexed here.', 'To have git read them, run: quarry index --history'],
  conversation: [
    'No conversation is indexed here.',
    'To have the sessions of your agents read, run: quarry source add transcripts',
  ],
  image: [
    'No picture with text is indexed here.',
    'To have the text in pictures read, run: quarry model add pp-ocrv4, then quarry index',
  ],
};

/** For types that a filter wants, and that no document has since the user has not asked for them. */
async function notReadYet(
  store: Store,
  state: IndexState,
  { filter }: SearchRequest,
): Promise<QuarryError[]> {
  const wanted = Object.entries(readOnDemand).filter(([type]) => filter?.types?.includes(type));
  if (wanted.length === 0) return [];
  const { types } = await kindsOf(store, state);
  return wanted
    .filter(([type]) => !types.has(type))
    .map(([, [missing, remedy]]) => new QuarryError('document-not-found', missing, remedy));
}

function noSuchPlace(): QuarryError {
  return new QuarryError(
    'document-not-found',
    'No indexed file is within `in` and `path`.',
    'Name a folder or file from the top of the project, as a search shows it.',
  );
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
async function countUnmade(
  state: IndexState,
  { embedder, refused }: Pick<SearchFacts, 'embedder' | 'refused'>,
): Promise<number> {
  // The warning of the search says that there is none.
  const answering = await embedder().catch(() => undefined);
  return answering ? pendingIn(state, answering.fingerprint) - (await refused(answering.fingerprint)) : 0;
}
