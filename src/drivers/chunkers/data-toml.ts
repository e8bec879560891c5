import type { DataChild, Divide } from './data-sections.ts';
import { lineRanges } from './sections.ts';

const maxLineLength = 300;
const tablePattern = /^\s*\[{1,2}\s*([^\]\n]+?)\s*\]{1,2}\s*(?:[#;].*)?$/;
const keyPattern = /^\s{0,8}("[^"\n]+"|'[^'\n]+'|[\w.-]+(?:\s[\w.-]+)?)\s*[=:]/;

/** TOML and INI: by table, a table that is too large by its keys; comments go with what follows them. */
export const tableChildren: Divide = (text, range, depth) => {
  if (depth > 1) return [];
  const children: DataChild[] = [];
  let quotes = '';
  let pending: number | undefined;
  for (const { start, end } of lineRanges(text, range)) {
    const line = text.slice(start, Math.min(end, start + maxLineLength)).trimEnd();
    const inString = quotes !== '';
    quotes = openQuotes(line, quotes);
    if (!inString && /^\s*(?:[#;].*)?$/.test(line)) {
      pending ??= start;
      continue;
    }
    const name = inString ? undefined : nameIn(line, depth);
    if (name !== undefined) children.push({ start: pending ?? start, end: range.end, name });
    pending = undefined;
  }
  return joinedUp(children, range.start, depth);
};

function nameIn(line: string, depth: number): string | undefined {
  const name = (depth === 0 ? tablePattern : keyPattern).exec(line)?.[1];
  return name
    ?.replaceAll('"', '')
    .replaceAll("'", '')
    .split(/\s*\.\s*/)
    .join(' > ');
}

/** The kind of multi-line string that is open after a line, if any. */
function openQuotes(line: string, before: string): string {
  let open = before;
  for (const [mark] of line.matchAll(/"""|'''/g)) {
    if (open === '') open = mark;
    else if (open === mark) open = '';
  }
  return open;
}

/** Gives each child its end. The line of a table goes with its first key; what stands before all tables has no name. */
function joinedUp(children: readonly DataChild[], start: number, depth: number): DataChild[] {
  const [first, ...rest] = children.map((child, index) => ({
    ...child,
    end: children[index + 1]?.start ?? child.end,
  }));
  if (!first) return [];
  if (depth > 0 || first.start === start) return [{ ...first, start }, ...rest];
  return [{ start, end: first.start, name: '' }, first, ...rest];
}
