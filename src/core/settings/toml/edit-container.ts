import {
  beginsLine,
  endsLine,
  indentOf,
  lineEnd,
  lineStart,
  newlineOf,
  splice,
} from '../../text/text-lines.ts';
import type { TomlValue } from './scan-toml.ts';

/** The text with a further entry in an array or inline table, before the one with this index. */
export function insertEntry(text: string, container: TomlValue, index: number, written: string): string {
  const { entries } = container;
  const before = entries[index - 1];
  const next = entries[index];
  if (before) {
    const end = before.comma === undefined ? before.value.end : before.comma + 1;
    const isLine = beginsLine(text, before.start) && endsLine(text, end);
    if (!isLine && before.comma === undefined) return splice(text, end, end, `, ${written}`);
    if (!isLine) return splice(text, end, end, ` ${written},`);
    const line = `${indentOf(text, before.start)}${written}${before.comma === undefined ? '' : ','}`;
    const at = lineEnd(text, end);
    const withLine = splice(text, at, at, `${line}${newlineOf(text)}`);
    return before.comma === undefined ? splice(withLine, end, end, ',') : withLine;
  }
  if (next) {
    const gap = beginsLine(text, next.start) ? `${newlineOf(text)}${indentOf(text, next.start)}` : ' ';
    return splice(text, next.start, next.start, `${written},${gap}`);
  }
  const at = container.start + 1;
  const padding = container.kind === 'table' ? ' ' : '';
  return splice(text, at, at, `${padding}${written}${text[at] === ' ' ? '' : padding}`);
}

/** The text without an entry of an array or inline table. Comments stay, but for the one behind it in its line. */
export function removeEntry(text: string, { entries }: TomlValue, index: number): string {
  const entry = entries[index];
  const before = entries[index - 1];
  if (!entry) return text;
  const { start, value, comma } = entry;
  const end = comma === undefined ? value.end : comma + 1;
  if (text.slice(value.end, end).includes('#')) {
    return splice(splice(text, end - 1, end), start, value.end);
  }
  if (beginsLine(text, start) && endsLine(text, end)) {
    return splice(text, lineStart(text, start), lineEnd(text, end));
  }
  if (comma !== undefined) {
    const spaces = /^[ \t]*/.exec(text.slice(end))?.[0] ?? '';
    return splice(text, start, end + spaces.length);
  }
  const hasComment = before && text.slice(before.value.end, start).includes('#');
  return splice(text, before && !hasComment ? before.value.end : start, value.end);
}
