import { beginningOf } from '../../../core/text/shortened.ts';
import type { Chat, ChatMessage } from './chat-text.ts';
import { elementValue, jsonElements } from './json-elements.ts';

/** One record of an export; everything in it is what a stranger wrote. */
interface SlackRecord {
  readonly type: 'message';
  readonly ts: string;
  readonly thread_ts?: unknown;
  readonly subtype?: unknown;
  readonly user?: unknown;
  readonly username?: unknown;
  readonly text?: unknown;
  readonly user_profile?: unknown;
  readonly bot_profile?: unknown;
  readonly files?: unknown;
  readonly attachments?: unknown;
}

/** What is looked at before a file is taken for a day of a channel. */
const looked = 20;
/** Who came and went says nothing. */
const comings = /^(?:channel|group|mpim)_(?:join|leave|convert_to_private|archive|unarchive)$/;

/** Whether an element of an array is a message of Slack. */
export function isSlackRecord(value: unknown): value is SlackRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { type, ts } = value as Record<string, unknown>;
  return type === 'message' && typeof ts === 'string' && /^\d{9,11}\.\d{3,7}$/.test(ts);
}

/** Whether a file is a day of a channel: each of its first elements is a message. */
export function isSlack(bytes: Uint8Array): boolean {
  let count = 0;
  for (const element of jsonElements(bytes)) {
    if (!isSlackRecord(elementValue(element))) return false;
    count += 1;
    if (count === looked) break;
  }
  return count > 0;
}

/** The messages of a day, each thread after the message that began it. `beside` has the names that `users.json` gives. */
export function readSlack(bytes: Uint8Array, uri: string, beside = ''): Chat {
  const names = namesIn(beside);
  const records: SlackRecord[] = [];
  let unknown = 0;
  const elements = jsonElements(bytes);
  let step = elements.next();
  for (; !step.done; step = elements.next()) {
    const value = elementValue(step.value);
    if (!isSlackRecord(value)) unknown += 1;
    else {
      records.push(value);
      const [user, name] = [String(value.user ?? ''), profileName(value.user_profile)];
      if (user !== '' && name !== '' && !names.has(user)) names.set(user, name);
    }
  }
  const kept = records.filter(({ subtype }) => !comings.test(String(subtype ?? '')));
  const roots = new Map(kept.map((record) => [record.ts, record]));
  const answered = new Set(kept.filter(isReply).map(threadOf));
  const order = (record: SlackRecord) => (roots.has(threadOf(record)) ? threadOf(record) : record.ts);
  kept.sort((one, other) => Number(order(one)) - Number(order(other)) || Number(one.ts) - Number(other.ts));
  const messages = kept.flatMap((record): ChatMessage[] => {
    const text = textOf(record, names);
    if (text === '') return [];
    const isOfThread = answered.has(threadOf(record));
    const root = roots.get(threadOf(record));
    const about = root
      ? beginningOf(plain(String(root.text ?? '').slice(0, 2000), names).replace(/\s+/g, ' '), 80)
      : 'earlier';
    return [
      {
        author: authorOf(record, names),
        text,
        at: Math.round(Number(record.ts) * 1000),
        ...(isOfThread && { thread: `thread: ${about}` }),
      },
    ];
  });
  const channel = uri.split('/').at(-2) ?? '';
  return {
    messages,
    channel: channel === '' ? '' : `#${channel}`,
    notes: [
      unknown > 0 && `${unknown} records are not messages`,
      !step.value && 'the file ends in the middle of a record',
    ],
  };
}

/** The list of people that an export has in the folder above its channels. */
export function slackNamesFile(uri: string): string | undefined {
  const [, folder] = /^((?:.*\/)?)[^/]+\/\d{4}-\d{2}-\d{2}\.json$/.exec(uri) ?? [];
  return folder === undefined ? undefined : `${folder}users.json`;
}

/** The names in a list of people, in few bytes: a line for each, with its id before a tab. */
export function slackNames(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (const element of jsonElements(bytes)) {
    const value = elementValue(element) as Record<string, unknown> | null | undefined;
    if (typeof value?.id !== 'string' || !/^[UWB][A-Z0-9]{2,20}$/.test(value.id)) continue;
    const name = profileName(value.profile) || String(value.real_name ?? value.name ?? '');
    lines.push(`${value.id}\t${name.replace(/\s+/g, ' ').trim().slice(0, 80)}`);
    if (lines.length >= 50_000) break;
  }
  return lines.join('\n');
}

function namesIn(beside: string): Map<string, string> {
  return new Map(
    beside.split('\n').flatMap((line) => {
      const [id = '', name = ''] = line.split('\t');
      return id !== '' && name !== '' ? [[id, name] as const] : [];
    }),
  );
}

function profileName(profile: unknown): string {
  const { display_name, real_name } = (profile ?? {}) as Record<string, unknown>;
  return (
    [real_name, display_name].find((name): name is string => typeof name === 'string' && name !== '') ?? ''
  );
}

function isReply({ ts, thread_ts }: SlackRecord): boolean {
  return typeof thread_ts === 'string' && thread_ts !== ts;
}

function threadOf({ ts, thread_ts }: SlackRecord): string {
  return typeof thread_ts === 'string' ? thread_ts : ts;
}

function authorOf(record: SlackRecord, names: ReadonlyMap<string, string>): string {
  const id = String(record.user ?? '');
  const bot = (record.bot_profile ?? {}) as Record<string, unknown>;
  const candidates = [names.get(id), profileName(record.user_profile), record.username, bot.name, id];
  return candidates.find((name): name is string => typeof name === 'string' && name !== '') ?? 'somebody';
}

function textOf(record: SlackRecord, names: ReadonlyMap<string, string>): string {
  const said = plain(String(record.text ?? ''), names);
  const attached = listOf(record.attachments).flatMap(({ title, text, fallback }) => {
    const shown = [title, text ?? fallback].filter((part) => typeof part === 'string' && part !== '');
    return shown.length > 0 ? [plain(shown.join(': '), names)] : [];
  });
  const files = listOf(record.files).flatMap(({ name, title }) => {
    const shown = name ?? title;
    return typeof shown === 'string' ? [`[file: ${shown}]`] : [];
  });
  return [said, ...attached, ...files].filter((part) => part.trim() !== '').join('\n');
}

function listOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 50).filter((item) => typeof item === 'object' && item !== null);
}

/** The marks of Slack as people see them: names, channels, links. */
function plain(text: string, names: ReadonlyMap<string, string>): string {
  return text
    .replace(
      /<([@#!]?)([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g,
      (_, kind: string, target: string, label = '') => {
        if (kind === '@') return `@${names.get(target) ?? (label || target)}`;
        if (kind === '#') return `#${label || target}`;
        if (kind === '!') return `@${label || target}`;
        return label !== '' && label !== target ? `${label} (${target})` : target;
      },
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
