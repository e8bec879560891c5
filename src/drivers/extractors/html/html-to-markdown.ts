import { importOptional } from '../../../platform/import-optional.ts';
import type { Deadline } from '../bounds.ts';
import { type HtmlBlock, MarkdownWriter } from './markdown-writer.ts';

/** The readable part of a page as Markdown. */
export interface PageText {
  readonly markdown: string;
  /** From `<title>`, else from the first `<h1>`. */
  readonly title?: string;
  /** What was left out unread, in words for a person. */
  readonly degraded?: string;
}

/** Characters given to the parser at once; between two pieces the deadline is asked. */
const pieceLength = 16 * 1024;

/** A main part with less text than this, or than this share of the page, is a mistake of the page. */
const leastCharacters = 80;
const leastShare = 0.1;

/** Turns HTML, however broken, into Markdown of its main content; stops where time or room ends. */
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
  while (at < html.length && !deadline.passed() && writer.length <= outputCharacters) {
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
 * The content of `<main>`, `<article>` or `role=main` where it has a fair share of the text; else the page without
 * navigation, footers and the like; else everything: a page is never reduced to almost nothing.
 */
function mainContent(blocks: readonly HtmlBlock[]): string {
  const content = blocks.filter((block) => !block.boilerplate);
  const main = content.filter((block) => block.main);
  const all = lengthOf(blocks);
  const choice = [main, content].find((candidate) => {
    const length = lengthOf(candidate);
    return length >= leastShare * all && length >= Math.min(leastCharacters, all);
  });
  return joined(choice ?? blocks);
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
