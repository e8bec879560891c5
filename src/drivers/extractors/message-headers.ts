import type { Metadata } from '../../core/document.ts';
import { timeIn } from '../../core/documents/mail.ts';
import { beginningOf } from '../../core/text/shortened.ts';

/** The headers of an e-mail that people and threads are found by. */
export interface MessageHeaders {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cc?: string | undefined;
  /** ISO 8601 where the date could be understood, else as it was written. */
  readonly date?: string | undefined;
  readonly subject?: string | undefined;
  readonly messageId?: string | undefined;
  readonly inReplyTo?: string | undefined;
}

/** The fields of `MessageHeaders` under the names they have in a message, in the order in which they are shown. */
export const headerNames = [
  ['from', 'From'],
  ['to', 'To'],
  ['cc', 'Cc'],
  ['date', 'Date'],
  ['subject', 'Subject'],
  ['messageId', 'Message-ID'],
  ['inReplyTo', 'In-Reply-To'],
] as const satisfies readonly (readonly [keyof MessageHeaders, string])[];

/** Longest block of headers that is looked at, in characters, and longest value that is kept. */
const maxBlockLength = 16_384;
const maxValueLength = 500;

/**
 * The headers of an e-mail that was archived as plain text: a block of `Name: value` lines at the very beginning
 * with `From`, and `Subject` or `Date`; undefined when the text begins in any other way.
 */
export function archivedHeaders(text: string): MessageHeaders | undefined {
  const fields = headerBlock(text.slice(0, maxBlockLength));
  if (!fields?.has('from') || !(fields.has('subject') || fields.has('date'))) return undefined;
  const date = fields.get('date') ?? fields.get('sent');
  return {
    from: fields.get('from'),
    to: fields.get('to'),
    cc: fields.get('cc'),
    date: date && isoDate(date),
    subject: fields.get('subject'),
    messageId: fields.get('message-id'),
    inReplyTo: fields.get('in-reply-to'),
  };
}

/** Headers as metadata of the document; absent ones stay absent. */
export function headerMetadata(headers: MessageHeaders): Metadata {
  return Object.fromEntries(
    headerNames.flatMap(([field]) => (headers[field] ? [[field, headers[field]]] : [])),
  );
}

/** A date in ISO 8601, or as it was written where it is none. */
export function isoDate(written: string): string {
  const time = timeIn(written);
  return time === undefined ? written : new Date(time).toISOString();
}

/** A header value on one line and of limited length. */
export function headerValue(written: string | null | undefined): string | undefined {
  return beginningOf(written?.replace(/\s+/g, ' ').trim() ?? '', maxValueLength) || undefined;
}

/** Lower-case names with their first values; undefined when a line before the first blank one is no header. */
function headerBlock(start: string): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  let last = '';
  for (const [index, line] of start.split(/\r?\n/).entries()) {
    if (line.trim() === '') return fields;
    if (index === 0 && /^From \S/.test(line)) continue;
    const [, name = '', value = ''] =
      /^(?:\*\*)?([A-Za-z][A-Za-z-]{0,40})(?:\*\*)?:(?:\*\*)?[ \t]*(.*)$/.exec(line) ?? [];
    const folded = /^[ \t]/.test(line) && last !== '';
    if (name === '' && !folded) return undefined;
    if (folded) fields.set(last, headerValue(`${fields.get(last) ?? ''} ${line}`) ?? '');
    else {
      last = name.toLowerCase();
      if (!fields.has(last)) fields.set(last, headerValue(value) ?? '');
    }
  }
  return fields;
}
