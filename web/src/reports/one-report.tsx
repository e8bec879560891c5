import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../shell/problem.tsx';
import { TableHead } from '../shell/table-head.tsx';
import { counted, plural } from '../shell/words.ts';
import type { RunChoice } from './choice.ts';
import { QuestionList } from './question-list.tsx';

const numbers = ['Questions', 'nDCG@10', 'recall@10', 'hit@1'].map((name) => ({
  name,
  kind: 'number' as const,
}));

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
  const groups = result.sets.flatMap(({ name, summaries, categories }) =>
    [...summaries.map((summary) => ({ ...summary, category: '' })), ...categories]
      .filter((summary) => summary.run === run)
      .map((summary) => ({
        ...summary,
        name: summary.category === '' ? name : `${name}, ${summary.category}`,
      })),
  );
  const warnings = result.sets.flatMap((set) => set.warnings);
  return (
    <section class="comparison" aria-labelledby="report-title">
      <h2 id="report-title">{run}, question by question</h2>
      <table class="plain metrics">
        <TableHead columns={['Set and kind', ...numbers]} />
        <tbody>
          {groups.map(({ name, questions: count, scores }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number" data-name="questions">
                {counted(count)}
              </td>
              <td class="number" data-name="nDCG@10">
                {scores.ndcg_10.toFixed(3)}
              </td>
              <td class="number" data-name="recall@10">
                {scores.recall_10.toFixed(3)}
              </td>
              <td class="number" data-name="hit@1">
                {scores.hit_1.toFixed(3)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {warnings.length > 0 && (
        <details class="notice">
          <summary>{plural(warnings.length, 'warning')} about the questions</summary>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      )}
      <QuestionList project={project} questions={questions.sort((a, b) => a.after - b.after)} />
    </section>
  );
}
