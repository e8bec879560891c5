import type { ContextSource, ContextText } from '../../core/context.ts';
import { gapMark } from '../../core/passage.ts';
import { cutToFit } from '../../core/text/cut-to-fit.ts';

/** How much fits, and what a source takes of it. */
export interface FitBounds {
  /** Tokens. */
  readonly room: number;
  readonly cost: (source: ContextSource) => number;
}

/**
 * The texts that fit, in their order and numbered. One that does not fit whole is passed over for the next; only where
 * none would fit, and for a file that the user named, it is cut.
 */
export function fitTexts(texts: readonly ContextText[], { room, cost }: FitBounds): ContextSource[] {
  const sources: ContextSource[] = [];
  let left = room;
  const add = (source: ContextSource | undefined): void => {
    if (!source) return;
    sources.push(source);
    left -= cost(source);
  };
  for (const text of texts) {
    const whole = { ...text, number: sources.length + 1, isCut: text.text.endsWith(`\n${gapMark}`) };
    if (cost(whole) <= left) add(whole);
    else if (text.relevance === undefined) add(cut(whole, left, cost));
  }
  const [first] = texts;
  if (sources.length === 0 && first) add(cut({ ...first, number: 1, isCut: true }, left, cost));
  return sources;
}

/** The beginning of a text, as much as fits; undefined where not even its head would. */
function cut(source: ContextSource, room: number, cost: FitBounds['cost']): ContextSource | undefined {
  const shortened = (text: string): ContextSource => ({
    ...source,
    text: `${text}\n${gapMark}`,
    isCut: true,
  });
  const kept = cutToFit(source.text, (text) => cost(shortened(text)) <= room);
  return kept.trim() === '' ? undefined : shortened(kept);
}
