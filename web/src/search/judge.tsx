import { signal } from '@preact/signals';
import { verdictOf } from '../../../src/core/reader-notes.ts';
import { note, noteQuietly, notes, questionsFile } from '../api/notes.ts';
import { asError } from '../api/session.ts';
import { Problem } from '../shell/problem.tsx';
import { linkTo } from '../shell/route.ts';
import { question } from './query-state.ts';
import { search } from './run-search.ts';
import { settle } from './settle.ts';

/** Why a verdict was not kept. */
const failure = signal<unknown>(undefined);

/** What the hits answer that are shown: a newer question may be on its way to its answer. */
export function answeredQuery(): string {
  return (search.value.asked ?? question.value).query.trim();
}

/** Keeps whether a file was what the reader looked for; the same verdict again takes it back. */
export function judge(project: string, path: string, verdict: 'yes' | 'no'): void {
  const text = answeredQuery();
  if (text === '') return;
  if (text === question.value.query.trim()) settle(project);
  failure.value = undefined;
  const isAgain = verdictOf(notes.value, text, path) === verdict;
  const judged = { text, path, verdict: isAgain ? 'undecided' : verdict } as const;
  note(project, { judged }).catch((thrown) => {
    failure.value = thrown;
  });
}

/** Asks whether a hit was what the reader looked for. */
export function WasThisIt({ project, path }: { project: string; path: string }) {
  const verdict = verdictOf(notes.value, answeredQuery(), path);
  const choice = (value: 'yes' | 'no', name: string, key: string) => (
    <button
      type="button"
      title={key}
      aria-pressed={verdict === value}
      onClick={() => judge(project, path, value)}
    >
      {name}
    </button>
  );
  return (
    <div class="was-it">
      <span>Was this it?</span>
      {choice('yes', 'Yes', 'y')}
      {choice('no', 'No', 'n')}
      {verdict && (
        <span class="quiet">
          {questionsFile.value === undefined ? 'Kept while this page is open.' : 'Kept for you.'}{' '}
          <a href={linkTo(project, 'reports')}>Your questions</a>
        </span>
      )}
      {failure.value !== undefined && <Problem error={asError(failure.value)} />}
    </div>
  );
}

/** Keeps a question that nothing answered, to be looked at again. */
export function NotFound({ project, name }: { project: string; name: string }) {
  const text = answeredQuery();
  const isKept = notes.value.questions.some(
    (each) => each.text === text && !each.relevant.some(({ grade }) => grade > 0),
  );
  if (isKept)
    return (
      <p class="quiet not-found" role="status">
        <a href={linkTo(project, 'reports')}>kept as not found</a>
      </p>
    );
  return (
    <button
      type="button"
      class="link not-found"
      aria-label="Not found: keep the question"
      title="Keeps the question among yours, to be measured"
      onClick={() => noteQuietly(project, { judged: { text, verdict: 'undecided' } })}
    >
      {name}
    </button>
  );
}
