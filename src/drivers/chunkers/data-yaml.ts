import type { DataChild, Divide } from './data-sections.ts';
import type { TextRange } from './lines.ts';
import { lineRanges } from './sections.ts';

interface YamlLine extends TextRange {
  readonly indent: number;
  /** The line without indentation and line end; empty for a blank line or a comment. */
  readonly content: string;
}

const maxLineLength = 300;
const keyPattern = /^(?:"([^"]+)"|'([^']+)'|([^\s"'#\-{[&*!|>%@`][^:]*?|-[^\s:][^:]*?))\s*:(?:\s|$)/;

/** Keys or items by their indentation, those of several documents one after the other; comments go with what follows. */
export const yamlChildren: Divide = (text, range, depth) => {
  const lines = Array.from(lineRanges(text, range), (line) => yamlLine(text, line));
  if (depth === 0) return documentsOf(lines, range);
  // The first line of a value is its key.
  const head = lines.findIndex((line) => line.content !== '' && !isMark(line));
  const blockText = /[|>][+-]?\d?$/.test(lines[head]?.content ?? '');
  return blockText ? [] : childrenOf(lines.slice(head + 1), range);
};

function childrenOf(lines: readonly YamlLine[], range: TextRange): DataChild[] {
  const filled = lines.filter((line) => line.content !== '' && !isMark(line));
  const level = filled.reduce((min, line) => Math.min(min, line.indent), Number.POSITIVE_INFINITY);
  const list = isItem(filled.find((line) => line.indent === level)?.content ?? '');
  const starts: { start: number; name: string | number }[] = [];
  let pending: number | undefined;
  for (const line of lines) {
    if (line.content === '') {
      pending ??= line.start;
      continue;
    }
    const name =
      line.indent !== level ? undefined : list ? itemName(line, starts.length) : keyOf(line.content);
    if (name !== undefined) starts.push({ start: pending ?? line.start, name });
    pending = undefined;
  }
  return withEnds(starts, range);
}

function documentsOf(lines: readonly YamlLine[], range: TextRange): DataChild[] {
  const marks = lines.flatMap((line, index) => (isMark(line) && index > 0 ? [index] : []));
  const firsts = [0, ...marks];
  const documents = firsts
    .map((first, index) => lines.slice(first, firsts[index + 1] ?? lines.length))
    .filter((document) => document.some((line) => line.content !== '' && !isMark(line)));
  const ends = documents.map((_, index) => documents[index + 1]?.[0]?.start ?? range.end);
  return documents.flatMap((document, index) => {
    const whole = {
      start: index === 0 ? range.start : (document[0]?.start ?? 0),
      end: ends[index] ?? range.end,
    };
    const number = documents.length > 1 ? `document ${index + 1}` : '';
    const children = childrenOf(document, whole);
    if (number === '') return children;
    if (children.length === 0) return [{ ...whole, name: number }];
    return children.map((child) => ({ ...child, name: `${number} > ${child.name}` }));
  });
}

/** What stands before the first child goes with it. */
function withEnds(
  starts: readonly { start: number; name: string | number }[],
  range: TextRange,
): DataChild[] {
  return starts.map(({ start, name }, index) => ({
    start: index === 0 ? range.start : start,
    end: starts[index + 1]?.start ?? range.end,
    name,
  }));
}

function yamlLine(text: string, { start, end }: TextRange): YamlLine {
  const line = text.slice(start, Math.min(end, start + maxLineLength));
  const content = line.trim();
  return {
    start,
    end,
    indent: line.length - line.trimStart().length,
    content: content.startsWith('#') ? '' : content,
  };
}

function isMark(line: YamlLine | undefined): boolean {
  return line?.indent === 0 && /^---(\s|$)/.test(line.content);
}

function isItem(content: string): boolean {
  return /^-(\s|$)/.test(content);
}

function itemName({ content }: YamlLine, index: number): number | undefined {
  return isItem(content) ? index : undefined;
}

function keyOf(content: string): string | undefined {
  const match = keyPattern.exec(content);
  return (match?.[1] ?? match?.[2] ?? match?.[3])?.trim().slice(0, 80);
}
