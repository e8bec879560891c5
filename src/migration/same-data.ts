import { isDeepStrictEqual } from 'node:util';

/** Whether two records say the same: a field that is absent and one that is undefined are no difference. */
export function isSameData(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one, other) || isDeepStrictEqual(plain(one), plain(other));
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
