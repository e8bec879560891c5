import type { ReplyPart, Turn } from '../../../core/documents/conversation.ts';
import { folded } from '../../../core/text/folded.ts';

/** What is known of a session besides what was said. */
export interface SessionFacts {
  id?: string;
  /** The folder in which it was held, as its agent wrote it. */
  folder?: string;
  /** When it began, in milliseconds since 1970. */
  startedAt?: number;
  title?: string;
  branch?: string;
  /** Why it is left out, where it is no session of a person: one that another session began. */
  leftOut?: string;
}

interface FoldedPart extends ReplyPart {
  text: string;
  /** By which its agent names it: the message, or the call of a tool. */
  key?: string;
  /** Of the call of a tool: whether its output says nothing that its files do not. */
  isLook?: boolean;
}

interface FoldedTurn extends Turn {
  prompt: string;
  key?: string;
  readonly reply: FoldedPart[];
}

/** A session as it is kept: what was said, and the first lines of what tools gave. */
export interface FoldedSession {
  facts: SessionFacts;
  turns: FoldedTurn[];
  /** Turns that were left out at the beginning, since there are too many. */
  dropped: number;
  /** Records that have a text and are of no kind that is known. */
  unknown: number;
  /** Records that are no JSON, or too long. */
  broken: number;
}

/** Makes a session from the records of an agent. Its texts come without secrets. */
export interface Folding {
  readonly session: FoldedSession;
  asked(text: string, at: number | undefined, key?: string): void;
  said(text: string, key?: string): void;
  called(tool: string, input: unknown, key?: string): void;
  gave(key: string | undefined, output: string, isError: boolean): void;
  /** A line that is known of the session, without secrets. */
  clean(text: string): string;
  /** Everything so far is replaced by what comes next. */
  restart(): void;
  /** A message and all after it are taken back; everything where no message has this key. */
  rewound(key: string | undefined): void;
}

/** Characters of a session that are kept at most. */
const maxCharacters = 6_000_000;
/** Turns of a session, and parts of one turn, that are kept at most. */
const maxTurns = 20_000;
const maxParts = 20_000;
/** Parts among which one that is written twice is looked for. */
const maxRepeats = 200;
/** Characters of a text that are looked at: what is kept of it is less. */
const looked = { prompt: 20_000, said: 60_000, output: 6000 };
const outputs = {
  default: { characters: 280, lines: 3 },
  error: { characters: 500, lines: 3, lastLines: 3 },
};
/** Tools that show what is in files, and our own, whose results are places of documents. */
const looks =
  /^(?:read|grep|glob|ls|view|cat|search|notebookread|read_file|read_many_files|list_directory|search_file_content|find_files?|todowrite|update_plan|report_intent)$|quarry/i;

/** Continues a session, or begins one. */
export function createFolding(session: FoldedSession, redact: (text: string) => string): Folding {
  let size = session.turns.reduce((sum, turn) => sum + sizeOf(turn), 0);
  const clean = (text: string, max: number): string =>
    redact(text.slice(0, max)).replaceAll('\f', '\n').trim();
  const current = (): FoldedTurn => {
    const last = session.turns.at(-1);
    if (last) return last;
    const first: FoldedTurn = { prompt: '', reply: [] };
    session.turns.push(first);
    return first;
  };
  const bound = (): void => {
    while ((size > maxCharacters || session.turns.length > maxTurns) && session.turns.length > 1) {
      const [oldest] = session.turns.splice(0, 1);
      if (oldest) size -= sizeOf(oldest);
      session.dropped += 1;
    }
    // Of one long turn the beginning is left out.
    const reply = session.turns.at(-1)?.reply ?? [];
    while (reply.length > 1 && (size > maxCharacters || reply.length > maxParts))
      size -= reply.shift()?.text.length ?? 0;
  };
  const add = (part: FoldedPart): void => {
    current().reply.push(part);
    size += part.text.length;
    bound();
  };
  const partOf = (key: string): FoldedPart | undefined => {
    for (const turn of session.turns.slice(-3).reverse()) {
      const found = turn.reply.findLast((part) => part.key === key);
      if (found) return found;
    }
    return undefined;
  };
  return {
    session,
    clean: (text) => clean(text, 2000),
    asked(text, at, key) {
      const prompt = clean(text, looked.prompt);
      if (prompt === '') return;
      const before = session.turns.at(-1);
      const same = key === undefined ? undefined : session.turns.findLast((turn) => turn.key === key);
      if (same) same.prompt = prompt;
      // Agents write the same question twice, for themselves and for the screen.
      else if (before && before.prompt === prompt && before.reply.length === 0) return;
      else {
        const named = { ...(at !== undefined && { at }), ...(key !== undefined && { key }) };
        session.turns.push({ ...named, prompt, reply: [] });
        size += prompt.length;
        bound();
      }
    },
    said(text, key) {
      const said = clean(text, looked.said);
      if (said === '') return;
      const same = key === undefined ? undefined : partOf(key);
      const isRepeated = (): boolean =>
        current()
          .reply.slice(-maxRepeats)
          .some((part) => part.kind === 'said' && part.text === said);
      if (same) {
        size += said.length - same.text.length;
        same.text = said;
        bound();
      } else if (!isRepeated()) add({ kind: 'said', text: said, ...(key !== undefined && { key }) });
    },
    called(tool, input, key) {
      if (key !== undefined && partOf(key)) return;
      const name = tool.replace(/\s+/g, ' ').slice(0, 60);
      const about = clean(shortInput(input), 4000).replace(/\s+/g, ' ').slice(0, 160);
      const isLook = looks.test(name) || /^(?:npx )?quarry\b/.test(about);
      add({
        kind: 'tool',
        text: `[${name}]${about === '' ? '' : ` ${about}`}`,
        ...(key !== undefined && { key }),
        ...(isLook && { isLook }),
      });
    },
    gave(key, output, isError) {
      const part = key === undefined ? undefined : partOf(key);
      if (!part || part.text.includes('\n') || (part.isLook && !isError)) return;
      const whole = output.trim();
      if (whole === '') return;
      // Its beginning and its end are all that is kept of it, however long it is.
      const isLong = whole.length > 2 * looked.output;
      const ends = isLong
        ? `${redact(whole.slice(0, looked.output))}${'\n'.padEnd(whole.length - 2 * looked.output)}${redact(whole.slice(-looked.output))}`
        : redact(whole);
      const shown = folded(ends.replaceAll('\f', '\n'), isError ? outputs.error : outputs.default);
      part.text += `\n${shown.replace(/^/gm, '> ')}`;
      size += shown.length;
    },
    restart() {
      session.turns = [];
      size = 0;
    },
    rewound(key) {
      const at = session.turns.findLastIndex(
        (turn) => turn.key === key || turn.reply.some((part) => part.key === key),
      );
      const turn = key === undefined || at < 0 ? undefined : session.turns[at];
      session.turns.splice(turn ? at + 1 : 0);
      if (turn?.key === key) session.turns.splice(at);
      else turn?.reply.splice(turn.reply.findIndex((part) => part.key === key));
      size = session.turns.reduce((sum, each) => sum + sizeOf(each), 0);
    },
  };
}

/** A session of which nothing was read yet. */
export function emptySession(): FoldedSession {
  return { facts: {}, turns: [], dropped: 0, unknown: 0, broken: 0 };
}

function sizeOf({ prompt, reply }: Turn): number {
  return prompt.length + reply.reduce((sum, { text }) => sum + text.length, 0);
}

/** Names under which a tool is told what it is for, the most telling first. */
const namesOfPurpose = [
  'command',
  'cmd',
  'file_path',
  'path',
  'filePath',
  'pattern',
  'query',
  'url',
  'description',
  'prompt',
  'input',
];

/** What a tool was called with, in a few words. */
function shortInput(input: unknown): string {
  if (typeof input === 'string') {
    const parsed = /^\s*\{/.test(input.slice(0, 20)) && input.length < 100_000 ? parsedOf(input) : undefined;
    return parsed === undefined ? input.slice(0, 4000) : shortInput(parsed);
  }
  if (Array.isArray(input))
    return input
      .slice(0, 40)
      .filter((part) => typeof part === 'string')
      .join(' ');
  if (typeof input !== 'object' || input === null) return '';
  const fields = input as Record<string, unknown>;
  const named = namesOfPurpose.find(
    (name) => typeof fields[name] === 'string' || Array.isArray(fields[name]),
  );
  return named === undefined ? '' : shortInput(plainString(fields[named]));
}

/** A value that is no object, so that what it holds is not looked into again. */
function plainString(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/^\s*\{/, ' (') : value;
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is no JSON is shown as the text that it is.
    return undefined;
  }
}
