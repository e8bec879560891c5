import { signal } from '@preact/signals';
import type { ResultOf } from '../api/operations.ts';

/** A place of the project that is shown beside the hits in place of one. */
export interface OpenPlace {
  readonly project: string;
  readonly citation: string;
  readonly path: string;
  readonly lines?: readonly [number, number] | undefined;
  /** What is said of it: its sentence is marked. */
  readonly words?: string | undefined;
}

/** Where the reader went from the chosen hit, the last one in sight; empty where the hit is shown. */
export const trail = signal<readonly OpenPlace[]>([]);

/** Shows a place beside the hits. */
export function openPlace(place: OpenPlace): void {
  trail.value = [...trail.value, place];
}

/** Back to where the reader was before. */
export function leavePlace(): void {
  trail.value = trail.value.slice(0, -1);
}

/** A place of a project from its citation: `src/a.ts:3-9`. */
export function placeOf(
  project: string,
  citation: string,
  path = citation.replace(/:\d+(?:-\d+)?$/, ''),
): OpenPlace {
  const [, first, last = first] = /:(\d+)(?:-(\d+))?$/.exec(citation) ?? [];
  return {
    project,
    citation,
    path,
    ...(first !== undefined && { lines: [Number(first), Number(last)] as const }),
  };
}

/** The entry of an outline that lines lie in: the last that begins before them, or else the first that begins within. */
export function entryAt(
  entries: ResultOf<'outline'>['entries'],
  lines: readonly [number, number] | undefined,
): ResultOf<'outline'>['entries'][number] | undefined {
  if (!lines) return undefined;
  const beginOf = ({ citation }: { readonly citation: string }) =>
    placeOf('', citation).lines?.[0] ?? Number.POSITIVE_INFINITY;
  return (
    entries.findLast((entry) => beginOf(entry) <= lines[0]) ??
    entries.find((entry) => beginOf(entry) <= lines[1])
  );
}
