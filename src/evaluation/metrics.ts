/** Discounted gain of the first `depth` documents against the best possible order; 1 is perfect. */
export function ndcg(
  ranked: readonly string[],
  relevant: ReadonlyMap<string, number>,
  depth: number,
): number {
  const gain = (grades: readonly number[]) =>
    grades.slice(0, depth).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0);
  const ideal = gain([...relevant.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranked.map((id) => relevant.get(id) ?? 0)) / ideal;
}

/** Share of the relevant documents among the first `depth`. */
export function recall(
  ranked: readonly string[],
  relevant: ReadonlyMap<string, number>,
  depth: number,
): number {
  return relevant.size === 0
    ? 0
    : ranked.slice(0, depth).filter((id) => relevant.has(id)).length / relevant.size;
}

/** One divided by the place of the first relevant document within `depth`; 0 when there is none. */
export function reciprocalRank(
  ranked: readonly string[],
  relevant: ReadonlyMap<string, number>,
  depth: number,
): number {
  const index = ranked.slice(0, depth).findIndex((id) => relevant.has(id));
  return index === -1 ? 0 : 1 / (index + 1);
}

/** Arithmetic mean; 0 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
