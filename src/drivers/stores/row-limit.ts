/** A limit that every engine takes: a whole number, not negative, and no larger than one of 32 bits. */
export function rowLimit(limit: number): number {
  return Math.trunc(Math.max(0, Math.min(limit || 0, 2 ** 31 - 1)));
}
