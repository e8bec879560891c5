const day = 24 * 3600 * 1000;

/** The moment so many days before today, at an hour of the day. */
export function daysBefore(today: number, days: number, hour = 9): number {
  return Math.floor(today / day) * day - days * day + hour * 3600 * 1000;
}

/** As people write a day in a letter: `Thursday 12 March`. */
export function spokenDay(moment: number): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(moment);
}

/** `2026-03-12`. */
export function plainDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
