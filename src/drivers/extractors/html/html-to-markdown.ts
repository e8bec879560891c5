import { importOptional } from '../../../platform/import-optional.ts';
import type { Deadline } from '../bounds.ts';
import { type HtmlBlock, MarkdownWriter } from './markdown-writer.ts';

/** The readable part of a page as Markdown. */
export interface PageText {
  readonly markdown: string;
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

/** Turns HTML, even broken HTML, into Markdown of its main content; stops at the limits of time and size. */
export async function htmlToMarkdown(
  html: string,
  deadline: Deadline,
  outputCharacters: number,
): Promise<PageText> {
  const { Parser } = await importOptional('htmlparser2', 'Reading HTML', () => import('htmlparser2'));
  const writer = new MarkdownWriter();
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    ontext: (text) => writer.text(text),
    onclosetag: (name) => writer.close(name),
  });
  let at = 0;
  const mayGoOn = () =>
    !deadline.passed() && writer.length <= outputCharacters && writer.depth <= deepestNesting;
  while (at < html.length && mayGoOn()) {
    parser.write(html.slice(at, at + pieceLength));
    at += pieceLength;
  }
  parser.end();
  writer.end();
  const title =
    writer.title.replace(/\s+/g, ' ').trim() || writer.blocks.find(({ level }) => level === 1)?.plain;
  return {
    markdown: mainContent(writer.blocks),
    ...(title && { title: title.slice(0, 300) }),
    ...(at < html.length && { degraded: `read to character ${at} of ${html.length}` }),
  };
}

/**
 * What `<main>` or `role=main` holds; else the articles, where they are half of the content; else the page without
 * navigation, footers and the like; else everything: a page is never reduced to almost nothing.
 */
function mainContent(blocks: readonly HtmlBlock[]): string {
  const content = blocks.filter((block) => !block.boilerplate);
  const main = content.filter((block) => block.main);
  const articles = content.filter((block) => block.article);
  if (isEnough(main, blocks)) return joined(main);
  if (lengthOf(articles) >= enoughShare * lengthOf(content) && isEnough(articles, blocks))
    return joined(articles);
  return joined(isEnough(content, blocks) ? content : blocks);
}

function isEnough(part: readonly HtmlBlock[], whole: readonly HtmlBlock[]): boolean {
  const length = lengthOf(part);
  return length > 0 && (length >= enoughCharacters || length >= enoughShare * lengthOf(whole));
}

/** Blocks with a blank line between them; the items of a list stay together. */
function joined(blocks: readonly HtmlBlock[]): string {
  const isItem = (block: HtmlBlock | undefined) => /^\s*(?:-|\d+\.) /.test(block?.markdown ?? '');
  return blocks
    .map((block, index) => {
      if (index === 0) return block.markdown;
      return (isItem(block) && isItem(blocks[index - 1]) ? '\n' : '\n\n') + block.markdown;
    })
    .join('');
}

function lengthOf(blocks: readonly HtmlBlock[]): number {
  return blocks.reduce((sum, block) => sum + block.plain.length, 0);
}
