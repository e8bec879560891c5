import { QuarryError } from '../errors.ts';

// The parser accepts almost any text with a number in it: `yesterday 1` is a day in 2001.
const isoPattern = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const agoPattern = /^(\d{1,6})\s*(h|d|w|y)$/i;

/** The moment that a person wrote, in milliseconds since 1970: a date, `7d`, `2w`, `3h`, `1y`, `today` or `yesterday`. */
export function momentOf(field: string, written: string, now = new Date()): number {
  const moment = dayOf(written, now) ?? agoOf(written, now) ?? dateOf(written);
  if (moment !== undefined) return moment;
  throw new QuarryError(
    'usage-invalid',
    `"${written}" is not a date for ${field}.`,
    'Write it as 2026-01-31, 2026-01-31T12:00:00Z, 7d, 2w, 3h, 1y, today or yesterday.',
  );
}

/** The moment up to which something lasts that a person wrote; a day means all of it. */
export function endOf(field: string, written: string, now = new Date()): number {
  const moment = momentOf(field, written, now);
  if (dayOf(written, now) !== undefined) {
    const day = new Date(moment);
    // Not a number of hours: a day on which clocks are changed has others.
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
  }
  return written.length === '2026-01-31'.length && isoPattern.test(written) ? moment + 86_400_000 : moment;
}

/** The first moment of today or yesterday, by the clock of this machine. */
function dayOf(written: string, now: Date): number | undefined {
  const back = ['today', 'yesterday'].indexOf(written.toLowerCase());
  return back < 0 ? undefined : new Date(now.getFullYear(), now.getMonth(), now.getDate() - back).getTime();
}

/** `2w` is two weeks ago, at this time of the day. */
function agoOf(written: string, now: Date): number | undefined {
  const [, digits, unit] = agoPattern.exec(written) ?? [];
  if (unit === undefined) return undefined;
  const count = Number(digits);
  const then = new Date(now);
  if (unit.toLowerCase() === 'h') then.setTime(now.getTime() - count * 3_600_000);
  else if (unit.toLowerCase() === 'y') then.setFullYear(now.getFullYear() - count);
  else then.setDate(now.getDate() - count * (unit.toLowerCase() === 'w' ? 7 : 1));
  // What lies before all dates that there are leaves nothing out.
  return Number.isNaN(then.getTime()) ? Number.MIN_SAFE_INTEGER : then.getTime();
}

function dateOf(written: string): number | undefined {
  if (!isoPattern.test(written)) return undefined;
  const moment = Date.parse(written);
  // The parser turns February 30 into a day of March.
  const day = written.slice(0, 10);
  return !Number.isNaN(moment) && new Date(`${day}T00:00Z`).toISOString().startsWith(day)
    ? moment
    : undefined;
}
