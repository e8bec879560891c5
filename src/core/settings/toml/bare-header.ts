import { lineEnd, lineStart, newlineOf, splice } from '../../text/text-lines.ts';
import { scanToml, type TomlSection } from './scan-toml.ts';

type HeadedSection = TomlSection & { readonly header: NonNullable<TomlSection['header']> };

/**
 * A TOML text without the header of the table that a key at this path was taken out of, where it was the last one there. A header that has
 * a comment above, behind or below it stays with its comment, and so does one that was empty before.
 */
export function withoutBareHeader(before: string, after: string, path: readonly string[]): string {
  const isAbove = ({ path: own }: TomlSection): boolean =>
    own.length < path.length && own.every((name, index) => name === path[index]);
  const filled = scanToml(before).filter(({ entries }) => entries.length > 0);
  const sections = scanToml(after);
  const at = sections.findIndex(
    (section) =>
      isAbove(section) &&
      section.entries.length === 0 &&
      filled.some((one) => isSame(one.path, section.path)),
  );
  const section = sections[at];
  if (!section || !isHeaded(section) || after.startsWith('[[', section.header.start)) return after;
  return withoutLines(after, section, sections[at + 1]?.header?.start);
}

function withoutLines(text: string, { header }: HeadedSection, next: number | undefined): string {
  const start = lineStart(text, header.start);
  const end = lineEnd(text, header.end);
  const nextLine = next === undefined ? text.length : lineStart(text, next);
  const above = text.slice(0, start);
  const isNoted = /(?:^|\n)\ufeff?[ \t]*#[^\n]*\n$/.test(above) || text.slice(header.end, end).trim() !== '';
  // Blank lines, and comments that stand right above the next header and speak of that.
  const below = /^(?:[ \t]*\r?\n)*(?=((?:[ \t]*#[^\n]*\n)*)$)/.exec(text.slice(end, nextLine));
  const isOfNext = below?.[1] === '' || (below?.[0] !== '' && next !== undefined);
  if (isNoted || !below || !isOfNext) return text;
  if (next !== undefined) return splice(text, start, end + below[0].length);
  const kept = withoutBlankEnd(above);
  return kept === '' || kept === '\ufeff' ? kept : kept + newlineOf(text);
}

/** One look back from the end: an expression would try each run of blanks. */
function withoutBlankEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\r\n'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function isHeaded(section: TomlSection): section is HeadedSection {
  return section.header !== undefined;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}
