import { fenced, markdownTable } from '../markdown-blocks.ts';
import type { SourceText } from './source-lines.ts';
import { blockTags, boilerplateRoles, boilerplateTags, droppedTags, headingLevel } from './tags.ts';

/** One block of a page: a heading, paragraph, list item, table or code block. */
export interface HtmlBlock {
  readonly markdown: string;
  /** The text without Markdown. */
  readonly plain: string;
  /** 1 to 6 for a heading, else 0. */
  readonly level: number;
  /** Whether it stands inside the main content that the page itself names. */
  readonly main: boolean;
  /** Whether it stands inside an article; a page may have many of them, or teasers only. */
  readonly article: boolean;
  /** Whether it stands inside navigation, a footer or the like. */
  readonly boilerplate: boolean;
  /** The text as it stands in the file, in order. */
  readonly sources: readonly SourceText[];
}

type Attributes = Readonly<Record<string, string>>;

/** What an element means for the text inside it. */
interface ElementKind {
  readonly main: boolean;
  readonly article: boolean;
  readonly boilerplate: boolean;
  readonly dropped: boolean;
}

interface Table {
  readonly rows: string[][];
  /** Tables that are open inside this one; their cells are text of the cell around them. */
  nested: number;
}

/** Collects the blocks of a page from the events of a parser; depth costs counters, never recursion. */
export class MarkdownWriter {
  readonly blocks: HtmlBlock[] = [];
  /** Characters collected so far. */
  length = 0;
  /** The line of the file that is being read. */
  line = 1;
  /** The content of `<title>`, unchanged. */
  title = '';

  readonly #open: ElementKind[] = [];
  readonly #lists: { ordered: boolean; items: number }[] = [];
  #main = 0;
  #article = 0;
  #boilerplate = 0;
  #dropped = 0;
  #inTitle = false;
  #inline: string[] = [];
  #sources: SourceText[] = [];
  #marker = '';
  #preformatted: { depth: number; language: string } | undefined;
  #table: Table | undefined;

  /** Elements that are open now. */
  get depth(): number {
    return this.#open.length;
  }

  open(name: string, attributes: Attributes): void {
    const entry = this.#kindOf(name, attributes);
    this.#open.push(entry);
    if (blockTags.has(name) && !this.#preformatted) this.#flush();
    if (entry.main) this.#main += 1;
    if (entry.article) this.#article += 1;
    if (entry.boilerplate) this.#boilerplate += 1;
    if (entry.dropped) this.#dropped += 1;
    if (name === 'title' && this.#dropped === 0) this.#inTitle = this.title.trim() === '';
    if (this.#dropped === 0) this.#openContent(name, attributes);
  }

  text(text: string): void {
    if (this.#inTitle) this.title += text;
    else if (this.#dropped === 0) {
      this.#sources.push({ line: this.line, text });
      this.#add(this.#preformatted ? text : text.replace(/\s+/g, ' '));
    }
  }

  close(name: string): void {
    const entry = this.#open.pop();
    if (this.#dropped === 0) this.#closeContent(name);
    if (name === 'title') this.#inTitle = false;
    if (entry?.main) this.#main -= 1;
    if (entry?.article) this.#article -= 1;
    if (entry?.boilerplate) this.#boilerplate -= 1;
    if (entry?.dropped) this.#dropped -= 1;
  }

  /** Writes what is still open. */
  end(): void {
    if (this.#preformatted) this.#flushCode();
    this.#flush();
    if (this.#table) this.#flushTable();
  }

  #kindOf(name: string, attributes: Attributes): ElementKind {
    const role = attributes.role?.toLowerCase() ?? '';
    const hidden =
      'hidden' in attributes ||
      attributes['aria-hidden'] === 'true' ||
      /display\s*:\s*none/i.test(attributes.style ?? '');
    const pageHeader = name === 'header' && this.#main + this.#article === 0;
    return {
      main: name === 'main' || role === 'main',
      article: name === 'article',
      boilerplate: boilerplateTags.has(name) || boilerplateRoles.has(role) || hidden || pageHeader,
      dropped: droppedTags.has(name),
    };
  }

  #openContent(name: string, attributes: Attributes): void {
    if (name === 'br') this.#add('\n');
    else if (name === 'img' && attributes.alt) {
      this.#sources.push({ line: this.line, text: attributes.alt });
      this.#add(` ${attributes.alt} `);
    } else if (name === 'ul' || name === 'ol') this.#lists.push({ ordered: name === 'ol', items: 0 });
    else if (name === 'li') this.#marker = this.#nextMarker();
    else if (name === 'blockquote') this.#marker = '> ';
    else if (name === 'pre' && !this.#preformatted) {
      this.#preformatted = { depth: this.#open.length, language: languageOf(attributes) };
    } else if (name === 'code') {
      if (!this.#preformatted) this.#add('`');
      else if (this.#preformatted.language === '') this.#preformatted.language = languageOf(attributes);
    } else if (name === 'table') this.#openTable();
    else if (name === 'tr' && this.#table?.nested === 0) this.#table.rows.push([]);
  }

  #closeContent(name: string): void {
    if (name === 'pre' && this.#preformatted && this.#open.length < this.#preformatted.depth)
      this.#flushCode();
    else if (name === 'code' && !this.#preformatted) this.#add('`');
    else if (name === 'table') this.#closeTable();
    else if ((name === 'td' || name === 'th') && this.#table) this.#closeCell();
    else if (blockTags.has(name) && !this.#preformatted) this.#flush(headingLevel(name));
    if (name === 'ul' || name === 'ol') this.#lists.pop();
    if (name === 'li' || name === 'blockquote') this.#marker = '';
  }

  #add(text: string): void {
    this.length += text.length;
    this.#inline.push(text);
  }

  #nextMarker(): string {
    const list = this.#lists.at(-1);
    if (list) list.items += 1;
    // Deeper indentation adds nothing and would make a line of spaces.
    const indent = '  '.repeat(Math.min(8, Math.max(0, this.#lists.length - 1)));
    return list?.ordered ? `${indent}${list.items}. ` : `${indent}- `;
  }

  #take(): string {
    const text = this.#inline.join('');
    this.#inline = [];
    return text;
  }

  #flush(level = 0): void {
    if (this.#table) {
      // A block inside a cell is a word boundary, not a block of the page.
      if (this.#inline.length > 0) this.#inline.push(' ');
      return;
    }
    const plain = paragraph(this.#take());
    if (plain.replace(/`/g, '') === '') return;
    if (level > 0) this.#push(`${'#'.repeat(level)} ${plain.replaceAll('\n', ' ')}`, plain, level);
    else this.#push(marked(this.#marker, plain), plain);
    // What follows in the same item or quotation continues it.
    if (this.#marker !== '> ') this.#marker = this.#marker.replace(/\S/g, ' ');
  }

  #flushCode(): void {
    const language = this.#preformatted?.language ?? '';
    this.#preformatted = undefined;
    const code = this.#take().replace(/^\r?\n|\s+$/g, '');
    if (code.trim() === '') return;
    if (this.#table) this.#inline.push(collapse(code));
    else this.#push(fenced(code, language), code);
  }

  #openTable(): void {
    if (this.#table) this.#table.nested += 1;
    else this.#table = { rows: [], nested: 0 };
  }

  #closeCell(): void {
    if (!this.#table) return;
    if (this.#table.nested > 0) this.#inline.push(' ');
    else {
      if (this.#table.rows.length === 0) this.#table.rows.push([]);
      this.#table.rows.at(-1)?.push(collapse(this.#take()));
    }
  }

  #closeTable(): void {
    if (this.#table && this.#table.nested > 0) this.#table.nested -= 1;
    else if (this.#table) this.#flushTable();
  }

  #flushTable(): void {
    const rows = this.#table?.rows ?? [];
    this.#table = undefined;
    // One block, since the words of all cells were collected together.
    const text = markdownTable(rows).join('\n\n');
    if (text !== '') this.#push(text, text);
    this.#flush();
  }

  #push(markdown: string, plain: string, level = 0): void {
    // The title of the page is often in a banner; it is content anyway.
    const boilerplate = this.#boilerplate > 0 && level !== 1;
    this.blocks.push({
      markdown,
      plain,
      level,
      main: this.#main > 0,
      article: this.#article > 0,
      boilerplate,
      sources: this.#sources,
    });
    this.#sources = [];
  }
}

function languageOf(attributes: Attributes): string {
  return /\b(?:language|lang|highlight-source)-([\w+#-]{1,30})/.exec(attributes.class ?? '')?.[1] ?? '';
}

function collapse(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Words with single spaces; the line breaks are those of `<br>`, and a leading `#` makes no heading. */
function paragraph(text: string): string {
  return text
    .split('\n')
    .map(collapse)
    .filter((line) => line !== '')
    .join('\n')
    .replace(/^(#{1,6}\s)/gm, '\\$1');
}

function marked(marker: string, text: string): string {
  const rest = marker === '> ' ? marker : ' '.repeat(marker.length);
  return marker + text.replaceAll('\n', `\n${rest}`);
}
