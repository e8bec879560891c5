import { shownText } from '../../core/text/shown-text.ts';

/** Foreign text on one line; a long one is cut. */
export function oneLine(text: string, maxLength = 200): string {
  const plain = shownText(text).replace(/\s+/g, ' ').trim();
  const letters = [...plain];
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : plain;
}

/** Text escaped for HTML and SVG, also inside attributes. */
export function escapeMarkup(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Text escaped for Markdown: no links, pictures, tables or tags. */
export function escapeMarkdown(text: string): string {
  const marks = text.replace(/[\\`*_{}[\]#|!~@$^]/g, '\\$&').replace(/:(?=\/\/)|(?<=www)\./gi, '\\$&');
  // Not every Markdown reader understands a backslash before a tag.
  return escapeMarkup(marks);
}

/** Warnings that a report lists; the others are only counted. */
const listedWarnings = 50;

/** The first of many warnings, and how many more there are. */
export function firstOf(warnings: readonly string[]): string[] {
  const more = warnings.length - listedWarnings;
  return [...warnings.slice(0, listedWarnings), ...(more > 0 ? [`… and ${more} more`] : [])];
}
