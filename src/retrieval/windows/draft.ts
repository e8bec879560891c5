import type { Chunk } from '../../core/chunk.ts';
import { contextOf, type DocumentView } from './document-view.ts';
import { type Fragment, fragmentOf, without } from './fragment.ts';
import { stitch, textOf } from './stitch.ts';

/** A passage in the making. */
export interface Draft {
  readonly view: DocumentView;
  /** Chunks it holds, by ordinal; a part of their text may be in another draft. */
  readonly ordinals: ReadonlySet<number>;
  /** In the order of the document, without overlap. */
  readonly fragments: readonly Fragment[];
  readonly hasContext: boolean;
  readonly isCut: boolean;
}

/** The draft with further chunks, without text that it or another draft already has. */
export function extended(draft: Draft, chunks: readonly Chunk[], others: readonly Draft[]): Draft {
  const fragments = [...draft.fragments];
  const taken = others.flatMap((other) => other.fragments);
  for (const chunk of chunks) fragments.push(...without(fragmentOf(chunk), [...taken, ...fragments]));
  return {
    ...draft,
    ordinals: new Set([...draft.ordinals, ...chunks.map(({ ordinal }) => ordinal)]),
    fragments: inOrder(fragments),
  };
}

/** Both drafts as one; they hold nothing in common. */
export function united(one: Draft, other: Draft): Draft {
  return {
    view: one.view,
    ordinals: new Set([...one.ordinals, ...other.ordinals]),
    fragments: inOrder([...one.fragments, ...other.fragments]),
    hasContext: one.hasContext || other.hasContext,
    isCut: false,
  };
}

/** The signatures around the beginning of a draft that has them. */
export function contextOfDraft({ view, ordinals, hasContext }: Draft): string {
  const first = hasContext ? view.chunks.get(Math.min(...ordinals)) : undefined;
  return first ? contextOf(view, first) : '';
}

/** What is shown of a draft, context included. */
export function shownText(draft: Draft): string {
  const context = contextOfDraft(draft);
  const text = textOf(stitch(draft.fragments, draft.view), draft.isCut);
  return context === '' ? text : `${context}\n${text}`;
}

function inOrder(fragments: readonly Fragment[]): Fragment[] {
  return [...fragments].sort((one, other) => one.start - other.start);
}
