import type { ContextSource } from '../../core/context.ts';
import { evidenceOf } from './support.ts';

/** Names of months and days of the week: whole ones, since "market", "money" and "sunny" begin alike. The verb "may" has no number beside it. */
const days =
  /\b(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|may(?:(?=\s+\p{N})|(?<=(?:\p{N}(?:st|nd|rd|th|\.)?|\b(?:in|of|by|until|since)) may))|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b/u;
/** What a text says that another may say otherwise: numbers, months and days of the week. */
const values = new RegExp(`\\p{N}+|${days.source}`, 'giu');
/** The share of the words of the shorter of two sentences from which on they speak of the same. */
const sameFrom = 0.6;
/** Of two messages of one thread less is enough. */
const sameInThread = 0.15;

/** A text that was quoted, with what it was quoted from. */
export interface Said {
  readonly text: string;
  /** Of rows and lines each says something else. */
  readonly isSentence: boolean;
  readonly source: ContextSource;
}

/** Whether two texts speak of the same thing and name other numbers or days for it. */
export function disagree(one: Said, other: Said): boolean {
  if (!one.isSentence || !other.isSentence || !hasOtherValues(one.text, other.text)) return false;
  const thread = threadOf(one.source);
  const isOneThread = thread !== undefined && thread === threadOf(other.source);
  return sharedWords(one.text, other.text) >= (isOneThread ? sameInThread : sameFrom);
}

/** Words for what a thread is about, in place of its name. */
const refersBack = /\b(?:it|this|that|es|das|dies)\b/i;
/** Months and days of the week among the values. */
const isDay = /^\p{L}/u;

/**
 * Whether the older of two messages of a thread names another day than the newer one for what the thread is about: one of them may say "it" for that,
 * and then has none of the words of the other.
 */
export function namesOtherDay(one: Said, other: Said): boolean {
  const thread = threadOf(one.source);
  if (
    thread === undefined ||
    thread !== threadOf(other.source) ||
    dateOf(one.source) === dateOf(other.source)
  )
    return false;
  const daysOf = ({ text }: Said): string[] => [...valuesOf(text)].filter((value) => isDay.test(value));
  const [own, others] = [daysOf(one), daysOf(other)];
  const isOther = own.length > 0 && others.length > 0 && !own.some((day) => others.includes(day));
  return (
    isOther && one.isSentence && other.isSentence && [one, other].some(({ text }) => refersBack.test(text))
  );
}

/** Whether each of two texts names a number or a day that the other does not. */
export function hasOtherValues(one: string, other: string): boolean {
  const [own, others] = [valuesOf(one), valuesOf(other)];
  return [...own].some((value) => !others.has(value)) && [...others].some((value) => !own.has(value));
}

/** When a text was written, for comparing: of a message its date, else a year that its heading, title or name has; empty where none is known. */
export function dateOf({ place, section, title, uri }: ContextSource): string {
  if (place?.kind === 'messages') return place.last.date ?? place.first.date ?? '';
  return /(?<!\d)(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?(?!\d)/.exec(`${section}\n${title}\n${uri}`)?.[0] ?? '';
}

/** Names the conversation that a message belongs to, by its subject; undefined for what is no message. */
export function threadOf({ place }: ContextSource): string | undefined {
  if (place?.kind !== 'messages') return undefined;
  const subject = place.first.subject.replace(/^(?:\s*(?:re|aw|fwd?|wg|sv|antw)\s*(?:\[\d+\])?\s*:)+/i, '');
  return subject.trim().toLowerCase() || undefined;
}

/** The share of the words of the shorter of two texts that the other has, numbers and days left out. */
export function sharedWords(one: string, other: string): number {
  const [few, many] = [one, other]
    .map((text) => evidenceOf(text.replace(values, ' ')).all)
    .sort((a, b) => a.size - b.size);
  if (!few || !many || few.size === 0) return 0;
  return [...few].filter((word) => many.has(word)).length / few.size;
}

function valuesOf(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(values) ?? []).map((value) => value.replace(/^0+(?=\d)/, '')));
}
