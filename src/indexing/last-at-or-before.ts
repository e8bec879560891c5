/** Index of the last of the rising numbers that is not above `limit`; -1 where all of them are. */
export function lastAtOrBefore(rising: ArrayLike<number>, limit: number): number {
  let low = -1;
  let high = rising.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? 0) <= limit) low = middle;
    else high = middle;
  }
  return low;
}
