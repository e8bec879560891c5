import { signal } from '@preact/signals';
import type { ResultOf } from '../api/operations.ts';
import { question } from './query-state.ts';
import { keptForm, type Question } from './questions.ts';

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

/** The question that stood when the reader went there; its answer may have been on its way. */
let wentFor = '';

/** Shows a place beside the hits. */
export function openPlace(place: OpenPlace): void {
  wentFor = keptForm(question.value);
  trail.value = [...trail.value, place];
}

/** What of the trail holds once there is an answer to this question: all, where the reader went there while it stood. */
export function trailFor(asked: Question): readonly OpenPlace[] {
  return wentFor === keptForm(asked) ? trail.value : [];
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
