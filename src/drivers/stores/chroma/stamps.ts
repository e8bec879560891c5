import { randomBytes } from 'node:crypto';

let last = 0;

/**
 * A moment that is later than all that this process gave and than what it has seen of others, in microseconds; the next
 * `size` of them belong to it.
 */
export function nextMoment(seen: number, size = 1): number {
  const moment = Math.max(last, seen + 1, Date.now() * 1000 + Math.floor(1000 * Math.random()));
  last = moment + size;
  return moment;
}

/** The moment that many milliseconds ago. */
export function momentBefore(milliseconds: number): number {
  return (Date.now() - milliseconds) * 1000;
}

/** A name for what is written at a moment, which no other writer gives. */
export function stampOf(moment: number): string {
  return `${moment.toString(36)}.${randomBytes(6).toString('hex')}`;
}

export function momentOf(stamp: string): number {
  return Number.parseInt(stamp, 36);
}
