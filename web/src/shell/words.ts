import { shownLine } from '../../../src/core/text/shown-text.ts';

const numbers = new Intl.NumberFormat('en');

/** A number for a person. */
export function counted(count: number): string {
  return numbers.format(count);
}

/** A number with its noun. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${counted(count)} ${count === 1 ? one : many}`;
}

/** A size for a person. */
export function bytes(size: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = size < 1 ? 0 : Math.min(Math.floor(Math.log10(size) / 3), units.length - 1);
  const value = size / 1000 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${units[power]}`;
}

/** How long ago, or how long, in words. */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** A moment in the past, from now. */
export function ago(moment: string): string {
  const seconds = (Date.now() - Date.parse(moment)) / 1000;
  return seconds < 5 ? 'just now' : `${duration(seconds)} ago`;
}

/** The headings above a passage, outermost first. */
export function sectionOf(section: string): string {
  return plainly(section).replaceAll(' > ', ' › ');
}

/** A text with every deceptive character as its number; tabs stay as they are. */
export function plainly(text: string): string {
  return text.split('\t').map(shownLine).join('\t');
}
