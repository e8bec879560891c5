import { ParagraphBlocks } from '../office/paragraph-blocks.ts';
import { TableRows } from '../office/table-rows.ts';
import type { XmlHandlers } from '../office/xml.ts';

type Attributes = Readonly<Record<string, string>>;

/** Elements whose text is deleted, generated or no text of the document. */
const droppedElements = new Set([
  'text:tracked-changes',
  'text:table-of-content',
  'text:alphabetical-index',
  'text:illustration-index',
  'text:note-citation',
  'office:forms',
  'dc:creator',
  'dc:date',
  'meta:creator-initials',
]);

/** Elements whose text follows the document, since it stands beside it. */
const asides: Readonly<Record<string, 'notes' | 'comments'>> = {
  'text:note': 'notes',
  'office:annotation': 'comments',
};

interface Paragraph {
  readonly words: string[];
  /** 0 where it is no heading. */
  readonly level: number;
}

/** Reads the text of an OpenDocument letter: headings, lists and tables; notes and comments follow. */
export class TextReader implements XmlHandlers {
  readonly blocks = new ParagraphBlocks();
  readonly #asides = { notes: [] as string[], comments: [] as string[] };
  readonly #paragraphs: Paragraph[] = [];
  readonly #lists: string[] = [];
  readonly #table = new TableRows();
  readonly #orderedStyles = new Set<string>();
  readonly #limit: number;
  #listStyle = '';
  #dropped = 0;
  #inBody = false;
  #aside: string[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  isFull(): boolean {
    return this.blocks.length > this.#limit;
  }

  open(name: string, attributes: Attributes): void {
    if (droppedElements.has(name)) this.#dropped += 1;
    if (this.#dropped > 0) return;
    if (!this.#inBody) this.#openStyle(name, attributes);
    else if (name === 'text:p' || name === 'text:h') {
      const level = name === 'text:h' ? Number(attributes['text:outline-level'] ?? 1) || 1 : 0;
      this.#paragraphs.push({ words: [], level });
    } else if (name === 'text:s')
      this.text(' '.repeat(Math.min(100, Number(attributes['text:c'] ?? 1) || 1)));
    else if (name === 'text:tab') this.text('\t');
    else if (name === 'text:line-break') this.text('\n');
    else if (name === 'text:list')
      this.#lists.push(attributes['text:style-name'] ?? this.#lists.at(-1) ?? '');
    else if (name === 'table:table') this.#table.begin();
    else if (name === 'table:table-row') this.#table.beginRow();
    else if (asides[name] !== undefined) this.#aside.push(name);
  }

  text(text: string): void {
    if (this.#dropped === 0) this.#paragraphs.at(-1)?.words.push(text);
  }

  close(name: string): void {
    if (droppedElements.has(name)) this.#dropped -= 1;
    else if (this.#dropped > 0) return;
    else if (name === 'text:p' || name === 'text:h') this.#endParagraph();
    else if (name === 'text:list') this.#lists.pop();
    else if (name === 'table:table-cell') this.#table.endCell();
    else if (name === 'table:table') this.blocks.table(this.#table.end());
    else if (asides[name] !== undefined) this.#aside.pop();
    else if (name === 'office:body') this.#end();
  }

  #openStyle(name: string, attributes: Attributes): void {
    if (name === 'office:body') this.#inBody = true;
    else if (name === 'text:list-style') this.#listStyle = attributes['style:name'] ?? '';
    else if (name === 'text:list-level-style-number' && attributes['text:level'] === '1')
      this.#orderedStyles.add(this.#listStyle);
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    const words = paragraph?.words.join('').trim() ?? '';
    if (!paragraph || words === '') return;
    const aside = asides[this.#aside.at(-1) ?? ''];
    if (aside !== undefined) this.#asides[aside].push(words);
    else if (this.#table.isOpen) this.#table.add(words);
    else if (paragraph.level > 0) this.blocks.heading(paragraph.level, words);
    else if (this.#lists.length > 0) {
      const isOrdered = this.#orderedStyles.has(this.#lists[0] ?? '');
      this.blocks.item(this.#lists.length - 1, isOrdered, words);
    } else this.blocks.paragraph(words);
  }

  #end(): void {
    for (const [name, texts] of Object.entries(this.#asides)) {
      if (texts.length > 0) this.blocks.beginPart(name);
      for (const text of texts) this.blocks.paragraph(text);
    }
  }
}
