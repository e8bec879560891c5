/** A piece of a page of Markdown, with the first and last line of the text that it stands in, counted from 0. */
export type Block = { readonly lines: readonly [number, number] } & (
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  /** `fields` is what stands above a page about it. */
  | { readonly kind: 'paragraph' | 'quote' | 'fields'; readonly text: string }
  /** With the language that stands beside its fence. */
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'item'; readonly depth: number; readonly mark: string; readonly text: string }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'rule' }
);

const fence = /^\s*(```+|~~~+)/;
const heading = /^\s{0,3}(#{1,6})\s+(.*)$/s;
const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/s;
const rule = /^\s{0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const row = /^\s*\|.*\|\s*$/;
const divider = /^\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?$/;

/** The blocks of a text of Markdown; what is no block of its own is a paragraph. */
export function blocksOf(text: string): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  if (end > 0) blocks.push({ kind: 'fields', text: lines.slice(1, end).join('\n'), lines: [0, end] });
  for (let at = end + 1; at < lines.length; ) {
    const block = blockAt(lines, at);
    if (block) blocks.push(block);
    at = block ? block.lines[1] + 1 : at + 1;
  }
  return blocks;
}

function blockAt(lines: readonly string[], at: number): Block | undefined {
  const line = lines[at] ?? '';
  if (line.trim() === '') return undefined;
  const opening = fence.exec(line)?.[1];
  if (opening !== undefined) {
    const end = endOf(lines, at + 1, (each) => each.trim().startsWith(opening));
    return {
      kind: 'code',
      text: lines.slice(at + 1, end).join('\n'),
      language: line.trim().slice(opening.length).trim().toLowerCase(),
      lines: [at, Math.min(end, lines.length - 1)],
    };
  }
  const [, signs, title = ''] = heading.exec(line) ?? [];
  if (signs !== undefined)
    return { kind: 'heading', level: signs.length, text: titleIn(title), lines: [at, at] };
  if (rule.test(line)) return { kind: 'rule', lines: [at, at] };
  if (row.test(line)) return tableAt(lines, at);
  const [, indent, mark = '', first = ''] = item.exec(line) ?? [];
  if (indent !== undefined) {
    const end = endOf(lines, at + 1, beginsAnother);
    const [, box, task = first] = /^\[([ xX])\]\s+(.*)$/s.exec(first) ?? [];
    const sign = /\d/.test(mark) ? mark : '•';
    return {
      kind: 'item',
      depth: Math.min(4, Math.floor(indent.length / 2)),
      mark: box === undefined ? sign : box === ' ' ? '☐' : '☑',
      text: flowing([task, ...lines.slice(at + 1, end)]),
      lines: [at, end - 1],
    };
  }
  if (/^\s*>/.test(line)) {
    const end = endOf(lines, at + 1, (each) => !/^\s*>/.test(each));
    const said = lines.slice(at, end).map((each) => each.replace(/^\s*>\s?/, ''));
    return { kind: 'quote', text: said.join('\n'), lines: [at, end - 1] };
  }
  const end = endOf(lines, at + 1, beginsAnother);
  return { kind: 'paragraph', text: flowing(lines.slice(at, end)), lines: [at, end - 1] };
}

/** A heading without the signs that may close it, which stand apart. */
function titleIn(text: string): string {
  const title = text.trim();
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  return end === 0 || /\s/.test(title[end - 1] ?? '') ? title.slice(0, end).trimEnd() : title;
}

/** Lines as one text, broken only where their writer asked for it: by two spaces or a backslash at the end. */
function flowing(lines: readonly string[]): string {
  return lines
    .map((line, index) => {
      if (index === lines.length - 1) return line.trim();
      return `${line.replace(/\\$/, '').trim()}${/(?: {2}|\\)$/.test(line) ? '\n' : ' '}`;
    })
    .join('');
}

function tableAt(lines: readonly string[], at: number): Block {
  const end = endOf(lines, at + 1, (each) => !row.test(each));
  const all = lines.slice(at, end);
  const hasHead = divider.test((all[1] ?? '').trim());
  return {
    kind: 'table',
    head: hasHead ? cellsOf(all[0] ?? '') : [],
    rows: all.slice(hasHead ? 2 : 0).map(cellsOf),
    lines: [at, end - 1],
  };
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

function beginsAnother(line: string): boolean {
  return (
    line.trim() === '' ||
    [fence, heading, item, rule, row].some((kind) => kind.test(line)) ||
    /^\s*>/.test(line)
  );
}

/** The first line from there on that is so, or the end. */
function endOf(lines: readonly string[], from: number, is: (line: string) => boolean): number {
  let at = from;
  while (at < lines.length && !is(lines[at] ?? '')) at += 1;
  return at;
}
