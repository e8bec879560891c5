import { likelihood } from '../../src/retrieval/calibration/calibrate.ts';
import type { Curve } from '../../src/retrieval/calibration/curves.ts';
import { type Row, returnedOffTopic } from './fit.ts';

const levels = [0.3, 0.5, 0.7];

/** How a curve holds on rows that it may not have seen: by level and set, then by bins of relevance. */
export function reportOf(title: string, rows: readonly Row[], curveOf: (set: string) => Curve): string {
  const sets = [...new Set(rows.map(({ set }) => set))].sort();
  const head = `| ${title} | ${levels.map((level) => `hits from ${level} | relevant | of all relevant | off topic`).join(' | ')} |`;
  const ruler = `|---|${levels.map(() => '---|---|---|---|').join('')}`;
  const lines = [...sets, 'all'].map((set) => {
    const own = rows.filter((row) => set === 'all' || row.set === set);
    return `| ${set} | ${levels.map((level) => cellsOf(own, curveOf, level)).join(' | ')} |`;
  });
  return [head, ruler, ...lines, '', ...binsOf(rows, curveOf), ''].join('\n');
}

function cellsOf(rows: readonly Row[], curveOf: (set: string) => Curve, level: number): string {
  const own = rows.filter(({ isOffTopic }) => !isOffTopic);
  const above = own.filter(({ set, signals }) => likelihood(curveOf(set), signals) >= level);
  const relevant = above.filter(({ isRelevant }) => isRelevant).length;
  const all = own.filter(({ isRelevant }) => isRelevant).length;
  const offTopic = returnedBySet(rows, curveOf, level);
  return [
    `${above.length} of ${own.length}`,
    above.length === 0 ? '-' : (relevant / above.length).toFixed(2),
    (relevant / Math.max(1, all)).toFixed(2),
    `${(100 * offTopic).toFixed(1)} %`,
  ].join(' | ');
}

/** Off-topic questions that return anything, weighed by how many there are of each set. */
function returnedBySet(rows: readonly Row[], curveOf: (set: string) => Curve, level: number): number {
  const offTopic = rows.filter(({ isOffTopic }) => isOffTopic);
  const groups = [...Map.groupBy(offTopic, ({ set }) => set)].map(([set, own]) => {
    const questions = new Set(own.map(({ question }) => question)).size;
    return { questions, returned: questions * returnedOffTopic(own, curveOf(set), level) };
  });
  const sum = (of: 'questions' | 'returned') => groups.reduce((total, group) => total + group[of], 0);
  return sum('returned') / Math.max(1, sum('questions'));
}

/** Whether hits are as relevant as is said of them, sets counting equally. */
function binsOf(rows: readonly Row[], curveOf: (set: string) => Curve): string[] {
  const own = rows.filter(({ isOffTopic }) => !isOffTopic);
  const sizes = Map.groupBy(own, ({ set }) => set);
  const judged = own.map(({ set, signals, isRelevant }) => {
    const said = likelihood(curveOf(set), signals);
    return { said, weight: 1 / (sizes.get(set)?.length ?? 1), relevant: isRelevant ? 1 : 0 };
  });
  const bins = Map.groupBy(judged, ({ said }) => Math.min(9, Math.floor(10 * said)));
  const lines = [...bins]
    .sort(([a], [b]) => a - b)
    .map(([bin, inside]) => {
      const total = inside.reduce((sum, { weight }) => sum + weight, 0);
      const mean = (of: 'said' | 'relevant') =>
        inside.reduce((sum, hit) => sum + hit.weight * hit[of], 0) / total;
      return `| ${bin / 10} to ${(bin + 1) / 10} | ${inside.length} | ${mean('said').toFixed(2)} | ${mean('relevant').toFixed(2)} |`;
    });
  return ['| relevance | hits | said | judged relevant |', '|---|---|---|---|', ...lines];
}
