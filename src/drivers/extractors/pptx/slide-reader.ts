import { beginningOf } from '../../../core/text/shortened.ts';
import { markdownTable } from '../markdown-blocks.ts';
import { localName } from '../office/parts.ts';
import { TableRows } from '../office/table-rows.ts';
import type { XmlHandlers } from '../office/xml.ts';

type Attributes = Readonly<Record<string, string>>;

/** Places on a slide that every slide repeats. */
const repeatedPlaces = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

/** Reads a part of a presentation: a slide, its notes, or a drawing of words. */
export class SlideReader implements XmlHandlers {
  title = '';
  isHidden = false;
  readonly lines: string[] = [];
  readonly #table = new TableRows();
  /** Characters collected so far. */
  length = 0;
  #place = '';
  #words: string[] = [];
  #inText = false;
  #level = -1;
  #dropped = 0;

  open(name: string, attributes: Attributes): void {
    const element = localName(name);
    if (name === 'mc:Fallback') this.#dropped += 1;
    else if (name === 'p:sld') this.isHidden = attributes.show === '0' || attributes.show === 'false';
    else if (name === 'p:sp') this.#place = '';
    else if (name === 'p:ph') this.#place = attributes.type ?? 'body';
    else if (element === 'p') this.#level = -1;
    else if (element === 'pPr') this.#level = Number(attributes.lvl ?? -1);
    else if (element === 't') this.#inText = true;
    else if (element === 'br') this.#words.push('\n');
    else if (element === 'tbl') this.#table.begin();
    else if (element === 'tr') this.#table.beginRow();
  }

  text(text: string): void {
    if (this.#inText && this.#dropped === 0) this.#words.push(text);
  }

  close(name: string): void {
    const element = localName(name);
    if (name === 'mc:Fallback') this.#dropped -= 1;
    else if (element === 't') this.#inText = false;
    else if (element === 'p' && name !== 'p:p') this.#endParagraph();
    else if (element === 'tc') this.#table.endCell();
    else if (element === 'tbl') this.lines.push(...markdownTable(this.#table.end()));
  }

  #endParagraph(): void {
    const words = this.#words.join('').trim();
    this.#words = [];
    if (words === '' || repeatedPlaces.has(this.#place)) return;
    this.length += words.length;
    if (this.#table.isOpen) this.#table.add(words);
    else if (this.#place === 'title' || this.#place === 'ctrTitle')
      this.title = beginningOf(`${this.title} ${words.replace(/\s+/g, ' ')}`.trim(), 300);
    else this.lines.push(this.#level > 0 ? `${'  '.repeat(Math.min(8, this.#level))}- ${words}` : words);
  }
}
