import type { Place } from '../../../core/place.ts';
import type { TextPart } from '../join-parts.ts';
import { markdownTable } from '../markdown-blocks.ts';

type ParagraphPoint = Extract<Place, { kind: 'paragraphs' }>['first'];

/** Writes headings, paragraphs, lists and tables as Markdown blocks, each with the headings above it and its number below them. */
export class ParagraphBlocks {
  readonly blocks: TextPart<ParagraphPoint>[] = [];
  /** The words of the first heading. */
  title = '';
  /** Characters of all blocks. */
  length = 0;

  #headings: { readonly level: number; readonly words: string }[] = [];
  #above = '';
  #paragraph = 0;
  /** How often each path of headings has been there. */
  readonly #paths = new Map<string, number>();

  /** Begins another part of the file, under a name of its own where it has one. */
  beginPart(name: string): void {
    this.#headings = [];
    this.#above = '';
    if (name !== '') this.#under(1, name);
    this.#paragraph = 0;
  }

  heading(level: number, words: string): void {
    const heading = words.replace(/\s+/g, ' ').trim();
    if (heading === '') return;
    const depth = Math.min(6, Math.max(1, level));
    this.title ||= heading;
    this.#under(depth, heading);
    this.#paragraph = -1;
    this.block(`${'#'.repeat(depth)} ${heading}`);
  }

  /** What follows is below this heading. One that has the path of an earlier one is numbered, so that their citations differ. */
  #under(level: number, words: string): void {
    const outer = this.#headings.filter((above) => above.level < level);
    const pathOf = (last: string): string => [...outer.map((above) => above.words), last].join(' > ');
    let own = words;
    let count = this.#paths.get(pathOf(words)) ?? 0;
    while (count > 0 && this.#paths.has(pathOf(own))) {
      count += 1;
      own = `${words} (${count})`;
    }
    this.#paths.set(pathOf(words), Math.max(1, count));
    this.#headings = [...outer, { level, words: own }];
    this.#above = pathOf(own);
    if (own !== words) this.#paths.set(this.#above, 1);
  }

  /** Words as a paragraph; a `#` at the beginning of a line makes no heading. */
  paragraph(words: string): void {
    this.block(words.replace(/^(#{1,6}\s)/gm, '\\$1'));
  }

  /** An item of a list; the outermost has depth 0. */
  item(depth: number, isOrdered: boolean, words: string): void {
    const marker = `${'  '.repeat(Math.min(8, depth))}${isOrdered ? '1.' : '-'} `;
    this.block(marker + words.replaceAll('\n', `\n${' '.repeat(marker.length)}`));
  }

  table(rows: readonly (readonly string[])[]): void {
    for (const part of markdownTable(rows)) this.block(part);
  }

  /** Markdown as it is. */
  block(text: string): void {
    if (text.trim() === '') return;
    this.#paragraph += 1;
    this.length += text.length;
    this.blocks.push({ text, at: { heading: this.#above, paragraph: this.#paragraph } });
  }
}
