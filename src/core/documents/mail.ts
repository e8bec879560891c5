/** One message of an archive of e-mail in plain text. */
export interface ArchivedMessage {
  readonly start: number;
  readonly end: number;
  /** The values of its headers; empty where it has none. */
  readonly subject: string;
  readonly from: string;
  readonly date: string;
}

/** Longest block of headers that is looked at, in characters. */
const maxHeadersLength = 16_384;

/** A form feed on its own line, or the line that begins a message in a mailbox. */
const boundary = /^\f\r?\n|^From [^\r\n]{0,200}\d{4}[^\r\n]{0,40}\r?\n(?=[!-9;-~]{1,60}:)/gm;

/** The messages of a text, without a gap between them: one at least. */
export function archivedMessages(text: string): ArchivedMessage[] {
  const starts = [0];
  for (const { index } of text.matchAll(boundary)) {
    const afterBlank = /\n\r?\n$/.test(text.slice(Math.max(0, index - 3), index));
    if (index > 0 && (text[index] === '\f' || afterBlank)) starts.push(index);
  }
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? text.length;
    const beginning = text.slice(start, Math.min(end, start + maxHeadersLength)).trimStart();
    const headers = /^[^\r\n]*(?:\r?\n[^\r\n]+)*/.exec(beginning)?.[0] ?? '';
    const [subject = '', from = '', date = '', sent = ''] = ['Subject', 'From', 'Date', 'Sent'].map((name) =>
      fieldOf(headers, name),
    );
    return { start, end, subject, from, date: date || sent };
  });
}

function fieldOf(headers: string, name: string): string {
  const field = new RegExp(`^(?:\\*\\*)?${name}(?:\\*\\*)?:(?:\\*\\*)?[ \\t]*([^\\r\\n]{1,300})`, 'im').exec(
    headers,
  );
  return field?.[1]?.trim() ?? '';
}

/** What every date of an e-mail has; the parser would accept almost any text with a number in it. */
const datePattern =
  /\d{4}-\d{2}-\d{2}|\d{1,4}\/\d{1,2}\/\d{1,4}|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

/** Longer than any date with its comments. */
const maxDateLength = 300;

/** The moment that a date of an e-mail names, in milliseconds since 1970; undefined where it cannot be understood. */
export function timeIn(written: string | undefined): number | undefined {
  if (written === undefined || written.length > maxDateLength || !datePattern.test(written)) return undefined;
  const plain = written.replace(/\([^)]*\)/g, ' ').trim();
  // The standard says that a zone whose name is not known stands for UTC.
  const times = [plain, plain.replace(/\s+[A-Za-z]{1,5}$/, ' +0000')].map((date) => Date.parse(date));
  return times.find((time) => !Number.isNaN(time));
}
