import type { Chunk } from '../../core/chunk.ts';
import { gapMark } from '../../core/passage.ts';
import { cutToFit } from '../../core/text/cut-to-fit.ts';
import { areOfOneMessage, type DocumentView } from './document-view.ts';
import { contextOfDraft, type Draft, extended, shownText, united } from './draft.ts';
import { fragmentOf, type TextRange, within } from './fragment.ts';
import { touches } from './stitch.ts';

/** Sizes in tokens of `countTokens`. */
export interface PassageBudget {
  /** All passages together. */
  readonly totalTokens: number;
  /** One passage. */
  readonly passageTokens: number;
  countTokens(text: string): number;
}

/** Drafts that never hold a text twice and never exceed the budget. */
export class Allotment {
  readonly #budget: PassageBudget;
  readonly #drafts = new Map<Draft, number>();
  readonly #counts = new Map<string, number>();

  constructor(budget: PassageBudget) {
    const passageTokens = Math.min(budget.passageTokens, budget.totalTokens);
    this.#budget = { ...budget, passageTokens };
  }

  get drafts(): readonly Draft[] {
    return [...this.#drafts.keys()];
  }

  tokensOf(draft: Draft): number {
    return this.#drafts.get(draft) ?? this.#count(shownText(draft));
  }

  /** The draft that holds a chunk. */
  holding(view: DocumentView, ordinal: number): Draft | undefined {
    return this.drafts.find((draft) => draft.view === view && draft.ordinals.has(ordinal));
  }

  /** Adds a seed: to a draft it touches, else as a new one. It is cut only if it is too large for any passage. */
  addSeed(view: DocumentView, seed: Chunk): void {
    if (this.holding(view, seed.ordinal)) return;
    const others = this.#of(view);
    const withSeed = (draft: Draft) =>
      extended(
        draft,
        [seed],
        others.filter((other) => other !== draft),
      );
    const joins = (draft: Draft) => this.#replace([draft], withSeed(draft));
    const alone = withSeed({ view, ordinals: new Set(), fragments: [], hasContext: false, isCut: false });
    if (alone.fragments.length === 0) {
      // All of it is already shown, so this costs nothing.
      others.filter((draft) => overlaps(draft, fragmentOf(seed))).some(joins);
    } else if (others.filter((draft) => isBeside(draft, seed)).some(joins)) {
      this.#settle(view, seed.ordinal);
    } else if (!this.#replace([], alone) && this.#count(seed.text) > this.#budget.passageTokens) {
      this.#addCut(alone);
    }
  }

  #addCut(draft: Draft): void {
    const [first] = draft.fragments;
    if (!first) return;
    const room = Math.min(this.#budget.passageTokens, this.#left());
    const kept = cutToFit(first.text, (text) => this.#count(`${text}\n${gapMark}`) <= room);
    if (kept === '') return;
    const cut = within(first, { start: first.start, end: first.start + kept.length });
    this.#replace([], { ...draft, fragments: [cut], isCut: true });
  }

  /** Adds all of the chunks to the draft that holds `ordinal`, or none of them. */
  addAround(view: DocumentView, ordinal: number, chunks: readonly Chunk[]): void {
    const draft = this.holding(view, ordinal);
    if (!draft || draft.isCut) return;
    const holders = new Set(chunks.map((chunk) => this.holding(view, chunk.ordinal)));
    holders.delete(draft);
    holders.delete(undefined);
    const joined = [...holders].filter((holder) => holder !== undefined);
    if (joined.some(({ isCut }) => isCut)) return;
    const base = joined.reduce(united, draft);
    const missing = chunks.filter((chunk) => !base.ordinals.has(chunk.ordinal));
    const others = this.#of(view).filter((other) => other !== draft && !joined.includes(other));
    if (missing.length === 0 && joined.length === 0) return;
    if (this.#replace([draft, ...joined], extended(base, missing, others))) this.#settle(view, ordinal);
  }

  /** Gives a draft the signatures around its beginning, where they take at most an eighth of a passage. */
  addContext(draft: Draft): void {
    const signed = { ...draft, hasContext: true };
    const size = this.#count(contextOfDraft(signed));
    if (size > 0 && size <= this.#budget.passageTokens / 8) this.#replace([draft], signed);
  }

  /** Joins the draft that holds `ordinal` with those it touches, as far as they fit one passage. */
  #settle(view: DocumentView, ordinal: number): void {
    for (const other of this.#of(view)) {
      const draft = this.holding(view, ordinal);
      const isGone = !this.#drafts.has(other);
      if (!draft || draft === other || isGone || draft.isCut || other.isCut) continue;
      if (areBeside(draft, other)) this.#replace([draft, other], united(draft, other));
    }
  }

  /** Replaces drafts by one, unless that exceeds the budget. */
  #replace(previous: readonly Draft[], draft: Draft): boolean {
    const tokens = this.#count(shownText(draft));
    const freed = previous.reduce((sum, each) => sum + (this.#drafts.get(each) ?? 0), 0);
    if (tokens > this.#budget.passageTokens || tokens > this.#left() + freed) return false;
    for (const each of previous) this.#drafts.delete(each);
    this.#drafts.set(draft, tokens);
    return true;
  }

  #left(): number {
    return [...this.#drafts.values()].reduce((left, tokens) => left - tokens, this.#budget.totalTokens);
  }

  #of(view: DocumentView): Draft[] {
    return this.drafts.filter((draft) => draft.view === view);
  }

  #count(text: string): number {
    const known = this.#counts.get(text);
    if (known !== undefined) return known;
    const tokens = text === '' ? 0 : this.#budget.countTokens(text);
    this.#counts.set(text, tokens);
    return tokens;
  }
}

function overlaps(draft: Draft, range: TextRange): boolean {
  return draft.fragments.some(({ start, end }) => start < range.end && range.start < end);
}

/** Whether a chunk of the same message overlaps a draft that continues, or only white space lies between them. */
function isBeside(draft: Draft, chunk: Chunk): boolean {
  const range = fragmentOf(chunk);
  const isNext = (fragment: TextRange) =>
    touches(fragment, range, draft.view) || touches(range, fragment, draft.view);
  return (
    !draft.isCut &&
    areOfOneMessage(firstOf(draft), chunk) &&
    (overlaps(draft, range) || draft.fragments.some(isNext))
  );
}

function areBeside(one: Draft, other: Draft): boolean {
  const areTouching = one.fragments.some((first) =>
    other.fragments.some((second) => touches(first, second, one.view) || touches(second, first, one.view)),
  );
  return areTouching && areOfOneMessage(firstOf(one), firstOf(other));
}

function firstOf({ view, ordinals }: Draft): Chunk | undefined {
  return view.chunks.get(Math.min(...ordinals));
}
