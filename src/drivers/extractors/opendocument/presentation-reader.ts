import { beginningOf } from '../../../core/text/shortened.ts';
import { markdownTable } from '../markdown-blocks.ts';
import { maxSlides, type Slide } from '../office/slide-text.ts';
import { TableRows } from '../office/table-rows.ts';
import type { XmlHandlers } from '../office/xml.ts';

type Attributes = Readonly<Record<string, string>>;

/** Frames that every slide repeats. */
const repeatedFrames = new Set(['page-number', 'date-time', 'footer', 'header', 'page']);

interface OpenSlide extends Slide {
  title: string;
  readonly lines: string[];
  readonly notes: string[];
}

/** Reads the slides of an OpenDocument presentation with their notes. */
export class PresentationReader implements XmlHandlers {
  readonly slides: OpenSlide[] = [];
  readonly #limit: number;
  readonly #hiddenStyles = new Set<string>();
  readonly #table = new TableRows();
  #length = 0;
  #style = '';
  #frame = '';
  #isInNotes = false;
  #isInPage = false;
  #words: string[] | undefined;
  #lists = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  isFull(): boolean {
    return this.#length > this.#limit || this.slides.length > maxSlides;
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'style:style') this.#style = attributes['style:name'] ?? '';
    else if (name === 'style:drawing-page-properties') {
      if (attributes['presentation:visibility'] === 'hidden') this.#hiddenStyles.add(this.#style);
    } else if (name === 'draw:page') {
      this.#isInPage = true;
      const isHidden = this.#hiddenStyles.has(attributes['draw:style-name'] ?? '');
      this.slides.push({ title: '', isHidden, lines: [], notes: [] });
    } else if (name === 'presentation:notes') this.#isInNotes = true;
    else if (name === 'draw:frame' || name === 'draw:custom-shape')
      this.#frame = attributes['presentation:class'] ?? '';
    else if (name === 'text:list') this.#lists += 1;
    else if (name === 'table:table') this.#table.begin();
    else if (name === 'table:table-row') this.#table.beginRow();
    else if (name === 'text:p' || name === 'text:h') this.#words = [];
    else if (name === 'text:s' || name === 'text:tab') this.text(' ');
    else if (name === 'text:line-break') this.text('\n');
  }

  text(text: string): void {
    if (this.#isInPage) this.#words?.push(text);
  }

  close(name: string): void {
    if (name === 'text:p' || name === 'text:h') this.#endParagraph();
    else if (name === 'text:list') this.#lists -= 1;
    else if (name === 'draw:page') this.#isInPage = false;
    else if (name === 'presentation:notes') this.#isInNotes = false;
    else if (name === 'table:table-cell') this.#table.endCell();
    else if (name === 'table:table') this.slides.at(-1)?.lines.push(...markdownTable(this.#table.end()));
  }

  #endParagraph(): void {
    const words = this.#words?.join('').trim() ?? '';
    this.#words = undefined;
    const slide = this.slides.at(-1);
    if (!slide || words === '' || repeatedFrames.has(this.#frame)) return;
    this.#length += words.length;
    if (this.#table.isOpen) this.#table.add(words);
    else if (this.#isInNotes) slide.notes.push(words);
    else if (this.#frame === 'title')
      slide.title = beginningOf(`${slide.title} ${words.replace(/\s+/g, ' ')}`.trim(), 300);
    else {
      const depth = Math.min(8, this.#lists - 1);
      slide.lines.push(depth > 0 ? `${'  '.repeat(depth)}- ${words}` : words);
    }
  }
}
