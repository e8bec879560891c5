import './own-questions.css';
import { useEffect, useState } from 'preact/hooks';
import type { OwnQuestion } from '../../../src/core/reader-notes.ts';
import { jobsOf } from '../api/jobs.ts';
import { askOwnQuestions, loadNotes, note, notes, questionsFile } from '../api/notes.ts';
import { asError, isLost } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Confirm } from '../shell/confirm.tsx';
import { LongList } from '../shell/long-list.tsx';
import { Problem } from '../shell/problem.tsx';
import { Progress } from '../shell/progress.tsx';
import { linkTo } from '../shell/route.ts';
import { plainly, plural } from '../shell/words.ts';

/** Milliseconds between two looks at an evaluation that runs. */
const looksEvery = 700;

/** The questions that the reader has judged in the search: what answers each, asked again with one click. */
export function OwnQuestions({ project, onAsked }: { project: string; onAsked: () => void }) {
  const { questions } = notes.value;
  const [failure, setFailure] = useState<unknown>();
  const [isAsking, setAsking] = useState(false);
  useEffect(() => void loadNotes(project), [project]);
  const jobs = useAnswer(
    async () => (isAsking ? jobsOf(project) : []),
    [project, isAsking],
    isAsking ? looksEvery : undefined,
  );
  const job = jobs.result?.findLast(({ operation }) => operation === 'eval');
  useEffect(() => {
    if (!isAsking || !job || job.state === 'running') return;
    setAsking(false);
    if (job.state === 'failed') setFailure(job.error);
    onAsked();
  }, [job?.state]);
  if (questions.length === 0) return null;
  const labelled = questions.filter(isAnswered).length;
  const act = (work: Promise<void>) => {
    setFailure(undefined);
    work.catch((thrown) => {
      setFailure(asError(thrown));
      setAsking(false);
    });
  };
  return (
    <section class="own-questions">
      <h2>Your questions</h2>
      <p class="quiet">
        {plural(labelled, 'question')} with an answer that you confirmed
        {labelled < questions.length &&
          `, ${plural(questions.length - labelled, 'not found yet', 'not found yet')}`}
        .
      </p>
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={labelled === 0 || isAsking || isLost.value || questionsFile.value === undefined}
          onClick={() => {
            setAsking(true);
            act(askOwnQuestions(project));
          }}
        >
          {isAsking ? 'Asking…' : 'Measure how well they are found'}
        </button>
        <Confirm
          name="Remove all of your questions"
          short="Remove all"
          sure="Remove them for good"
          onConfirm={() => act(note(project, { forgotten: 'questions' }))}
        />
      </div>
      {isAsking && job?.progress && <Progress progress={job.progress} />}
      {failure !== undefined && <Problem error={asError(failure)} />}
      <LongList
        entries={questions.toReversed()}
        render={(question) => (
          <>
            <a href={linkTo(project, 'search', { query: question.text })}>{plainly(question.text)}</a>
            <span class="quiet detail">{answerOf(question)}</span>
            <button
              type="button"
              class="icon"
              aria-label={`Remove the question ${plainly(question.text)}`}
              onClick={() => act(note(project, { dropped: question.text }))}
            >
              ×
            </button>
          </>
        )}
      />
      {questionsFile.value !== undefined && (
        <p class="quiet">
          Kept for you alone in <code>{plainly(questionsFile.value)}</code>, outside of the project and of
          every index. <code>quarry eval</code> in the project asks them too.
        </p>
      )}
    </section>
  );
}

function isAnswered({ relevant }: OwnQuestion): boolean {
  return relevant.some(({ grade }) => grade > 0);
}

function answerOf({ relevant }: OwnQuestion): string {
  const by = (isRight: boolean): string =>
    plainly(relevant.flatMap(({ path, grade }) => (grade > 0 === isRight ? [path] : [])).join(', '));
  const [right, wrong] = [by(true), by(false)];
  return [right === '' ? 'not found yet' : right, wrong !== '' && `not ${wrong}`].filter(Boolean).join('; ');
}
