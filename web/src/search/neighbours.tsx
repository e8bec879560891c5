import type { SearchHit } from '../../../src/operations/find/search.ts';
import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { CodeText } from '../code/code-text.tsx';
import { Problem } from '../shell/problem.tsx';

/** Chunks shown before and after a hit. */
const neighbours = 2;

/** The text around a hit, with the hit itself set off. */
export function Neighbours({
  project,
  hit,
  marks,
}: {
  project: string;
  hit: SearchHit;
  marks: RegExp | undefined;
}) {
  const { result, error } = useAnswer(
    () => perform(project, 'read', { path: hit.path, chunk: hit.chunk, neighbours, update: false }),
    [project, hit.chunk],
  );
  if (error) return <Problem error={error} />;
  if (!result) return <p class="quiet">Reading…</p>;
  return (
    <CodeText
      path={hit.path}
      text={result.text}
      firstLine={result.lines?.[0]}
      marks={marks}
      lit={hit.lines}
    />
  );
}
