import type { DatedPart, Extraction } from '../../../contracts/extractor.ts';
import type { Metadata } from '../../../core/document.ts';
import type { Turn } from '../../../core/documents/conversation.ts';
import { turnSubject, turnText } from '../../../core/documents/conversation.ts';
import type { Place, PlaceMark } from '../../../core/place.ts';
import { beginningOf } from '../../../core/text/shortened.ts';
import { degradation } from '../bounds.ts';

/** One message of people who write to each other. */
export interface ChatMessage {
  /** Empty where the program itself says something: who was added, that a name was changed. */
  readonly author: string;
  readonly text: string;
  /** Milliseconds since 1970, by the clock of the machine that exported it; absent where it cannot be understood. */
  readonly at?: number | undefined;
  /** What it belongs to besides its day: a thread of answers. Empty for the channel itself. */
  readonly thread?: string;
}

/** Messages as they were exported. */
export interface Chat {
  readonly messages: readonly ChatMessage[];
  /** What is said above each sitting besides the day: the name of a channel. Empty where the file's name says it. */
  readonly channel: string;
  readonly notes?: readonly (string | false | undefined)[];
}

type MessagePoint = Extract<Place, { kind: 'messages' }>['first'];

const minute = 60_000;
/** A break after which another sitting begins, and the one that is enough where the day has changed too. */
const breaks = { long: 180 * minute, overnight: 30 * minute };
const separator = '\n\f\n';

/**
 * Messages of people as text: those of one sitting (one thread, without a long break) together below a line with channel and day,
 * sittings apart by a form feed.
 */
export function chatExtraction({ messages, channel, notes = [] }: Chat): Extraction {
  const marks: PlaceMark<MessagePoint>[] = [];
  const parts: DatedPart[] = [];
  let text = '';
  for (const sitting of sittings(messages)) {
    const [first] = sitting;
    if (!first) continue;
    const start = text === '' ? 0 : text.length + separator.length;
    const name = [channel, dayOf(first.message.at), first.message.thread].filter(Boolean).join(', ');
    text += `${start === 0 ? '' : separator}${name}`;
    for (const [index, { message, number }] of sitting.entries()) {
      const at = index === 0 ? start : text.length + 2;
      text += `${index === 0 && name === '' ? '' : '\n\n'}${messageText(message)}`;
      marks.push({ start: at, at: pointOf(number, '', message.at) });
      parts.push({ start: at, ...(message.at !== undefined && { writtenAt: message.at }) });
    }
  }
  return conversationText(text, marks, parts, {}, notes);
}

/** A conversation with an assistant, which is cut by its turns. */
export interface AssistantChat {
  readonly title: string;
  readonly turns: readonly Turn[];
  /** Said after the first turn: where it was, and how it is continued. */
  readonly about?: string;
}

/** Conversations with an assistant as text: each turn by itself, with a form feed between them. */
export function turnsExtraction(
  chats: readonly AssistantChat[],
  assistant: string,
  metadata: Metadata,
  notes: readonly (string | false | undefined)[] = [],
): Extraction {
  const marks: PlaceMark<MessagePoint>[] = [];
  const parts: DatedPart[] = [];
  const texts: string[] = [];
  let start = 0;
  for (const { title, turns, about } of chats)
    for (const turn of turns) {
      const named = chats.length > 1 && title !== '' ? `${oneLine(title)}\n\n` : '';
      const more = about !== undefined && turn === turns[0] ? `\n\n(${oneLine(about)})` : '';
      const text = `${named}${turnText(turn, assistant)}${more}`.replaceAll('\f', '\n');
      const subject = [chats.length > 1 ? beginningOf(oneLine(title), 40) : '', turnSubject(turn)];
      marks.push({
        start,
        at: pointOf(marks.length + 1, subject.filter(Boolean).join(': '), turn.at),
      });
      parts.push({ start, ...(turn.at !== undefined && { writtenAt: turn.at }) });
      texts.push(text);
      start += text.length + separator.length;
    }
  return conversationText(texts.join(separator), marks, parts, metadata, notes);
}

function conversationText(
  text: string,
  marks: readonly PlaceMark<MessagePoint>[],
  messages: readonly DatedPart[],
  metadata: Metadata,
  notes: readonly (string | false | undefined)[],
): Extraction {
  if (marks.length === 0) return { kind: 'skip', reason: 'empty', rule: 'a chat without a message' };
  return {
    kind: 'text',
    text,
    chunker: 'entries',
    type: 'conversation',
    places: { kind: 'messages', marks },
    messages,
    metadata: { ...metadata, messages: marks.length },
    ...degradation(...notes),
  };
}

interface Numbered {
  readonly message: ChatMessage;
  readonly number: number;
}

function sittings(messages: readonly ChatMessage[]): Numbered[][] {
  const found: Numbered[][] = [];
  let before: ChatMessage | undefined;
  for (const [index, message] of messages.entries()) {
    const numbered = { message, number: index + 1 };
    if (before && isSameSitting(before, message)) found.at(-1)?.push(numbered);
    else found.push([numbered]);
    before = message;
  }
  return found;
}

function isSameSitting(before: ChatMessage, message: ChatMessage): boolean {
  if ((before.thread ?? '') !== (message.thread ?? '')) return false;
  if (before.at === undefined || message.at === undefined) return true;
  const pause = Math.abs(message.at - before.at);
  return pause < (dayOf(before.at) === dayOf(message.at) ? breaks.long : breaks.overnight);
}

function messageText({ author, text, at }: ChatMessage): string {
  const clean = text.replaceAll('\f', '\n').trim();
  const said = author === '' ? `(${clean})` : `${oneLine(author)}: ${clean}`;
  return at === undefined ? said : `${new Date(at).toISOString().slice(11, 16)} ${said}`;
}

function dayOf(at: number | undefined): string {
  return at === undefined ? '' : new Date(at).toISOString().slice(0, 10);
}

function pointOf(message: number, subject: string, at: number | undefined): MessagePoint {
  return { message, subject, ...(at !== undefined && { date: new Date(at).toISOString() }) };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
