import { comparedBlocks } from '../../../src/evaluation/report/quality-blocks.ts';
import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../shell/problem.tsx';
import { ago, plainly } from '../shell/words.ts';
import { Blocks } from './blocks.tsx';
import type { RunChoice } from './choice.ts';
import { QuestionList } from './question-list.tsx';

/** Two runs: what differs, how sure that is, and which questions rose and fell. */
export function Comparison({
  project,
  before,
  after,
}: {
  project: string;
  before: RunChoice;
  after: RunChoice;
}) {
  const input = { before: before.report, before_run: before.run, after: after.report, after_run: after.run };
  const { result, error } = useAnswer(
    () => perform(project, 'report compare', input),
    [project, ...Object.values(input)],
  );
  if (error) return <Problem error={error} />;
  if (!result) return <p class="quiet">Comparing…</p>;
  const isCurrent = result.before.report === before.report && result.after.report === after.report;
  return (
    <section class="comparison" aria-busy={!isCurrent} aria-labelledby="comparison-title">
      <h2 id="comparison-title">
        {plainly(after.run)} against {plainly(before.run)}{' '}
        <span class="quiet small">
          {ago(result.after.created_at)}, and {ago(result.before.created_at)}
        </span>
      </h2>
      <Blocks blocks={comparedBlocks(result)} />
      <QuestionList
        project={project}
        questions={result.questions.map((question) => ({
          ...question,
          found: question.found_after,
          foundBefore: question.found_before,
        }))}
      />
    </section>
  );
}
