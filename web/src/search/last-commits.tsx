import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../shell/problem.tsx';
import { plainly, plural } from '../shell/words.ts';
import type { FilePlace } from './file-parts.tsx';
import { openPlace } from './places.ts';

/** The commits that wrote what is shown, newest first; each opens beside the hits. */
export function LastCommits({ project, path, lines }: FilePlace) {
  const place = lines ? { path, lines: `${lines[0]}-${lines[1]}` } : { path };
  const { result, error } = useAnswer(
    () =>
      perform(project, 'read', { ...place, commits: true, numbers: false, max_tokens: 8000, update: false }),
    [project, path, lines?.[0], lines?.[1]],
  );
  if (error) return <Problem error={error} isWarning />;
  if (!result) return <p class="quiet part">Looking…</p>;
  const { commits = [], uncommitted = 0 } = result;
  return (
    <div class="part connections">
      {commits.length === 0 && <p class="quiet">No commit has it yet.</p>}
      {commits.length > 0 && (
        <ul aria-label="Last commits">
          {commits.map(({ citation, subject, author, date }) => (
            <li key={citation}>
              <button
                type="button"
                class="link"
                onClick={() => openPlace({ project, citation, path: citation })}
              >
                {plainly(subject) || citation}
              </button>
              <span class="quiet">
                {date.slice(0, 10)} {plainly(author.replace(/\s*<.*$/, ''))}
              </span>
            </li>
          ))}
        </ul>
      )}
      {uncommitted > 0 && commits.length > 0 && (
        <p class="quiet">{plural(uncommitted, 'line')} not committed yet.</p>
      )}
    </div>
  );
}
