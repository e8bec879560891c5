import { beginningOf } from '../../core/text/shortened.ts';

/** A part of a Markdown file that stands on its own. */
export interface Block {
  readonly kind: 'heading' | 'fence' | 'table' | 'front-matter' | 'text';
  readonly start: number;
  readonly end: number;
  /** 1 to 6 for a heading, else 0. */
  readonly level: number;
  /** The words of a heading, without its marks. */
  readonly title: string;
}

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Cuts Markdown into headings, fences, tables and runs of text; blank lines separate and belong to none. */
export function markdownBlocks(text: string): Block[] {
  const lines = linesWithOffsets(text);
  const blocks: Block[] = [];
  let at = 0;
  const front = frontMatterEnd(lines);
  if (front > 0) {
    blocks.push(block('front-matter', lines, 0, front));
    at = front;
  }
  while (at < lines.length) {
    const line = lines[at] as Line;
    if (line.text.trim() === '') {
      at += 1;
      continue;
    }
    const heading = atxHeading(line.text);
    const until = heading ? at + 1 : (fenceEnd(lines, at) ?? textEnd(lines, at));
    const last = lines[until - 1] as Line;
    if (heading) blocks.push({ ...block('heading', lines, at, until), ...heading });
    else if (fenceEnd(lines, at) !== undefined) blocks.push(block('fence', lines, at, until));
    else if (until - at > 1 && setextLevel(last.text) > 0) blocks.push(setextHeading(lines, at, until));
    else blocks.push(block(isTable(lines, at) ? 'table' : 'text', lines, at, until));
    at = until;
  }
  return blocks;
}

/** Lines in which the end of a fence in a list or a quote is looked for. */
const maxInnerFenceLength = 1000;

/** The opening of a fence; what stands before it may be indentation, quote marks, and the mark of a list item. */
const fencePattern = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(`{3,}(?!.*`)|~{3,})/;

function linesWithOffsets(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline + 1;
    lines.push({ start, end, text: text.slice(start, end).replace(/\r?\n$/, '') });
    start = end;
  }
  return lines;
}

function block(kind: Block['kind'], lines: readonly Line[], from: number, until: number): Block {
  return {
    kind,
    start: lines[from]?.start ?? 0,
    end: lines[until - 1]?.end ?? 0,
    level: 0,
    title: '',
  };
}

/** Number of lines that the front matter takes, its fences included; 0 when there is none. */
function frontMatterEnd(lines: readonly Line[]): number {
  const mark = lines[0]?.text.replace(/^\ufeff/, '').trimEnd();
  if (mark !== '---' && mark !== '+++') return 0;
  for (let at = 1; at < lines.length; at += 1) {
    const line = lines[at]?.text.trimEnd();
    if (line === mark || (mark === '---' && line === '...')) return at + 1;
  }
  return 0;
}

function atxHeading(line: string): { level: number; title: string } | undefined {
  const match = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/.exec(line);
  return match
    ? { level: match[1]?.length ?? 0, title: plainTitle(withoutClosing(match[2] ?? '')) }
    : undefined;
}

/** Without the `##` that may close a heading. No pattern: a long run of blanks or marks would take the square of its length. */
function withoutClosing(written: string): string {
  const text = written.trim();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  return /[ \t]/.test(text[end - 1] ?? '') ? text.slice(0, end) : text;
}

/** UTF-16 units of a heading that are read: a longer one is data, and each of its brackets would be looked for to the end. */
const maxTitle = 1000;

function setextLevel(line: string): number {
  if (/^ {0,3}=+[ \t]*$/.test(line)) return 1;
  return /^ {0,3}-{2,}[ \t]*$/.test(line) ? 2 : 0;
}

function setextHeading(lines: readonly Line[], from: number, until: number): Block {
  const words = lines.slice(from, until - 1).map((line) => line.text.trim());
  const level = setextLevel(lines[until - 1]?.text ?? '');
  return { ...block('heading', lines, from, until), level, title: plainTitle(words.join(' ')) };
}

/** A heading as people say it: no links, emphasis, code marks or anchors. */
function plainTitle(raw: string): string {
  return beginningOf(raw, maxTitle)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\{#[^}]*\}\s*$/, '')
    .replace(/<[^>]+>/g, '')
    .replace(/[`*]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * The line after a fence that opens at `from`, or undefined when none opens there. An open fence runs to the end, but one
 * in a list or a quote, whose end is not always to be seen, is none.
 */
function fenceEnd(lines: readonly Line[], from: number): number | undefined {
  const [, before = '', opening] = fencePattern.exec(lines[from]?.text ?? '') ?? [];
  if (!opening) return undefined;
  const isInside = !/^ {0,3}$/.test(before);
  const closing = new RegExp(
    `^${isInside ? '[ \\t>]*' : ' {0,3}'}\\${opening[0]}{${opening.length},}[ \\t]*$`,
  );
  const last = isInside ? Math.min(lines.length, from + maxInnerFenceLength) : lines.length;
  for (let at = from + 1; at < last; at += 1) if (closing.test(lines[at]?.text ?? '')) return at + 1;
  return isInside ? undefined : lines.length;
}

/** The line after a run of text: a blank line, a heading, a fence or a table ends it, an underline makes it a heading. */
function textEnd(lines: readonly Line[], from: number): number {
  let at = from + 1;
  for (; at < lines.length; at += 1) {
    const line = lines[at]?.text ?? '';
    if (line.trim() === '' || atxHeading(line) || fenceEnd(lines, at) !== undefined) return at;
    if (isTable(lines, at) && !isTable(lines, from)) return at;
    if (setextLevel(line) > 0 && !/^\s*([-*+>|]|\d+[.)])\s/.test(lines[at - 1]?.text ?? '')) return at + 1;
  }
  return at;
}

function isTable(lines: readonly Line[], from: number): boolean {
  // Trimmed before: where blanks may stand in two parts of a pattern, a long run of them takes the square of its length.
  const delimiter = (lines[from + 1]?.text ?? '').trim();
  return delimiter.includes('|') && /^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?$/.test(delimiter);
}
