import { folded } from '../text/folded.ts';

const prefix = 'conversation:';

/**
 * Whether a uri names a session of an agent: `conversation:work/api/claude-2026-10-03.a1b2c3d4`, where the folder is the one in
 * which it was held. No file of a project has such a name.
 */
export function isConversation(uri: string): boolean {
  return uri.startsWith(prefix);
}

/** What a session is known by. */
export interface SessionName {
  readonly agent: string;
  /** Parts of the folder in which it was held, as seen from the user's home. */
  readonly folder: readonly string[];
  /** The day on which it began. */
  readonly day: string;
  /** By which its agent knows it. */
  readonly id: string;
}

/** The uri of a session. */
export function conversationUri({ agent, folder, day, id }: SessionName): string {
  const parts = folder.map(safePart).filter((part) => part !== '' && !/^\.+$/.test(part));
  return `${prefix}${[...parts, `${agent}-${day}`].join('/')}.${shortId(id)}`;
}

/** The end of an id, long enough that it is no ending of the name of a file. */
function shortId(id: string): string {
  return id
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .slice(-12)
    .padStart(8, '-');
}

/** The agent that a uri names. */
export function agentOf(uri: string): string {
  return /([a-z]+)-\d{4}-\d{2}-\d{2}\.[^/]*$/.exec(uri)?.[1] ?? '';
}

/** What may stand between two slashes of a uri. */
function safePart(part: string): string {
  return part
    .toWellFormed()
    .replace(/[\p{Cc}\\/:*?"<>|,]+/gu, '-')
    .slice(0, 100);
}

/** What somebody asked, and what came of it until the next question. */
export interface Turn {
  /** When it was asked, in milliseconds since 1970. */
  readonly at?: number | undefined;
  /** What was asked; empty where the conversation begins without a question. */
  readonly prompt: string;
  /** Paragraphs of the answer, and what tools were called for it. */
  readonly reply: readonly ReplyPart[];
}

/** A paragraph of an assistant, or a line on a tool, with the first lines of what it gave. */
export interface ReplyPart {
  readonly kind: 'said' | 'tool';
  readonly text: string;
}

/** Longest texts of one message that are kept, in characters: more than that was pasted. */
const maxCharacters = { prompt: 8000, said: 40_000 };

/** A turn as text: the question first, which names it. */
export function turnText({ at, prompt, reply }: Turn, assistant: string): string {
  const day = at === undefined ? '' : `, ${new Date(at).toISOString().slice(0, 10)}`;
  const paragraphs = reply.map(({ kind, text }, index) => {
    const kept = kind === 'said' ? folded(text, { characters: maxCharacters.said }) : text;
    const isFirst = kind === 'said' && reply[index - 1]?.kind !== 'said';
    return isFirst ? `${assistant}: ${kept}` : kept;
  });
  const asked = prompt === '' ? [] : [`You${day}: ${folded(prompt, { characters: maxCharacters.prompt })}`];
  return [...asked, ...paragraphs].join('\n\n').trim();
}

/** How a turn is called: the first words that were asked, or answered. */
export function turnSubject({ prompt, reply }: Turn): string {
  const text = prompt || (reply.find(({ kind }) => kind === 'said') ?? reply[0])?.text || '';
  const line = /\S[^\n]*/.exec(text)?.[0] ?? '';
  return line.replace(/\s+/g, ' ').replaceAll('"', "'").slice(0, 100).trim();
}

/** A session of an agent as its source gives it: what was said, and first lines of what tools gave, without secrets. */
export interface SessionTranscript {
  readonly agent: string;
  /** What people call the agent, and what is written before what it says. */
  readonly agentTitle: string;
  readonly speaker: string;
  readonly id: string;
  /** Empty where it has none. */
  readonly title: string;
  /** The folder in which it was held, and how people write it; empty where that is not known. */
  readonly folder: string;
  readonly shownFolder: string;
  /** Milliseconds since 1970. */
  readonly startedAt?: number;
  readonly branch?: string;
  /** The command that continues it. */
  readonly resume?: string;
  readonly turns: readonly Turn[];
  /** What was left out, for a person. */
  readonly notes: readonly string[];
}
