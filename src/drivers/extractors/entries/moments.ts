import { beginningOf } from '../../../core/text/shortened.ts';
import type { ContentLine } from './content-lines.ts';

const moment = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2}):?(\d{2})?(Z)?)?/;

/** A day or a moment as a person reads it, with its zone: `2026-03-01 10:00 (Europe/Berlin)`. */
export function momentText({ value, parameters }: ContentLine): string {
  const [, year, month, day, hour, minute, second = '00', isUtc] = moment.exec(value.trim()) ?? [];
  if (year === undefined) return beginningOf(value.trim(), 100);
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return date;
  const zone = isUtc === undefined ? parameters.get('TZID') : 'UTC';
  const time = `${hour}:${minute}${second === '00' ? '' : `:${second}`}`;
  return `${date} ${time}${zone === undefined ? '' : ` (${beginningOf(zone, 100)})`}`;
}

/** The day of a moment as `2026-03-01`; undefined where it is none. */
export function dayOf(value: string): string | undefined {
  const [, year, month, day] = moment.exec(value.trim()) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}
