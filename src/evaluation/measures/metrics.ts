/** How well one question was answered; every value lies between 0 and 1. */
export interface Scores {
  readonly ndcg_10: number;
  readonly recall_5: number;
  readonly recall_10: number;
  readonly recall_50: number;
  readonly mrr_10: number;
  readonly hit_1: number;
  readonly hit_5: number;
}

/** A metric by the name it has in JSON. */
export type Metric = keyof Scores;

/** The metrics in the order they are shown, with the names that people know them by. */
export const metricNames: Readonly<Record<Metric, string>> = {
  ndcg_10: 'nDCG@10',
  recall_5: 'recall@5',
  recall_10: 'recall@10',
  recall_50: 'recall@50',
  mrr_10: 'MRR@10',
  hit_1: 'hit@1',
  hit_5: 'hit@5',
};

/** The metrics in the order they are shown. */
export const metrics = Object.keys(metricNames) as readonly Metric[];

/** All metrics of one answer: the grades found, place by place (0 is irrelevant), and the grades there are to find. */
export function scoresOf(gains: readonly number[], grades: readonly number[]): Scores {
  return {
    ndcg_10: ndcg(gains, grades, 10),
    recall_5: recall(gains, grades, 5),
    recall_10: recall(gains, grades, 10),
    recall_50: recall(gains, grades, 50),
    mrr_10: reciprocalRank(gains, 10),
    hit_1: reciprocalRank(gains, 1),
    hit_5: Math.ceil(reciprocalRank(gains, 5)),
  };
}

/** Discounted gain of the first `depth` places against the best possible order; 1 is perfect. */
export function ndcg(gains: readonly number[], grades: readonly number[], depth: number): number {
  const discounted = (values: readonly number[]) =>
    values.slice(0, depth).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0);
  const ideal = discounted([...grades].sort((a, b) => b - a));
  return ideal === 0 ? 0 : Math.min(1, discounted(gains) / ideal);
}

/** Share of what is relevant among the first `depth` places. */
export function recall(gains: readonly number[], grades: readonly number[], depth: number): number {
  return grades.length === 0 ? 0 : gains.slice(0, depth).filter((gain) => gain > 0).length / grades.length;
}

/** One divided by the first relevant place within `depth`; 0 when there is none. */
export function reciprocalRank(gains: readonly number[], depth: number): number {
  const index = gains.slice(0, depth).findIndex((gain) => gain > 0);
  return index === -1 ? 0 : 1 / (index + 1);
}

/** Arithmetic mean; 0 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The mean of each metric over many answers. */
export function meanScores(all: readonly Scores[]): Scores {
  const entries = metrics.map((metric) => [metric, mean(all.map((scores) => scores[metric]))]);
  return Object.fromEntries(entries) as Record<Metric, number>;
}

/** Half the width of the 95 % interval of a mean, by the normal approximation; 0 for a single value. */
export function halfWidth(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
  return 1.96 * Math.sqrt(variance / values.length);
}

/** The value below which a share of the others lie (0.95 for p95), by the nearest rank; 0 of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
