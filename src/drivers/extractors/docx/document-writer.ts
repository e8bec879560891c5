import { ParagraphBlocks } from '../office/paragraph-blocks.ts';
import { TableRows } from '../office/table-rows.ts';
import type { XmlHandlers } from '../office/xml.ts';
import type { HeadingStyles } from './styles.ts';

/** What the other parts of a Word file say about its paragraphs. */
export interface ParagraphStyles {
  readonly headings: HeadingStyles;
  readonly ordered: ReadonlySet<string>;
}

interface Paragraph {
  readonly words: string[];
  level: number;
  /** Depth of the list item counted from 0; -1 outside lists. */
  depth: number;
  list: string;
}

/** Elements whose text is deleted, moved away, or repeated for old programs. */
const droppedElements = new Set(['w:del', 'w:moveFrom', 'mc:Fallback', 'w:instrText', 'w:delText']);

/** Collects the paragraphs, lists and tables of a Word file as Markdown blocks. */
export class DocumentWriter implements XmlHandlers {
  readonly blocks = new ParagraphBlocks();
  /** Characters collected so far. */
  length = 0;

  readonly #styles: ParagraphStyles;
  readonly #paragraphs: Paragraph[] = [];
  readonly #table = new TableRows();
  #dropped = 0;
  #inText = false;

  constructor(styles: ParagraphStyles) {
    this.#styles = styles;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (droppedElements.has(name)) this.#dropped += 1;
    const paragraph = this.#paragraphs.at(-1);
    const value = attributes['w:val'] ?? '';
    if (name === 'w:p') this.#paragraphs.push({ words: [], level: 0, depth: -1, list: '' });
    else if (name === 'w:t') this.#inText = true;
    else if (name === 'w:tab') this.text('\t', true);
    else if (name === 'w:br' || name === 'w:cr') this.text('\n', true);
    else if (name === 'w:noBreakHyphen') this.text('-', true);
    else if (name === 'w:tbl') this.#table.begin();
    else if (name === 'w:tr') this.#table.beginRow();
    else if (paragraph && name === 'w:pStyle') paragraph.level = this.#styles.headings.get(value) ?? 0;
    else if (paragraph && name === 'w:ilvl') paragraph.depth = Math.min(8, Number(value) || 0);
    else if (paragraph && name === 'w:numId' && value !== '0') {
      paragraph.list = value;
      paragraph.depth = Math.max(0, paragraph.depth);
    }
  }

  text(text: string, always = false): void {
    if ((!this.#inText && !always) || this.#dropped > 0) return;
    this.length += text.length;
    this.#paragraphs.at(-1)?.words.push(text);
  }

  close(name: string): void {
    if (droppedElements.has(name)) this.#dropped -= 1;
    if (name === 'w:t') this.#inText = false;
    else if (name === 'w:p') this.#endParagraph();
    else if (name === 'w:tc') this.#table.endCell();
    else if (name === 'w:tbl') this.blocks.table(this.#table.end());
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    const words = paragraph?.words.join('').trim() ?? '';
    if (!paragraph || words === '') return;
    if (this.#table.isOpen) this.#table.add(words);
    else if (paragraph.level > 0) this.blocks.heading(paragraph.level, words);
    else if (paragraph.list !== '')
      this.blocks.item(paragraph.depth, this.#styles.ordered.has(paragraph.list), words);
    else this.blocks.paragraph(words);
  }
}
