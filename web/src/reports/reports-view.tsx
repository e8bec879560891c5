import './reports.css';
import { perform } from '../api/operations.ts';
import { isLost } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../shell/problem.tsx';
import { goTo, linkTo, route } from '../shell/route.ts';
import type { Choice, Report } from './choice.ts';
import { Comparison } from './comparison.tsx';
import { JudgeNow } from './judge-now.tsx';
import { OneReport } from './one-report.tsx';
import { OwnQuestions } from './own-questions.tsx';
import { ReportTable } from './report-table.tsx';
import { TrendLines } from './trend-lines.tsx';

/** The evaluations that the project keeps: how each came out, and two of them compared. */
export function ReportsView({ project }: { project: string }) {
  const { result, error, again } = useAnswer(() => perform(project, 'report list', {}), [project]);
  const reports = result?.reports ?? [];
  const choice = choiceIn(route.value.words, reports);
  const choose = (next: Partial<Choice>) =>
    goTo(addressOf(project, { ...choice, ...next }), { replace: true });
  return (
    <>
      <header class="view-head">
        <h1>Evaluation</h1>
        {reports.length > 0 && (
          <button type="button" disabled={isLost.value} onClick={again}>
            Refresh
          </button>
        )}
      </header>
      {error && <Problem error={error} retry={again} />}
      {!result && !error && <p class="quiet">Reading…</p>}
      <OwnQuestions project={project} onAsked={again} />
      {result && reports.length === 0 && <NoReports project={project} />}
      {result && result.unreadable.length > 0 && (
        <p class="notice">Not readable, and left out: {result.unreadable.join(', ')}</p>
      )}
      <TrendLines reports={reports} />
      {reports.length > 0 && <ReportTable reports={reports} choice={choice} onChoose={choose} />}
      {choice.after && !choice.before && <OneReport project={project} shown={choice.after} />}
      {choice.after && choice.before && (
        <Comparison project={project} before={choice.before} after={choice.after} />
      )}
      {reports.length > 0 && <JudgeNow project={project} />}
    </>
  );
}

/** What the address names, or else the newest run against the one before it. */
function choiceIn(words: URLSearchParams, reports: readonly Report[]): Choice {
  const runs = reports.flatMap(({ id, runs: own }) => own.map(({ name }) => ({ report: id, run: name })));
  const named = (side: 'before' | 'after') =>
    runs.find(({ report, run }) => report === words.get(side) && run === words.get(`${side}_run`));
  const after = named('after') ?? runs[0];
  if (words.get('before') === 'none') return { before: undefined, after };
  const earlier = runs.filter(({ report }) => after !== undefined && report < after.report);
  const sameRun = earlier.find(({ run }) => run === after?.run) ?? earlier[0];
  const before = named('before') ?? sameRun;
  const isSame = before?.report === after?.report && before?.run === after?.run;
  return { before: isSame ? undefined : before, after };
}

function addressOf(project: string, { before, after }: Choice): string {
  return linkTo(project, 'reports', {
    ...(after && { after: after.report, after_run: after.run }),
    before: before?.report ?? 'none',
    ...(before && { before_run: before.run }),
  });
}

function NoReports({ project }: { project: string }) {
  return (
    <section class="no-reports">
      <h2>Nothing measured yet</h2>
      <p>
        Does the search find what you need? Tell it what was right, and this view measures it: how many of
        your questions have the right file among the first hits, and whether a change of the settings makes
        that better or worse.
      </p>
      <JudgeNow project={project} />
      <div class="two-ways">
        <section class="card">
          <h3>From your own searches</h3>
          <ol>
            <li>Search for something that you know is there.</li>
            <li>
              On the right hit press <kbd>y</kbd>, or “Yes” below its text. <kbd>n</kbd> says no, and “Not
              found” keeps the question.
            </li>
            <li>Come back, and have the questions measured.</li>
          </ol>
          <a class="button primary" href={linkTo(project, 'search')}>
            Search for something
          </a>
        </section>
        <section class="card">
          <h3>From a file of questions</h3>
          <p>Write a question with the files that answer it on each line, and have them asked:</p>
          <pre class="code how-to">
            {
              '{"text": "where are passwords hashed?", "relevant": ["src/auth/password.ts"]}\n\nquarry eval questions.jsonl'
            }
          </pre>
        </section>
      </div>
      <p class="quiet">Every result is kept here, to be compared with the next.</p>
    </section>
  );
}
