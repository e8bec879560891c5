import type { DatedPart } from '../contracts/extractor.ts';
import type { Document } from '../core/document.ts';
import { archivedMessages, timeIn } from '../core/documents/mail.ts';
import { lastAtOrBefore } from './last-at-or-before.ts';

/** A document whose messages have their own times, without those that are too old. */
export interface DatedDocument {
  /** As new as its newest message. What is too old is blank in its text, so that offsets and lines stay. */
  readonly document: Document;
  /** When the text between two offsets was written; absent for a single message. */
  readonly timeOf?: (start: number, end: number) => number;
  /** Whether nothing is left of it. */
  readonly isTooOld: boolean;
  /** What a user should know about it. */
  readonly notes: readonly string[];
}

/** The messages of a document: those that its extractor found, else those of an archive in plain text. */
export function messagesOf(document: Document, found: readonly DatedPart[] | undefined) {
  if (found || document.type !== 'email') return found;
  const parts = archivedMessages(document.text)
    // A form feed inside a message begins no other one.
    .filter(({ start, subject, from, date }) => start === 0 || subject + from + date !== '')
    .map(({ start, date }) => ({ start, writtenAt: timeIn(date) }));
  return parts.some(({ writtenAt }) => writtenAt !== undefined) ? parts : undefined;
}

/** A day, by which the clock of a sender may be wrong. */
const tolerance = 24 * 3600 * 1000;

/** Clocks that were never set show the first day of 1970. */
const firstBelievable = Date.UTC(1971);

/** Gives each message its time: as it says, or that of the file where it says none that can be believed. */
export function dateMessages(
  document: Document,
  messages: readonly { readonly start: number; readonly writtenAt?: number | undefined }[],
  oldest: number | undefined,
  rule: string,
): DatedDocument {
  const now = Date.now();
  const isBelievable = (time: number | undefined) =>
    time !== undefined && time >= firstBelievable && time <= now + tolerance;
  const times = messages.map(({ writtenAt }) =>
    writtenAt !== undefined && isBelievable(writtenAt) ? writtenAt : document.modifiedAt,
  );
  const undated = messages.filter(({ writtenAt }) => !isBelievable(writtenAt)).length;
  const isOld = times.map((time) => oldest !== undefined && time < oldest);
  const tooOld = isOld.filter(Boolean).length;
  const total = messages.length;
  const starts = messages.map(({ start }, index) => (index === 0 ? 0 : start));
  const text = starts
    .map((start, index) => {
      const own = document.text.slice(start, starts[index + 1]);
      return isOld[index] ? own.replace(/[^\n\f]/g, ' ') : own;
    })
    .join('');
  const timeOf = (start: number, end: number) => {
    const [first, last] = [lastAtOrBefore(starts, start), lastAtOrBefore(starts, end - 1)];
    // A chunk that reaches into several messages is as new as the newest of them.
    return Math.max(...times.slice(Math.max(0, first), last + 1));
  };
  return {
    document: {
      ...document,
      text,
      modifiedAt: times.reduce((newest, time) => Math.max(newest, time), 0),
      ...(tooOld > 0 && { metadata: { ...document.metadata, messages: total, messages_too_old: tooOld } }),
    },
    ...(total > 1 && { timeOf }),
    isTooOld: tooOld === total,
    notes: [
      ...(tooOld > 0 ? [ageNote(tooOld, total, rule)] : []),
      ...(undated > 0
        ? [`${undated} of ${total} messages without a date that can be believed: the file's own counts`]
        : []),
    ],
  };
}

/** How many messages of a document are left out for their age. */
export function ageNote(tooOld: number, total: number, rule: string): string {
  return `${tooOld} of ${total} messages left out: ${rule}`;
}

/** The notes on a document in which more messages have grown too old. */
export function withAgeNote(detail: string | undefined, note: string): string {
  const others = detail?.split('; ').filter((part) => !/^\d+ of \d+ messages left out: /.test(part)) ?? [];
  return [note, ...others].join('; ');
}
