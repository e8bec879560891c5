import { ParagraphBlocks } from '../office/paragraph-blocks.ts';
import { encodingOfPage, encodingOfSet } from './rtf-encodings.ts';
import type { RtfToken } from './rtf-tokens.ts';

/** Where the text of a group goes. */
type Destination = 'text' | 'drop' | 'fonts' | 'styles' | 'title' | 'bullet' | 'notes' | 'comments';

interface Group {
  destination: Destination;
  encoding: string;
  isHidden: boolean;
  /** Characters after a Unicode one that stand in for it in old programs. */
  fallbacks: number;
  /** Whether the group began with the sign for what old programs pass over. */
  isOptional: boolean;
}

/** Groups whose text is no text of the document. */
const dropped = new Set(
  (
    'colortbl filetbl revtbl pict nonshppict object header headerl headerr headerf footer footerl footerr footerf ' +
    'fldinst xe tc txe rxe ftnsep ftnsepc author operator company keywords comment subject doccomm creatim revtim printim ' +
    'atnid atnauthor atntime atnref'
  ).split(' '),
);

const destinations: Readonly<Record<string, Destination>> = {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  title: 'title',
  info: 'drop',
  listtext: 'bullet',
  pntext: 'bullet',
  footnote: 'notes',
  annotation: 'comments',
};

/** Optional groups that have text. */
const readOptional = new Set(['annotation', 'footnote']);

const signs: Readonly<Record<string, string>> = {
  '~': '\u00a0',
  _: '\u2011',
  '\\': '\\',
  '{': '{',
  '}': '}',
  tab: '\t',
  line: '\n',
  lquote: '\u2018',
  rquote: '\u2019',
  ldblquote: '\u201c',
  rdblquote: '\u201d',
  bullet: '\u2022',
  endash: '\u2013',
  emdash: '\u2014',
  enspace: ' ',
  emspace: ' ',
};

const deepestNesting = 10_000;

/** Reads RTF: headings by their style or level, lists and tables; notes and comments are kept apart. */
export class RtfReader {
  readonly blocks = new ParagraphBlocks();
  title = '';
  readonly notes: string[] = [];
  readonly comments: string[] = [];

  readonly #groups: Group[] = [];
  #group: Group = {
    destination: 'text',
    encoding: 'windows-1252',
    isHidden: false,
    fallbacks: 1,
    isOptional: false,
  };
  readonly #fonts = new Map<number, string>();
  readonly #styles = new Map<number, number>();
  #defaultEncoding = 'windows-1252';
  #font = 0;
  #style = { number: 0, level: 0, name: '' };
  #bytes = '';
  #words = '';
  #aside = '';
  #skip = 0;
  #level = 0;
  #bullet = '';
  #depth = 0;
  #isInTable = false;
  #cell: string[] = [];
  #row: string[] = [];
  #rows: string[][] = [];

  /** Takes the next token; false when groups are nested without end. */
  take(token: RtfToken): boolean {
    if (token.kind === 'open') {
      this.#flush();
      this.#skip = 0;
      this.#groups.push(this.#group);
      this.#group = { ...this.#group, isOptional: false };
    } else if (token.kind === 'close') this.#close();
    else if (token.kind === 'word') this.#word(token.name, token.value);
    else this.#take(token.bytes);
    return this.#groups.length < deepestNesting;
  }

  end(): void {
    this.#endParagraph();
    this.#endTable();
    for (const name of ['notes', 'comments'] as const) {
      if (this[name].length > 0) this.blocks.beginPart(name);
      for (const text of this[name]) this.blocks.paragraph(text);
    }
  }

  #take(bytes: string): void {
    const rest = bytes.slice(this.#skip);
    this.#skip = Math.max(0, this.#skip - bytes.length);
    if (this.#group.destination !== 'drop' && !this.#group.isHidden) this.#bytes += rest;
  }

  /** Bytes as the text that they are in the encoding of their font. */
  #flush(): void {
    if (this.#bytes === '') return;
    const raw = Buffer.from(this.#bytes, 'latin1');
    this.#bytes = '';
    this.#put(new TextDecoder(this.#group.encoding).decode(raw));
  }

  #put(text: string): void {
    const { destination, isHidden } = this.#group;
    if (isHidden || destination === 'drop') return;
    if (destination === 'text') this.#words += text;
    // The two halves of a character may come one after the other: who takes the title cuts it between characters.
    else if (destination === 'title') this.title = (this.title + text).slice(0, 300);
    else if (destination === 'styles') this.#style.name += text;
    else if (destination === 'bullet') this.#bullet += text;
    else if (destination !== 'fonts') this.#aside += text;
  }

  #close(): void {
    this.#flush();
    const { destination } = this.#group;
    const outer = this.#groups.pop();
    if (!outer) return;
    this.#group = outer;
    this.#skip = 0;
    if (destination === 'styles') this.#endStyle();
    if ((destination === 'notes' || destination === 'comments') && outer.destination !== destination) {
      const text = this.#aside.trim();
      this.#aside = '';
      if (text !== '') this[destination].push(text);
    }
  }

  #endStyle(): void {
    const { number, level, name } = this.#style;
    const named = /^\s*heading ([1-9])\b/i.exec(name)?.[1];
    const found = named === undefined ? (/^\s*title\b/i.test(name) ? 1 : level) : Number(named);
    if (number > 0 && found > 0) this.#styles.set(number, found);
    this.#style = { number: 0, level: 0, name: '' };
  }

  #word(name: string, value: number | undefined): void {
    if (name === '*') {
      this.#group.isOptional = true;
      return;
    }
    if (this.#skip > 0 && name !== 'u') {
      this.#skip -= 1;
      return;
    }
    this.#flush();
    const group = this.#group;
    const destination = destinations[name];
    if (group.destination === 'drop' && name !== 'title') return;
    if (dropped.has(name) || (group.isOptional && !readOptional.has(name))) group.destination = 'drop';
    else if (destination !== undefined) group.destination = destination;
    else if (name === 'u' && value !== undefined) this.#unicode(value);
    else if (signs[name] !== undefined) this.#put(signs[name]);
    else if (!this.#character(name, value)) this.#paragraph(name, value);
    group.isOptional = false;
  }

  #unicode(value: number): void {
    this.#skip = this.#group.fallbacks;
    this.#put(String.fromCharCode(value & 0xffff));
  }

  /** What says how characters are written; false for any other word. */
  #character(name: string, value: number | undefined): boolean {
    const group = this.#group;
    if (name === 'uc') group.fallbacks = Math.min(20, Math.max(0, value ?? 1));
    else if (name === 'ansicpg') {
      this.#defaultEncoding = encodingOfPage(value ?? 0) ?? this.#defaultEncoding;
      group.encoding = this.#defaultEncoding;
    } else if (name === 'mac') this.#defaultEncoding = group.encoding = 'macintosh';
    else if (name === 'fcharset') {
      const encoding = encodingOfSet(value ?? 0);
      if (encoding !== undefined) this.#fonts.set(this.#font, encoding);
    } else if (name === 'f') {
      this.#font = value ?? 0;
      if (group.destination !== 'fonts')
        group.encoding = this.#fonts.get(this.#font) ?? this.#defaultEncoding;
    } else if (name === 'v' || name === 'deleted' || name === 'htmlrtf') group.isHidden = value !== 0;
    else if (name === 'plain') {
      group.isHidden = false;
      group.encoding = this.#defaultEncoding;
    } else return false;
    return true;
  }

  #paragraph(name: string, value: number | undefined): void {
    const isStyle = this.#group.destination === 'styles';
    if (name === 's') {
      if (isStyle) this.#style.number = value ?? 0;
      else this.#level = this.#styles.get(value ?? 0) ?? this.#level;
    } else if (name === 'outlinelevel') {
      const level = value !== undefined && value < 9 ? value + 1 : 0;
      if (isStyle) this.#style.level = level;
      else this.#level = level;
    } else if (name === 'ilvl') this.#depth = Math.max(0, value ?? 0);
    else if (name === 'intbl') this.#isInTable = true;
    else if (name === 'pard') {
      this.#level = 0;
      this.#depth = 0;
      this.#isInTable = false;
    } else if (name === 'cell' || name === 'nestcell') this.#endCell();
    else if (name === 'row' || name === 'nestrow') this.#endRow();
    else if (/^(?:par|sect|page|[\n\r])$/.test(name)) {
      if (this.#group.destination === 'text') this.#endParagraph();
      else this.#put('\n');
    }
  }

  #endParagraph(): void {
    this.#flush();
    const words = this.#words.trim();
    const bullet = this.#bullet.trim();
    this.#words = '';
    this.#bullet = '';
    if (words === '') return;
    if (this.#isInTable) {
      this.#cell.push(words.replace(/\s+/g, ' '));
      return;
    }
    this.#endTable();
    if (this.#level > 0) this.blocks.heading(this.#level, words);
    else if (bullet !== '') this.blocks.item(this.#depth, /[\da-z]/i.test(bullet), words);
    else this.blocks.paragraph(words);
  }

  #endCell(): void {
    this.#isInTable = true;
    this.#endParagraph();
    this.#row.push(this.#cell.join(' '));
    this.#cell = [];
  }

  #endRow(): void {
    if (this.#row.length > 0) this.#rows.push(this.#row);
    this.#row = [];
  }

  #endTable(): void {
    this.#endRow();
    if (this.#rows.length > 0) this.blocks.table(this.#rows);
    this.#rows = [];
  }
}
