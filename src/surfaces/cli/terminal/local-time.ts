/** A moment of JSON, which is in UTC, as a person reads it: `2026-01-31 14:05 +01:00`, in the time of this machine. */
export function localTime(moment: string): string {
  const date = new Date(moment);
  const minutes = -date.getTimezoneOffset();
  const two = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const zone = `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())} ${zone}`;
}
