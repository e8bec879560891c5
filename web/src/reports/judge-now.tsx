import { useState } from 'preact/hooks';
import { verdictOf } from '../../../src/core/reader-notes.ts';
import { note, notes } from '../api/notes.ts';
import { perform } from '../api/operations.ts';
import { asError } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { marksFor } from '../code/marks.ts';
import { bestLines } from '../search/best-lines.ts';
import { examplesOf } from '../search/examples.ts';
import { PathName } from '../shell/path-name.tsx';
import { Problem } from '../shell/problem.tsx';
import { linkTo } from '../shell/route.ts';
import { plainly } from '../shell/words.ts';

/** Questions that are proposed at once. */
const maxProposed = 6;

/** Questions that the reader asked, or might ask, with what the search finds first: two clicks make one of them a question to measure with. */
export function JudgeNow({ project }: { project: string }) {
  const asked = notes.value.recent.map((each) => each.asked).join(' ');
  const { result, error } = useAnswer(() => proposedFor(project), [project, asked]);
  const [failure, setFailure] = useState<unknown>();
  const open = (result ?? []).filter(({ text, hit }) => verdictOf(notes.value, text, hit.path) === undefined);
  if (error) return <Problem error={error} />;
  if (open.length === 0) return null;
  return (
    <section class="judge-now">
      <h2>Is the right file first?</h2>
      {failure !== undefined && <Problem error={asError(failure)} />}
      <ul>
        {open.map(({ text, hit }) => {
          const judge = (verdict: 'yes' | 'no') =>
            void note(project, { judged: { text, path: hit.path, verdict } }).catch(setFailure);
          const [line] = bestLines(hit, marksFor(text, ''));
          return (
            <li key={text} class="card">
              <a href={linkTo(project, 'search', { query: text })}>{plainly(text)}</a>
              <span>
                <PathName path={hit.path} />
              </span>
              <span class="quiet best-line">{plainly(line?.text ?? '')}</span>
              <div class="actions">
                <button
                  type="button"
                  aria-label={`Yes, it answers: ${plainly(text)}`}
                  onClick={() => judge('yes')}
                >
                  Yes
                </button>
                <button
                  type="button"
                  aria-label={`No, it does not answer: ${plainly(text)}`}
                  onClick={() => judge('no')}
                >
                  No
                </button>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What was asked last, and else questions of this very corpus, each with the first hit. */
async function proposedFor(project: string) {
  const asked = notes.value.recent
    .map((each) => new URLSearchParams(each.asked))
    .flatMap((words) => (words.size === 1 ? (words.get('query') ?? []) : []))
    .slice(0, maxProposed);
  const { empty, enabled } = await perform(project, 'status', { compare: false });
  if (empty || !enabled) return [];
  const examples = asked.length < maxProposed ? await examplesOf(project, { asksOnly: true }) : [];
  const texts = [...new Set([...asked, ...examples.map(({ query }) => query)])].slice(0, maxProposed);
  const found = [];
  // One after the other: the machine may have little to spare.
  for (const text of texts) {
    const [hit] = (await perform(project, 'search', { query: text, top_k: 1, full: true, update: false }))
      .hits;
    if (hit) found.push({ text, hit });
  }
  return found;
}
