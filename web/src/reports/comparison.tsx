import { verdictOf } from '../../../src/evaluation/measures/comparison.ts';
import { metricNames } from '../../../src/evaluation/measures/metrics.ts';
import { perform, type ResultOf } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../shell/problem.tsx';
import { TableHead } from '../shell/table-head.tsx';
import { ago, counted } from '../shell/words.ts';
import type { RunChoice } from './choice.ts';
import { QuestionList } from './question-list.tsx';

type Compared = ResultOf<'report compare'>;
const numbers = ['Before', 'After', 'Difference'].map((name) => ({ name, kind: 'number' as const }));

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
        {after.run} against {before.run}{' '}
        <span class="quiet small">
          {ago(result.after.created_at)}, and {ago(result.before.created_at)}
        </span>
      </h2>
      {result.comparisons.map((compared) => (
        <p key={compared.set ?? ''} class={tone(compared)} role="status">
          <b>{verdictOf(compared)}</b>
          <span>
            {' '}
            {compared.set === undefined ? 'in all sets together' : `in the set “${compared.set}”`}: nDCG@10{' '}
            {signed(compared.difference)}, 95 % between {signed(compared.interval[0])} and{' '}
            {signed(compared.interval[1])}. {counted(compared.won)} rose, {counted(compared.lost)} fell,{' '}
            {counted(compared.equal)} stayed.
          </span>
        </p>
      ))}
      {result.warnings.map((warning) => (
        <p key={warning} class="notice">
          {warning}
        </p>
      ))}
      <Settings before={result.before.settings} after={result.after.settings} />
      <MetricTable metrics={result.metrics} />
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

function MetricTable({ metrics }: { metrics: Compared['metrics'] }) {
  const widest = Math.max(0.05, ...metrics.flatMap(({ interval }) => interval.map(Math.abs)));
  return (
    <table class="plain metrics">
      <TableHead columns={['Metric', ...numbers, '95 % interval']} />
      <tbody>
        {metrics.map(({ metric, before, after, difference, interval, real }) => (
          <tr key={metric}>
            <th scope="row">{metricNames[metric]}</th>
            <td class="number" data-name="before">
              {before.toFixed(3)}
            </td>
            <td class="number" data-name="after">
              {after.toFixed(3)}
            </td>
            <td class={`number ${real ? (difference > 0 ? 'is-up' : 'is-down') : ''}`} data-name="difference">
              {signed(difference)}
            </td>
            <td>
              <Interval difference={difference} interval={interval} widest={widest} />
              <span class="quiet small">
                {signed(interval[0])} to {signed(interval[1])}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The interval around the difference, on an axis with zero in its middle. */
function Interval({
  difference,
  interval: [low, high],
  widest,
}: {
  difference: number;
  interval: readonly [number, number];
  widest: number;
}) {
  const at = (value: number): number => 100 + (value / widest) * 92;
  return (
    <svg class="interval" viewBox="0 0 200 16" width="200" height="16" aria-hidden="true">
      <path class="axis" d="M0 8H200" />
      <path class="zero" d="M100 1V15" />
      <path class="reach" d={`M${at(low)} 8H${Math.max(at(high), at(low) + 0.5)}`} />
      <circle cx={at(difference)} cy="8" r="4" />
    </svg>
  );
}

function Settings({ before, after }: Record<'before' | 'after', Compared['before']['settings']>) {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  if (keys.length === 0) return null;
  const shown = (value: unknown) => (value === undefined ? 'as in the files' : JSON.stringify(value));
  return (
    <ul class="changed-settings">
      {keys.map((key) => (
        <li key={key}>
          <code>{key}</code>: {shown(before[key])} → {shown(after[key])}
        </li>
      ))}
    </ul>
  );
}

function tone({ real, difference }: { real: boolean; difference: number }): string {
  if (!real) return 'verdict';
  return difference > 0 ? 'verdict is-better' : 'verdict is-worse';
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
