import type { PlaceMark } from '../../../core/place.ts';
import { beginningOf } from '../../../core/text/shortened.ts';
import { importOptional } from '../../../platform/import-optional.ts';
import type { Deadline } from '../bounds.ts';
import { type HtmlBlock, MarkdownWriter } from './markdown-writer.ts';
import { alignLines } from './source-lines.ts';

/** The readable part of a page as Markdown. */
export interface PageText {
  readonly markdown: string;
  /** The lines of the page that the Markdown comes from. */
  lines(): PlaceMark<number>[];
  /** From `<title>`, else from the first `<h1>`. */
  readonly title?: string;
  /** What was left out unread, for a person. */
  readonly degraded?: string;
}

/** Characters given to the parser at once; the deadline is checked between two pieces. */
const pieceLength = 16 * 1024;

/** The parser slows down with the square of the depth; browsers themselves stop at 512 levels. */
const deepestNesting = 5000;

/** A part with this many characters, or with this share of all, is worth reading alone. */
const enoughCharacters = 100;
const enoughShare = 0.5;

/** Turns HTML, even broken HTML, into Markdown of its main content, or of all; stops at the limits of time and size. */
export async function htmlToMarkdown(
  html: string,
  deadline: Deadline,
  outputCharacters: number,
  isAllContent = false,
): Promise<PageText> {
  const { Parser } = await importOptional('htmlparser2', 'Reading HTML', () => import('htmlparser2'));
  const writer = new MarkdownWriter();
  let counted = 0;
  // The parser only moves forward, and so does the count.
  const toLineAt = (offset: number): void => {
    for (let end = html.indexOf('\n', counted); end >= 0 && end < offset; end = html.indexOf('\n', counted)) {
      writer.line += 1;
      counted = end + 1;
    }
  };
  const parser = new Parser({
    onopentag: (name, attributes) => {
      toLineAt(parser.startIndex);
      writer.open(name, attributes);
    },
    ontext: (text) => {
      toLineAt(parser.startIndex);
      writer.text(text);
    },
    onclosetag: (name) => writer.close(name),
  });
  let at = 0;
  let deepest = 0;
  const mayGoOn = () => !deadline.passed() && writer.length <= outputCharacters && deepest <= deepestNesting;
  while (at < html.length && mayGoOn()) {
    parser.write(html.slice(at, at + pieceLength));
    at += pieceLength;
    deepest = Math.max(deepest, writer.depth);
  }
  parser.end();
  const isTooDeep = deepest > deepestNesting;
  if (isTooDeep) writePlain(html.slice(at), writer, (handlers) => new Parser(handlers));
  writer.end();
  const title =
    writer.title.replace(/\s+/g, ' ').trim() || writer.blocks.find(({ level }) => level === 1)?.plain;
  const blocks = isAllContent ? writer.blocks : mainContent(writer.blocks);
  return {
    markdown: blocks.map((block, index) => separator(blocks, index) + block.markdown).join(''),
    lines: () => linesOf(blocks),
    ...(title && { title: beginningOf(title, 300) }),
    ...(at < html.length && {
      degraded: isTooDeep ? tooDeep(at) : `read to character ${at} of ${html.length}`,
    }),
  };
}

function tooDeep(at: number): string {
  return `elements are nested deeper than ${deepestNesting} levels: read as plain text from character ${at} on`;
}

/** Writes the text between the tags, the first of which may be cut, as one paragraph; a parser that sees no tags still reads the entities. */
function writePlain(
  html: string,
  writer: MarkdownWriter,
  parse: (handlers: { ontext: (text: string) => void }) => { end: (text: string) => void },
): void {
  writer.open('p', {});
  parse({ ontext: (text) => writer.text(text) }).end(html.replace(/^[^<>]*>|<[^<>]*>?/g, ' '));
  writer.close('p');
}

/**
 * What `<main>` or `role=main` holds; else the articles, where they are half of the content; else the page without
 * navigation, footers and the like; else everything: a page is never reduced to almost nothing.
 */
function mainContent(blocks: readonly HtmlBlock[]): readonly HtmlBlock[] {
  const content = blocks.filter((block) => !block.boilerplate);
  const main = content.filter((block) => block.main);
  const articles = content.filter((block) => block.article);
  if (isEnough(main, blocks)) return main;
  if (lengthOf(articles) >= enoughShare * lengthOf(content) && isEnough(articles, blocks)) return articles;
  return isEnough(content, blocks) ? content : blocks;
}

function isEnough(part: readonly HtmlBlock[], whole: readonly HtmlBlock[]): boolean {
  const length = lengthOf(part);
  return length > 0 && (length >= enoughCharacters || length >= enoughShare * lengthOf(whole));
}

/** What stands before a block: a blank line, but the items of a list stay together. */
function separator(blocks: readonly HtmlBlock[], index: number): string {
  if (index === 0) return '';
  const isItem = (block: HtmlBlock | undefined) => /^\s*(?:-|\d+\.) /.test(block?.markdown ?? '');
  return isItem(blocks[index]) && isItem(blocks[index - 1]) ? '\n' : '\n\n';
}

function linesOf(blocks: readonly HtmlBlock[]): PlaceMark<number>[] {
  let start = 0;
  return blocks.flatMap((block, index) => {
    start += separator(blocks, index).length;
    const marks = alignLines(block.markdown, start, block.sources);
    start += block.markdown.length;
    return marks;
  });
}

function lengthOf(blocks: readonly HtmlBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.plain.length, 0);
}
