import type { Chat, ChatMessage } from './chat-text.ts';

const marks = '[\\u200e\\u200f\\u202a-\\u202e\\ufeff]*';
const date = '(\\d{1,4})([./-])(\\d{1,2})\\2(\\d{1,4})\\.?';
const time =
  '(\\d{1,2})[:.](\\d{2})(?:[:.](\\d{2}))?(?:[\\s\\u00a0\\u202f]?([ap])\\.?[\\s\\u00a0\\u202f]?m\\.?)?';
/** Android writes no seconds, which logs do. */
const minutes = time.replace('(?:[:.](\\d{2}))?', '()');
/** `[01.03.26, 14:05:07] Ada: …` of iPhones, `01/03/2026, 14:05 - Ada: …` of Android, with the words of other languages between. */
const starts = [
  new RegExp(`^${marks}\\[${date},? ${time}\\] ${marks}(.*)$`, 'is'),
  new RegExp(`^${marks}${date}(?:,| à| a las| um| kl\\.)? ${minutes} - ${marks}(.*)$`, 'is'),
];
const authorAndText = /^(?:~[\s\u202f]?)?([^:\n]{1,80}): ?(.*)$/s;

/** Where the day stands in a date. */
type DateOrder = 'day-month' | 'month-day' | 'year-month';

interface RawMessage {
  readonly numbers: readonly [number, number, number];
  readonly separator: string;
  readonly hour: number;
  readonly minute: number;
  readonly half: string | undefined;
  readonly said: string;
}

/** Lines that are looked at before a text is taken for a chat. */
const looked = 200;
/** The share of them that have to begin a message: others go on with one. */
const minShare = 0.2;
/** What stands before the colon in a log. */
const logWords = /^(?:trace|debug|info|notice|warn(?:ing)?|error|err|fatal|critical|severe)\b/i;
/** A name that no person has: `app.Http`, `production.ERROR`, `sshd[12]`. */
const machineName = /^\S*[./\\[\]]\S*$/;
/** What the program says of itself in every chat. */
const boilerplate =
  /end-to-end encrypted|Ende-zu-Ende-verschlüsselt|chiffrés? de bout en bout|cifrad[oa]s? de extremo|crittografati end-to-end/i;

/** Whether a text is the export of a chat, by its lines and not by its name. */
export function isWhatsApp(text: string): boolean {
  const lines = text
    .slice(0, 65_536)
    .split(/\r?\n/, looked)
    .filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  if (!startOf(first)) return false;
  const messages = lines.flatMap((line) => startOf(line) ?? []);
  if (messages.length < 2 || messages.length < minShare * lines.length) return false;
  const authors = messages.flatMap(({ said }) => authorAndText.exec(said)?.[1] ?? []);
  if (authors.length < 2 || authors.some((author) => logWords.test(author))) return false;
  if (authors.filter((author) => machineName.test(author)).length > authors.length / 2) return false;
  // A few people write many messages; the words before a colon in other texts are others on each line.
  if (new Set(authors).size > 3 && new Set(authors).size > authors.length * 0.7) return false;
  const times = timesOf(messages).times;
  const inOrder = times.filter((at, index) => index === 0 || (at ?? 0) >= (times[index - 1] ?? 0)).length;
  return times.every((at) => at !== undefined) && inOrder >= 0.9 * times.length;
}

/** The messages of an export, lines that go on with one joined to it. */
export function readWhatsApp(text: string): Chat {
  const raw: (Omit<RawMessage, 'said'> & { said: string })[] = [];
  for (const line of text.split(/\r?\n/)) {
    const start = startOf(line);
    const last = raw.at(-1);
    if (start) raw.push(start);
    else if (last) last.said += `\n${line}`;
  }
  const { times, isGuess } = timesOf(raw);
  const messages = raw.flatMap(({ said }, index): ChatMessage[] => {
    const [, author = '', own = said] = authorAndText.exec(said) ?? [];
    const clean = own.replace(/[\u200e\u200f\u202a-\u202e]/g, '').trim();
    if (clean === '' || (author === '' && boilerplate.test(clean))) return [];
    if (boilerplate.test(clean) && index === 0) return [];
    return [
      { author: author.replace(/[\u200e\u200f\u202a-\u202e]/g, '').trim(), text: clean, at: times[index] },
    ];
  });
  return {
    messages,
    channel: '',
    notes: [isGuess && 'dates like 1/2/2026 are read as day/month'],
  };
}

function startOf(line: string): RawMessage | undefined {
  if (line.length > 100_000 || !/^[^\p{L}]{6}/u.test(line)) return undefined;
  for (const pattern of starts) {
    const found = pattern.exec(line);
    if (!found) continue;
    const [, a = '', separator = '', b = '', c = '', hour = '', minute = '', , half, said = ''] = found;
    return {
      numbers: [Number(a), Number(b), Number(c)],
      separator,
      hour: Number(hour),
      minute: Number(minute),
      half: half?.toLowerCase(),
      said,
    };
  }
  return undefined;
}

/** When each was written, by the one order of day and month that all dates admit. */
function timesOf(messages: readonly Omit<RawMessage, 'said'>[]): {
  times: (number | undefined)[];
  isGuess: boolean;
} {
  const orders: DateOrder[] = messages.some(({ numbers: [a] }) => a > 31)
    ? ['year-month']
    : ['day-month', 'month-day'];
  const possible = orders
    .map((order) => messages.map((message) => momentIn(message, order)))
    .filter((times) => times.every((at) => at !== undefined));
  const [first = messages.map(() => undefined), second] = possible;
  if (!second) return { times: first, isGuess: false };
  // Both can be meant: messages stand in the order in which they were written.
  const [one, other] = [falls(first), falls(second)];
  const hasHalves = messages.some(({ half }) => half !== undefined);
  const isSlashed = messages.every(({ separator }) => separator === '/');
  if (one !== other) return { times: one < other ? first : second, isGuess: false };
  return hasHalves && isSlashed ? { times: second, isGuess: false } : { times: first, isGuess: isSlashed };
}

function falls(times: readonly (number | undefined)[]): number {
  return times.filter((at, index) => index > 0 && (at ?? 0) < (times[index - 1] ?? 0)).length;
}

function momentIn(message: Omit<RawMessage, 'said'>, order: DateOrder): number | undefined {
  const { numbers, half, minute } = message;
  const [a, b, c] = numbers;
  const [year, month, day] =
    order === 'year-month' ? [a, b, c] : order === 'day-month' ? [c, b, a] : [c, a, b];
  const full = year < 100 ? 2000 + year : year;
  const hour = half === undefined ? message.hour : (message.hour % 12) + (half === 'p' ? 12 : 0);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59) return undefined;
  if (full < 2009 || full > 2200) return undefined;
  // By the clock of the phone that exported it, whose zone the file does not say.
  return Date.UTC(full, month - 1, day, hour, minute);
}
