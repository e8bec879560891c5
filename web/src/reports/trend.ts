import type { Report } from './choice.ts';

/** How a run came out over time: the oldest first. */
export interface Trend {
  readonly run: string;
  readonly scores: readonly { readonly report: string; readonly at: string; readonly score: number }[];
}

/** Runs that were made at least this often have a line. */
const minScores = 2;
/** Runs that are drawn, those that were made most often. */
const maxTrends = 4;

/** The runs that were made again over the same sets of questions, with how each came out. */
export function trendsOf(reports: readonly Report[]): Trend[] {
  const [newest] = reports;
  const setsOf = (report: Report): string => report.sets.map(({ name }) => name).join(', ');
  // Other questions say nothing of a change.
  const alike = reports.filter((report) => newest && setsOf(report) === setsOf(newest)).toReversed();
  const scores = alike.flatMap(({ id, created_at, overall }) =>
    overall.map((summary) => ({
      run: summary.run,
      report: id,
      at: created_at,
      score: summary.scores.ndcg_10,
    })),
  );
  return [...Map.groupBy(scores, ({ run }) => run)]
    .map(([run, own]) => ({ run, scores: own }))
    .filter((trend) => trend.scores.length >= minScores)
    .sort((one, other) => other.scores.length - one.scores.length)
    .slice(0, maxTrends);
}
