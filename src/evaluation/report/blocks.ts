import type { Drawing } from './drawing.ts';

/** A table whose first columns are words and the others numbers. */
export interface TableBlock {
  readonly kind: 'table';
  readonly head: readonly string[];
  /** Columns of words. */
  readonly words: number;
  readonly rows: readonly (readonly string[])[];
  /** Rows at the end that sum up the others. */
  readonly totals?: number;
}

/** A part of what is shown of an evaluation, before a surface renders it; its texts are not escaped yet. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly tone?: 'good' | 'bad' | 'neutral' | 'quiet' }
  | TableBlock
  | { readonly kind: 'chart'; readonly name: string; readonly drawing: Drawing; readonly caption: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** All of them: how many are listed is up to the surface. */
  | { readonly kind: 'warnings'; readonly items: readonly string[] }
  /** What is shown to a reader who asks for more. */
  | { readonly kind: 'folded'; readonly summary: string; readonly blocks: readonly Block[] };
