import { type Column, TableHead } from '../shell/table-head.tsx';
import { ago, counted, plainly } from '../shell/words.ts';
import type { Choice, Report, RunChoice } from './choice.ts';

const shownMetrics = [
  ['recall_10', 'recall@10'],
  ['mrr_10', 'MRR@10'],
  ['hit_1', 'hit@1'],
] as const;
const columns: readonly Column[] = [
  ...['Before', 'After', 'Run', 'Made', 'Questions', 'nDCG@10'],
  ...[...shownMetrics.map(([, name]) => name), 'p95'].map((name) => ({ name, kind: 'number' as const })),
];

const sideNames = { before: 'Before', after: 'After' };

/** Every run of every report, newest first; two of them are chosen for the comparison. */
export function ReportTable({
  reports,
  choice,
  onChoose,
}: {
  reports: readonly Report[];
  choice: Choice;
  onChoose: (next: Partial<Choice>) => void;
}) {
  const rows = reports.flatMap((report) => report.overall.map((summary) => ({ report, summary })));
  return (
    <div class="report-table">
      <table class="plain">
        <TableHead columns={columns} />
        <tbody>
          {rows.map(({ report, summary }) => {
            const run: RunChoice = { report: report.id, run: summary.run };
            const { scores, half_widths } = summary;
            const name = `${plainly(summary.run)}, ${new Date(report.created_at).toLocaleString()}`;
            return (
              <tr key={`${run.report} ${run.run}`}>
                <td class="pick">
                  <Pick
                    side="before"
                    name={name}
                    isChosen={isSame(choice.before, run)}
                    isDisabled={isSame(choice.after, run)}
                    onPick={() => onChoose({ before: run })}
                  />
                </td>
                <td class="pick">
                  <Pick
                    side="after"
                    name={name}
                    isChosen={isSame(choice.after, run)}
                    isDisabled={isSame(choice.before, run)}
                    onPick={() => onChoose({ after: run })}
                  />
                </td>
                <th scope="row">{plainly(summary.run)}</th>
                <td title={new Date(report.created_at).toLocaleString()}>{ago(report.created_at)}</td>
                <td>
                  {counted(summary.questions)}{' '}
                  <span class="quiet">{plainly(report.sets.map((set) => set.name).join(', '))}</span>
                </td>
                <td data-name="nDCG@10">
                  <span class="score">
                    <span class="bar-track" aria-hidden="true">
                      <span class="bar-fill" style={{ width: `${scores.ndcg_10 * 100}%` }} />
                    </span>
                    {scores.ndcg_10.toFixed(3)} <span class="quiet">±{half_widths.ndcg_10.toFixed(2)}</span>
                  </span>
                </td>
                {shownMetrics.map(([metric, label]) => (
                  <td key={metric} class="number" data-name={label}>
                    {scores[metric].toFixed(3)}
                  </td>
                ))}
                <td class="number" data-name="p95">
                  {Math.round(summary.p95_ms)} ms
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {choice.before && (
        <button type="button" class="link" onClick={() => onChoose({ before: undefined })}>
          Show the later one alone
        </button>
      )}
    </div>
  );
}

function Pick({
  side,
  name,
  isChosen,
  isDisabled,
  onPick,
}: {
  side: 'before' | 'after';
  name: string;
  isChosen: boolean;
  isDisabled: boolean;
  onPick: () => void;
}) {
  return (
    <label>
      <input
        type="radio"
        name={side}
        aria-label={`${sideNames[side]}: ${name}`}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onPick}
      />
      <span class="pick-name" aria-hidden="true">
        {sideNames[side]}
      </span>
    </label>
  );
}

function isSame(one: RunChoice | undefined, other: RunChoice): boolean {
  return one?.report === other.report && one.run === other.run;
}
