import type { Store } from '../../contracts/store.ts';
import type { Span } from '../../core/chunk.ts';
import type { Hit } from '../../core/hit.ts';
import type { Passage } from '../../core/passage.ts';
import type { Place } from '../../core/place.ts';
import { joinPlaces } from '../../core/text/citation.ts';
import { Allotment, type PassageBudget } from './allotment.ts';
import { areOfOneMessage, type DocumentView, rangeAround, viewDocument } from './document-view.ts';
import { contextOfDraft, type Draft } from './draft.ts';
import { stitch, textOf } from './stitch.ts';
import { symbolStretch } from './symbol-stretch.ts';

/** How much to show around hits. */
export interface WindowOptions extends PassageBudget {
  /** Chunks before and after each hit. */
  readonly neighbours: number;
}

/** Enough for a hit of code with its surroundings in each passage, and for four such passages. */
export const windowDefaults = { neighbours: 1, totalTokens: 4096, passageTokens: 1024 } as const;

/** A hit with what is known of its document. */
interface Seed {
  readonly hit: Hit;
  readonly view: DocumentView;
}

/**
 * Turns hits, best first, into passages with their surroundings. Hits that touch become one passage, and no text is shown
 * twice. What does not fit the budget is left out: neighbours first, then the rest of cut definitions, then the last
 * hits. A hit is cut only if it is too large for any passage.
 */
export async function widen(
  store: Pick<Store, 'chunksIn'>,
  hits: readonly Hit[],
  options: WindowOptions,
): Promise<Passage[]> {
  const seeds = await viewSeeds(store, hits, options.neighbours);
  const allotment = new Allotment(options);
  for (const { view, hit } of seeds) allotment.addSeed(view, hit.chunk);
  for (const { view, hit } of seeds) {
    const stretch = symbolStretch(hit.chunk, view.chunks);
    if (stretch) allotment.addAround(view, hit.chunk.ordinal, stretch);
  }
  for (const draft of allotment.drafts) allotment.addContext(draft);
  for (let distance = 1; distance <= options.neighbours; distance += 1) {
    for (const seed of seeds) addNeighbours(allotment, seed, distance);
  }
  return allotment.drafts
    .map((draft) => passageOf(draft, seeds, allotment.tokensOf(draft)))
    .filter((passage) => passage !== undefined)
    .sort((one, other) => rankOf(one, hits) - rankOf(other, hits));
}

/** Each distinct hit with the view of its document, in the order of the hits. */
async function viewSeeds(
  store: Pick<Store, 'chunksIn'>,
  hits: readonly Hit[],
  neighbours: number,
): Promise<Seed[]> {
  const byDocument = new Map<string, [Hit, ...Hit[]]>();
  for (const hit of hits) {
    const known = byDocument.get(hit.document.id);
    if (known) known.push(hit);
    else byDocument.set(hit.document.id, [hit]);
  }
  const views = new Map<string, DocumentView>();
  const windows = await store.chunksIn(hits.map((hit) => rangeAround(hit, neighbours)));
  const windowOf = (hit: Hit) => windows[hits.indexOf(hit)] ?? [];
  for (const [id, group] of byDocument) views.set(id, viewDocument(group, windowOf));
  return hits.flatMap((hit) => {
    const view = views.get(hit.document.id);
    // Of two revisions of one place the better ranked is shown.
    return view && view.chunks.get(hit.chunk.ordinal)?.id === hit.chunk.id ? [{ hit, view }] : [];
  });
}

/** The chunk after a hit is added first: an answer continues after a hit more often than it begins before it. */
function addNeighbours(allotment: Allotment, { hit, view }: Seed, distance: number): void {
  const { ordinal } = hit.chunk;
  for (const step of [1, -1]) {
    const chunk = view.chunks.get(ordinal + step * distance);
    const nearer = allotment.holding(view, ordinal + step * (distance - 1));
    if (chunk && areOfOneMessage(chunk, hit.chunk) && nearer && nearer === allotment.holding(view, ordinal)) {
      allotment.addAround(view, ordinal, [chunk]);
    }
  }
}

function passageOf(draft: Draft, seeds: readonly Seed[], tokens: number): Passage | undefined {
  const { view, isCut } = draft;
  const hits = seeds
    .filter((seed) => seed.view === view && draft.ordinals.has(seed.hit.chunk.ordinal))
    .map(({ hit }) => hit);
  const pieces = stitch(draft.fragments, view);
  const [first, last, best] = [pieces[0], pieces.at(-1), hits[0]];
  if (!first || !last || !best) return undefined;
  const span = {
    start: first.span.start,
    end: last.span.end,
    firstLine: first.span.firstLine,
    lastLine: last.span.lastLine,
  };
  return {
    document: view.document,
    hits: [...new Set(hits)],
    relevance: Math.max(...hits.map(({ relevance }) => relevance)),
    span,
    place: placeOf(draft, span) ?? best.chunk.place,
    pieces,
    text: textOf(pieces, isCut),
    context: contextOfDraft(draft),
    section: best.chunk.section,
    tokens,
    isCut,
  };
}

/** From the first chunk to the last; where lines of the text are lines of the file, those that are shown. */
function placeOf({ view, ordinals }: Draft, { firstLine, lastLine }: Span): Place | undefined {
  const first = view.chunks.get(Math.min(...ordinals));
  const last = view.chunks.get(Math.max(...ordinals));
  if (!first || !last) return undefined;
  const isVerbatim = [first, last].every(
    ({ place, span }) => place.kind === 'lines' && place.first === span.firstLine,
  );
  if (isVerbatim) return { kind: 'lines', first: firstLine, last: lastLine };
  return joinPlaces(first.place, last.place);
}

function rankOf({ hits: [best] }: Passage, hits: readonly Hit[]): number {
  return best ? hits.indexOf(best) : hits.length;
}
