import type { ContextSource } from '../../core/context.ts';
import { readCode } from '../../core/text/comments.ts';
import { chatContent } from './chat-content.ts';
import { withoutMailParts } from './mail-content.ts';
import { isProse, paragraphsOf, readability, withoutHeaders } from './prose.ts';
import { hasSameWords, repeatsQuestion } from './repeats-question.ts';
import { sentencesOf } from './sentences.ts';

/** What can be quoted of a source. */
export interface Quotable {
  readonly text: string;
  /** How well it reads by itself, up to 1. */
  readonly reads: number;
  /** Whether it is a sentence of somebody, and no line of code, row of a table or entry of a log. */
  readonly isSentence: boolean;
  /** What it stands below: a question of a list of questions, a heading. Empty where nothing does. */
  readonly heading: string;
}

/** How well a line of code or a row of a table reads, beside sentences. */
const lineReads = 0.7;
/** Code and tables within prose are an answer only where no sentence is. */
const setReads = 0.55;
/** A number in brackets, which a text has for its own notes. */
const ownNumber = /(?<![ \t])[ \t]*\[\d{1,3}(?:[ \t]*[,;–-][ \t]*\d{1,3}){0,9}\](?!\()/g;
/** Letters and digits that a quote has at least; below a heading, which says what it is about, fewer do. */
const minLength = { alone: 20, belowHeading: 3, line: 5 };
const maxLength = 600;

/** What of a source can be quoted: sentences of prose, lines of code and rows of tables; nothing that only repeats the question, and no heading. */
export function quotablesOf(source: ContextSource, question = ''): Quotable[] {
  return partsOf(source, question).filter(
    ({ text }) => !repeatsQuestion(text, question) && (source.type === 'code' || !isHeading(text, source)),
  );
}

/** Whether a text without an end only names what it stands in. */
function isHeading(text: string, { title, section }: ContextSource): boolean {
  return (
    !/[.!?…:。！？]\W*$/u.test(text) &&
    [title, ...section.split(' > ')].some((name) => hasSameWords(text, name))
  );
}

function partsOf({ text, type }: ContextSource, question: string): Quotable[] {
  const isCode = type === 'code';
  if (isCode) {
    const { comments, lines } = readCode(text);
    return [...sentencesIn(comments, question), ...linesIn(lines, '')];
  }
  if (type === 'conversation') return messagesIn(text, question);
  if (type !== 'email' && isListed(text)) return entriesOf(text);
  const content = type === 'email' ? withoutMailParts(withoutHeaders(text)) : withoutHeaders(text);
  const quotes = sentencesIn(content, question);
  return [...quotes, ...(quotes.length === 0 ? linesIn(withoutHeadings(content), '') : set(content))];
}

/** How well a question reads: it is what somebody else wanted to know. */
const questionReads = 0.4;

/** Messages as they were written, and sentences of long ones. */
function messagesIn(text: string, question: string): Quotable[] {
  const { whole, rest } = chatContent(text);
  const messages = whole
    .filter((message) => hasUsualLength(message, minLength.alone))
    .map((message) => ({ text: message, reads: readability(message), isSentence: true, heading: '' }));
  return [...messages, ...sentencesIn(rest, question)].map((quote) =>
    quote.text.endsWith('?') ? { ...quote, reads: quote.reads * questionReads } : quote,
  );
}

function sentencesIn(text: string, question: string): Quotable[] {
  return paragraphsOf(text).flatMap(({ text: paragraph, heading }) => {
    const sentences = sentencesOf(paragraph.replace(ownNumber, '')).map((sentence) => sentence.text.trim());
    return sentences
      .filter((sentence, at) => {
        // What stands behind the question itself needs no heading to be understood.
        const isBelow =
          heading !== '' || (sentence.endsWith('.') && repeatsQuestion(sentences[at - 1] ?? '', question));
        const min = isBelow ? minLength.belowHeading : minLength.alone;
        return hasUsualLength(sentence, min) && (isProse(sentence) || (isBelow && isShortAnswer(sentence)));
      })
      .map((sentence) => ({ text: sentence, reads: readability(sentence), isSentence: true, heading }));
  });
}

/** Lines of a text that are looked at to tell what it is. */
const looked = 40;
/** The share of them that have to be entries. */
const mostly = 0.6;
/** An entry of a log, or of settings. */
const entry =
  /^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\w{3} +\d+ \d\d:\d\d:\d\d\b|[\w.-]+\s*=\s*\S.{0,80}$|\[[\w. -]+\]$)/;
const cells = /[,;\t]/g;

/** Whether a text is a log, a table or a list of settings: its lines say something each, and do not go on in the next. */
function isListed(text: string): boolean {
  const lines = text.split('\n', looked).filter((line) => /[^\s#;/]/.test(line) && !/^\s*[#;]/.test(line));
  if (lines.length < 2) return false;
  const widths = lines.map((line) => line.match(cells)?.length ?? 0);
  const [first = 0] = widths;
  const rows = first > 1 ? widths.filter((width) => width === first).length : 0;
  const entries = lines.filter((line) => entry.test(line.trim())).length;
  return Math.max(rows, entries) >= mostly * lines.length;
}

/** The lines of a table below its first one, which names the columns, or those of a log. */
function entriesOf(text: string): Quotable[] {
  const lines = text.split('\n').map((line) => line.replace(/^\s*[#;]+\s*/, ''));
  const [head = ''] = lines;
  const isTable = (head.match(cells)?.length ?? 0) > 1 && !entry.test(head);
  if (isTable) return linesIn(lines.slice(1), head.replace(cells, ' '));
  let section = '';
  return lines.flatMap((line) => {
    const name = /^\s*\[([\w. -]+)\]\s*$/.exec(line)?.[1];
    section = name ?? section;
    return name === undefined ? linesIn([line], section) : [];
  });
}

/** What says something below a heading alone: "MIT.", "No, only cash.", "Dr. Holm, 2nd floor". */
function isShortAnswer(text: string): boolean {
  return text.length < 60 && /[\p{L}\p{N}]/u.test(text) && !/[{}<>=$\\]/.test(text);
}

/** Lines of a text but its headings, also those that are underlined. */
function withoutHeadings(text: string): string[] {
  const lines = text.split('\n');
  return lines.filter(
    (line, at) => !/^\s*#{1,6}\s/.test(line) && !/^\s*(?:={3,}|-{3,}|~{3,})\s*$/.test(lines[at + 1] ?? ''),
  );
}

/** Rows of tables and lines of code within a text, with the heading that they stand below. */
function set(text: string): Quotable[] {
  let heading = '';
  let isFenced = false;
  return text.split('\n').flatMap((line) => {
    const content = line.trim();
    if (/^(?:```|~~~)/.test(content)) {
      isFenced = !isFenced;
      return [];
    }
    const title = isFenced ? undefined : /^#{1,6}\s+(.*)$/.exec(content)?.[1];
    if (title !== undefined) {
      heading = title;
      return [];
    }
    const isRow = content.startsWith('|') && content.endsWith('|') && /[\p{L}\p{N}]/u.test(content);
    return isFenced || isRow || /^(?: {4}|\t)\S/.test(line)
      ? linesIn([content], heading).map((line) => ({ ...line, reads: setReads }))
      : [];
  });
}

function linesIn(lines: readonly string[], heading: string): Quotable[] {
  return (
    lines
      .map((line) => line.trim())
      // A number in brackets would be read as that of a source.
      .filter(
        (line) => hasUsualLength(line, minLength.line) && says(line, heading) && !/\[\d{1,3}\]/.test(line),
      )
      .map((line) => ({ text: line, reads: lineReads, isSentence: false, heading }))
  );
}

/** Numbers alone say something below the names of their columns. */
function says(line: string, heading: string): boolean {
  return (heading === '' ? /\p{L}/u : /\p{N}/u).test(line) || /\p{L}/u.test(line);
}

function hasUsualLength({ length }: string, min: number): boolean {
  return length >= min && length <= maxLength;
}
