import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';

type Entry = NonNullable<SearchHit['trace']>[number];

const stageNames: Readonly<Record<string, string>> = {
  dense: 'by meaning',
  text: 'by words',
  pattern: 'as it is written',
  path: 'a path in the query',
  quote: 'a quote in the query',
  fuse: 'both together',
  rerank: 'looked at closer',
};

/** What each stage and each rule did with a hit, as bars. Searchers have units of their own: each is drawn beside its best hit. */
export function ScoreBars({ hit, hits }: { hit: SearchHit; hits: readonly SearchHit[] }) {
  const trace = hit.trace ?? [];
  const isRule = ({ stage, note }: Entry): boolean => stage === 'rank' || note !== undefined;
  const rules = trace.filter(isRule);
  const maxRuleSize = Math.max(...rules.map(({ score }) => Math.abs(score)), 0.01);
  return (
    <div class="bars">
      <table>
        <caption>Found</caption>
        <tbody>
          {trace
            .filter((entry) => !isRule(entry))
            .map((entry) => (
              <Bar
                key={entry.stage}
                name={stageNames[entry.stage] ?? entry.stage}
                share={entry.score / bestOf(entry.stage, hits)}
                value={`${entry.rank === undefined ? '' : `${entry.rank}. `}${precise(entry.score)}`}
              />
            ))}
        </tbody>
      </table>
      {rules.length > 0 && (
        <table>
          <caption>Raised and lowered</caption>
          <tbody>
            {rules.map((entry) => (
              <Bar
                key={`${entry.stage} ${entry.note}`}
                name={entry.note ?? stageNames[entry.stage] ?? entry.stage}
                share={entry.score / maxRuleSize}
                value={`${entry.score >= 0 ? '+' : '−'}${precise(Math.abs(entry.score))}`}
              />
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function Bar({ name, share, value }: { name: string; share: number; value: string }) {
  const width = `${Math.round(Math.min(Math.abs(share), 1) * 100)}%`;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <span class="bar-track" aria-hidden="true">
          <span class={share < 0 ? 'bar-fill is-negative' : 'bar-fill'} style={{ width }} />
        </span>
      </td>
      <td class="number">{value}</td>
    </tr>
  );
}

function bestOf(stage: string, hits: readonly SearchHit[]): number {
  const scores = hits.flatMap(({ trace }) => trace ?? []).filter((entry) => entry.stage === stage);
  return Math.max(...scores.map(({ score }) => Math.abs(score)), Number.EPSILON);
}

function precise(score: number): string {
  return score !== 0 && Math.abs(score) < 0.01 ? score.toPrecision(2) : score.toFixed(2);
}
