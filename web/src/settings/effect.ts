import type { ResultOf } from '../api/operations.ts';
import { counted } from '../shell/words.ts';

type Status = ResultOf<'status'>;
/** What of an index a setting may change, for a person. */
export type Holdings = Pick<Status, 'documents' | 'chunks' | 'skipped_reasons'>;

const counts: readonly (readonly [name: string, of: (status: Holdings) => number])[] = [
  ['documents', ({ documents }) => documents],
  ['pieces of text', ({ chunks }) => chunks],
  ['left out', ({ skipped_reasons }) => Object.values(skipped_reasons).reduce((sum, each) => sum + each, 0)],
];

/** What a change of the settings did to what can be found. */
export function effectOf(before: Holdings, after: Holdings): string {
  const changed = counts.flatMap(([name, of]) => {
    const [was, is] = [of(before), of(after)];
    return was === is ? [] : [`${name} ${counted(was)} → ${counted(is)}`];
  });
  return changed.length === 0
    ? `What can be found is the same as before: ${counted(after.documents)} documents in ${counted(after.chunks)} pieces of text.`
    : `What can be found has changed: ${changed.join(', ')}.`;
}
