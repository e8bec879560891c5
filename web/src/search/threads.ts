import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import { conversation } from '../kinds/subject.ts';

/** Messages of a thread that are not shown before the reader wants them, below the one that they come after. */
export interface Fold {
  readonly after: SearchHit;
  readonly hits: readonly SearchHit[];
}

/** As many more as a line that says so is worth. */
const minFolded = 2;

/** Hits with the messages of a thread below each other: the best one, then the newest, and the others newest first. */
export function byThread(hits: readonly SearchHit[]): { hits: readonly SearchHit[]; folds: readonly Fold[] } {
  const threads = Map.groupBy(hits, (hit) => threadOf(hit) ?? hit);
  const folds: Fold[] = [];
  const ordered = [...threads.values()].flatMap(([best, ...others]) => {
    if (best === undefined || others.length === 0) return best ?? [];
    others.sort((one, other) => momentOf(other) - momentOf(one));
    const [newest] = others;
    const shown = newest && momentOf(newest) > momentOf(best) ? [best, newest] : [best];
    const rest = others.filter((hit) => !shown.includes(hit));
    const after = shown.at(-1);
    if (after && rest.length >= minFolded) folds.push({ after, hits: rest });
    return [...shown, ...rest];
  });
  return { hits: ordered, folds };
}

/** What messages of one thread share; undefined for what is no message. */
function threadOf({ place, project }: SearchHit): string | undefined {
  const subject = place.kind === 'messages' ? conversation(place.first.subject).toLowerCase() : '';
  return subject === '' ? undefined : `${project} ${subject}`;
}

function momentOf({ written_at }: SearchHit): number {
  return Date.parse(written_at ?? '') || 0;
}
