import { counted } from '../../../core/text/counted.ts';
import type { Output } from '../terminal/output.ts';

interface MapResult {
  readonly chunks: number;
  readonly embedded: number;
  readonly documents: readonly { readonly path: string }[];
  readonly points: {
    readonly citation: readonly string[];
    readonly x: readonly number[];
    readonly y: readonly number[];
  };
}

/** Shows the places as columns, for programs that draw; the page draws them itself. */
export function renderMap({ chunks, embedded, documents, points }: MapResult, output: Output): void {
  for (const [index, citation] of points.citation.entries())
    output.result(`${points.x[index]}\t${points.y[index]}\t${citation}`);
  output.note(
    `${chunks} of ${counted(embedded, 'chunk')} of ${counted(documents.length, 'document')}. quarry ui draws them.`,
  );
}
