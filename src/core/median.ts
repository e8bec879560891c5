/** The number in the middle, or between both in the middle; 0 of none. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const upper = sorted.length >> 1;
  return ((sorted[upper] ?? 0) + (sorted[(sorted.length - 1) >> 1] ?? 0)) / 2;
}
