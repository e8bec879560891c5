import { useEffect, useRef } from 'preact/hooks';
import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { plural } from '../shell/words.ts';
import { question } from './query-state.ts';
import { runSearch } from './run-search.ts';

/** Milliseconds between two looks at how many are left. */
const looksEvery = 3000;

/** Says how many chunks are found by words alone, for as long as there are any; when there are none, the search is made again. */
export function PendingNote({ project, pending }: { project: string; pending: number }) {
  const { result } = useAnswer(
    () => perform(project, 'status', { compare: false }),
    [project, pending],
    looksEvery,
  );
  const left = result?.pending ?? pending;
  const isDone = useRef(false);
  useEffect(() => {
    if (left > 0 || isDone.current) return;
    isDone.current = true;
    void runSearch(project, question.value, true);
  }, [left]);
  if (left === 0) return null;
  return (
    <p class="quiet small pending">
      {plural(left, 'piece')} of text {left === 1 ? 'is' : 'are'} found by words, not yet by meaning.
    </p>
  );
}
