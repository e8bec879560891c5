import { runBlocks } from '../../../src/evaluation/report/quality-blocks.ts';
import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../shell/problem.tsx';
import { plainly } from '../shell/words.ts';
import { Blocks } from './blocks.tsx';
import type { RunChoice } from './choice.ts';
import { QuestionList } from './question-list.tsx';

/** One run: its sets and kinds of questions, what is wrong with the labels, and every question, the worst first. */
export function OneReport({ project, shown: { report, run } }: { project: string; shown: RunChoice }) {
  const { result, error } = useAnswer(() => perform(project, 'report show', { report }), [project, report]);
  if (error) return <Problem error={error} />;
  if (!result) return <p class="quiet">Reading…</p>;
  const questions = result.sets.flatMap(({ name, questions: asked }) =>
    asked.flatMap(({ id, text, answers }) => {
      const answer = answers[run];
      return answer ? { set: name, id, text, after: answer.scores.ndcg_10, found: answer.found } : [];
    }),
  );
  return (
    <section class="comparison" aria-labelledby="report-title">
      <h2 id="report-title">{plainly(run)}, question by question</h2>
      <Blocks blocks={runBlocks(result, run)} />
      <QuestionList project={project} questions={questions.sort((a, b) => a.after - b.after)} />
    </section>
  );
}
