import type { Store } from '../../contracts/store.ts';
import type { Chunk } from '../../core/chunk.ts';
import type { Digest, DigestLead, DigestPlace } from '../../core/digest.ts';
import type { Hit } from '../../core/hit.ts';
import type { Place } from '../../core/place.ts';
import { relevanceWord } from '../../core/relevance.ts';
import { citationOf } from '../../core/text/citation.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { rangeAround } from '../windows/document-view.ts';
import type { LineRange } from '../windows/read-stretch.ts';
import { isVerbatim, readStretch } from '../windows/read-stretch.ts';
import { knownStretch, partOf } from '../windows/symbol-stretch.ts';
import { aboutOf, bestLine } from './about.ts';
import { excerptOf } from './excerpt.ts';
import { nearWords } from './near-words.ts';

/** The part of a store that is asked about hits; one that knows no words of its own has none to offer. */
export type AskedOfHits = Pick<Store, 'chunksIn'> & Partial<Pick<Store, 'searchText' | 'state'>>;

/** What is shown of hits, and to whom. */
export interface DigestRequest {
  readonly query: string;
  /** Whether the hits are those of a literal text or an expression: then they are listed as they stand. */
  readonly isLiteral: boolean;
  /** No text but a line for each hit. */
  readonly isBrief?: boolean | undefined;
  /** Identities of chunks that need not be shown whole: the caller was shown them before. */
  readonly known?: readonly string[] | undefined;
  /** Identities of chunks that stand in the same answer: they need not be shown at all. */
  readonly here?: readonly string[] | undefined;
  /** Characters of all texts, where several questions share an answer. */
  readonly room?: number | undefined;
}

/** Lines of a first hit that is strong. */
const leadLines = 60;
/** Lines of one that is possible. */
const openLines = 24;
/** Lines of each further hit of the first ones: which of them answers, or answers the rest, a line about each does not say. */
const sampleLines = 12;
/**
 * Texts of which lines are shown, the first hit included. The best further place of the first document is the second of them:
 * it holds an answer more often than the third hit does (docs/decisions/0041-output.md).
 */
const sampled = 4;
/** Characters of all texts: a first hit may take two thirds, since sixty lines that are dense would be twice as long. */
const defaultRoom = 6000;
/** Places that are proposed to be read whole. */
const maxNext = 3;
/** A definition that was cut into so many parts is read for the question: whole, it is three times as long and says no more of the answer. */
const longParts = 3;
/** A longer line is data; its beginning is enough. */
const maxColumns = 200;
/** A weak hit with less than this share of the first one's relevance is left out. */
const farBelow = 1 / 3;

/**
 * What is shown of hits, best first, to people and agents: the text of the first one where it leads, a line for each other
 * one, and words of the project where nothing is more than weak.
 */
export async function digestOf(
  store: AskedOfHits,
  hits: readonly Hit[],
  request: DigestRequest,
): Promise<Digest> {
  const [first] = hits;
  const verdict = first ? verdictOf(first, request) : 'none';
  const isKnown = first !== undefined && wasShown(first, request);
  const hasText = (verdict === 'clear' || verdict === 'open') && !request.isBrief && !isKnown;
  const lead = first && hasText ? await leadOf(store, first, verdict === 'clear', request) : undefined;
  const near = verdict === 'clear' || verdict === 'open' || verdict === 'listed' ? [] : hits;
  const isFar = (hit: Hit): boolean =>
    first !== undefined &&
    relevanceWord(first.relevance) !== 'weak' &&
    relevanceWord(hit.relevance) === 'weak' &&
    hit.relevance < farBelow * first.relevance;
  const others = lead ? hits.slice(1) : hits;
  const shown = others.filter((hit) => !isFar(hit));
  const beside = first && isSampled(first, verdict, request) ? besideOf(first, lead, request) : undefined;
  const maxHits = beside ? sampled - 1 : sampled;
  const samples = new Map(
    shown
      .filter((hit) => hits.indexOf(hit) < maxHits && isSampled(hit, verdict, request))
      .map((hit) => [hit, sampleOf(hit, request, lead !== undefined)]),
  );
  const { words, missing } =
    (verdict === 'weak' || verdict === 'none') && knowsWords(store)
      ? await nearWords(store, request.query, near)
      : { words: [], missing: [] };
  const next = [
    ...(first && lead && !lead.is_whole ? [first] : []),
    ...[...samples].flatMap(([hit, { isWhole }]) => (isWhole ? [] : [hit])),
  ].slice(0, maxNext);
  return {
    verdict,
    ...(lead && { lead: withBeside(lead, beside) }),
    places: shown.map((hit) => {
      const pieces = samples.get(hit)?.pieces;
      const place = { ...placeOf(hit, request), ...(pieces && { pieces }) };
      return hit === first ? withBeside(place, beside) : place;
    }),
    weaker: others.filter(isFar).map(({ chunk, document }) => citationOf(document.uri, chunk.place)),
    next: next.map(wholeOf),
    is_long: next.some(({ chunk }) => (partOf(chunk)?.total ?? 1) >= longParts),
    words: [...words],
    missing: [...missing],
  };
}

function wasShown({ chunk }: Hit, { known = [], here = [] }: DigestRequest): boolean {
  return known.includes(chunk.id) || here.includes(chunk.id);
}

/**
 * Whether some lines of a hit are shown: of those that may hold the answer or the rest of it. Of weak ones only where a question has the
 * room for itself: of many such questions it would be noise.
 */
function isSampled(
  { relevance, chunk }: Hit,
  verdict: Digest['verdict'],
  { isBrief, here, room = defaultRoom }: DigestRequest,
): boolean {
  if (isBrief || here?.includes(chunk.id) || verdict === 'listed' || verdict === 'none') return false;
  return relevanceWord(relevance) !== 'weak' || (verdict !== 'clear' && room >= defaultRoom);
}

/** Some lines of a hit, which share what the first one leaves. */
function sampleOf(hit: Hit, { query, room = defaultRoom }: DigestRequest, hasLead: boolean) {
  const max = room / (hasLead ? 3 * (sampled - 1) : sampled);
  const { pieces, isWhole } = textOf([hit.chunk], hit, query, { lines: sampleLines, head: 1, room: max });
  return { pieces, isWhole: isWhole && !partOf(hit.chunk) };
}

/** Lines of the best further place of the first document that are not shown with the first one. */
function besideOf(
  { more = [] }: Hit,
  lead: DigestLead | undefined,
  request: DigestRequest,
): DigestPlace['beside'] {
  const isNew = (each: Hit): boolean => !lead?.chunks.includes(each.chunk.id) && !wasShown(each, request);
  // What a file takes from others says nothing of what it does.
  const hit = more.find((each) => isNew(each) && (each.document.type !== 'code' || each.chunk.symbol));
  if (!hit) return undefined;
  const { citation, name } = headOf(hit);
  return { citation, name, pieces: sampleOf(hit, request, lead !== undefined).pieces };
}

/** A place with the lines of the one beside it, which is then no further one. */
function withBeside<Place extends DigestLead | DigestPlace>(
  place: Place,
  beside: DigestPlace['beside'],
): Place {
  if (!beside) return place;
  return { ...place, further: place.further.filter((citation) => citation !== beside.citation), beside };
}

/** A hit as `read` takes it to show all that is defined there. */
function wholeOf({ chunk, document: { uri } }: Hit): string {
  const name = nameOf(chunk);
  return chunk.symbol && /^[\w$.]+$/.test(name) ? `${uri}#${name}` : citationOf(uri, chunk.place);
}

function knowsWords(store: AskedOfHits): store is Pick<Store, 'chunksIn' | 'searchText' | 'state'> {
  return store.searchText !== undefined && store.state !== undefined;
}

function verdictOf({ relevance }: Hit, { isLiteral }: DigestRequest): Digest['verdict'] {
  if (isLiteral) return 'listed';
  return ({ strong: 'clear', possible: 'open', weak: 'weak' } as const)[relevanceWord(relevance)];
}

/** What is said of a hit on one line, but for what it is about. */
function headOf({ chunk, document, relevance, more = [] }: Hit): Omit<DigestPlace, 'about' | 'was_shown'> {
  return {
    path: document.uri,
    citation: citationOf(document.uri, chunk.place),
    name: nameOf(chunk),
    relevance,
    chunk: chunk.id,
    further: more.map((hit) => citationOf(document.uri, hit.chunk.place)),
  };
}

function placeOf(hit: Hit, request: DigestRequest): DigestPlace {
  const { query, isLiteral } = request;
  const about = isLiteral ? bestLine(hit, query) : aboutOf(hit, query);
  return { ...headOf(hit), about, ...(wasShown(hit, request) && { was_shown: true }) };
}

function nameOf({ symbol, section }: Chunk): string {
  return symbol ? [...symbol.scope, symbol.name].join('.') : section;
}

/** The first hit with its text: the whole definition, not the part of it that was found. */
async function leadOf(
  store: AskedOfHits,
  hit: Hit,
  isClear: boolean,
  { query, room = defaultRoom }: DigestRequest,
): Promise<DigestLead> {
  const chunks = await definitionOf(store, hit.chunk);
  const { pieces, isWhole, place } = textOf(chunks, hit, query, {
    lines: isClear ? leadLines : openLines,
    head: 3,
    room: (2 * room) / 3,
  });
  const head = headOf(hit);
  return {
    ...head,
    citation: citationOf(hit.document.uri, place),
    further: further(head.further, hit, chunks),
    pieces,
    is_whole: isWhole,
    chunks: chunks.map(({ id }) => id),
  };
}

/** The lines that are shown of adjacent chunks, at most so many. */
function textOf(
  chunks: readonly [Chunk, ...Chunk[]],
  { focus = [0, -1] }: Hit,
  query: string,
  max: { readonly lines: number; readonly head: number; readonly room: number },
): { readonly pieces: DigestLead['pieces']; readonly isWhole: boolean; readonly place: Place } {
  const { text, place, textLines } = readStretch(chunks, {
    maxTokens: Number.POSITIVE_INFINITY,
    countTokens: () => 0,
  });
  const lines = text.split('\n').map(shortened);
  const isNumbered = isVerbatim(chunks) && textLines[1] - textLines[0] + 1 === lines.length;
  const inText = { from: focus[0] - textLines[0], count: focus[1] - focus[0] + 1 };
  const excerpt = (count: number) => {
    const { stretches, isWhole } = excerptOf(lines, query, {
      max: count,
      head: max.head,
      ...(isNumbered && { focus: inText }),
    });
    const pieces = stretches.map(({ from, count: size }) => ({
      ...(isNumbered && { line: textLines[0] + from }),
      text: lines.slice(from, from + size).join('\n'),
    }));
    return { pieces, isWhole };
  };
  const fits = (count: number): boolean =>
    excerpt(count).pieces.reduce((sum, piece) => sum + piece.text.length, 0) <= max.room;
  return { ...excerpt(linesWithin([1, max.lines], fits)), place };
}

/** Further places that are not in the text already. */
function further(places: readonly string[], { more = [] }: Hit, chunks: readonly Chunk[]): string[] {
  const ids = new Set(chunks.map(({ id }) => id));
  return places.filter((_, at) => !ids.has(more[at]?.chunk.id ?? ''));
}

async function definitionOf(store: AskedOfHits, chunk: Chunk): Promise<[Chunk, ...Chunk[]]> {
  if (!partOf(chunk)) return [chunk];
  const [around = []] = await store.chunksIn([rangeAround({ chunk }, 0)]);
  const known = new Map(around.map((each) => [each.ordinal, each]));
  // A document that has changed meanwhile has other chunks there.
  if (known.get(chunk.ordinal)?.id !== chunk.id) return [chunk];
  return knownStretch(chunk, known);
}

/** The most lines of a range that fit. */
function linesWithin([min, max]: LineRange, fits: (count: number) => boolean): number {
  let [low, high] = [min, max];
  if (fits(high)) return high;
  while (low < high - 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function shortened(line: string): string {
  const clean = line.replace(/\r$/, '');
  return clean.length > maxColumns ? `${beginningOf(clean, maxColumns)} …` : clean;
}
