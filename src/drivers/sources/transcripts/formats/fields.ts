import type { Folding } from '../folding.ts';

/** The fields of a record, whatever a file holds in its place. */
export type Fields = Readonly<Record<string, unknown>>;

/** Takes one record of an agent's transcript into a session. */
export type TakeRecord = (record: Fields, folding: Folding) => void;

/** A value as an object; an empty one where it is none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** A value as a list of objects. */
export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** A value as a text; undefined where it is none, or empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The texts of content that is written as one, or as a list of blocks. */
export function textsIn(content: unknown, kinds = ['text']): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .flatMap(({ type, text, thought }) =>
      typeof text === 'string' && thought !== true && (type === undefined || kinds.includes(String(type)))
        ? [text]
        : [],
    )
    .join('\n\n');
}

/** A moment as it is written in JSON, in milliseconds since 1970. */
export function momentOf(written: unknown): number | undefined {
  const at =
    typeof written === 'string' ? Date.parse(written) : typeof written === 'number' ? written : Number.NaN;
  // What no calendar has is no moment.
  return Math.abs(at) <= 8.64e15 ? at : undefined;
}

/** Notes facts that are not known yet. */
export function note(folding: Folding, facts: Readonly<Record<string, unknown>>): void {
  const known = folding.session.facts as Record<string, unknown>;
  for (const [name, value] of Object.entries(facts))
    if (value !== undefined && value !== '' && known[name] === undefined)
      known[name] = name === 'title' || name === 'branch' ? folding.clean(String(value)) : value;
}

/** Counts a record of an unknown kind, if it says anything. */
export function unknownRecord(record: Fields, folding: Folding): void {
  const says = [record.message, record.content, record.text].some(
    (value) => value !== undefined && value !== null,
  );
  if (says) folding.session.unknown += 1;
}

/** What a person wrote, without what programs put around and into it. */
export function ownWords(text: string): string {
  const own = requestIn(withoutFiles(withoutBlocks(text))).trim();
  const command = /^<command-(?:name|message)>/.test(own) ? slashCommand(own.slice(0, 100_000)) : undefined;
  if (command !== undefined) return command;
  // A text that is one block of a program is not a person's.
  return /^<([a-z_-]+)>[\s\S]*<\/\1>$/.test(own) || /^# AGENTS\.md instructions/.test(own) ? '' : own;
}

const request = '## My request for Codex:';
const filesBegin = '--- Content from referenced files ---';
const filesEnd = '--- End of content ---';

/** What was asked, where an editor wrote what is open there above it, or put it between marks. */
function requestIn(text: string): string {
  const at = `\n${text}`.indexOf(`\n${request}`);
  const asked = at < 0 ? text : text.slice(at + request.length);
  const open = asked.indexOf('<user_query>');
  const close = open < 0 ? -1 : asked.indexOf('</user_query>', open);
  const own = close < 0 ? asked : asked.slice(open + '<user_query>'.length, close);
  return own.replace(/<image(?: [^>\n]{0,500})?>\s{0,9}<\/image>/g, '');
}

/** The text without the files that were named in it, which Gemini CLI writes below it. */
function withoutFiles(text: string): string {
  const begin = text.indexOf(filesBegin);
  if (begin < 0) return text;
  const end = text.indexOf(filesEnd, begin);
  return text.slice(0, begin) + (end < 0 ? '' : text.slice(end + filesEnd.length));
}

/** The text without blocks of programs; each end is looked for once, however many begin. */
function withoutBlocks(text: string): string {
  const open = /<(system-reminder|local-command-caveat|local-command-stdout|local-command-stderr)>/g;
  const unclosed = new Set<string>();
  let own = '';
  let at = 0;
  for (const { 0: opening, 1: name = '', index } of text.matchAll(open)) {
    if (index < at || unclosed.has(name)) continue;
    const close = `</${name}>`;
    const end = text.indexOf(close, index + opening.length);
    if (end < 0) {
      unclosed.add(name);
      continue;
    }
    own += text.slice(at, index);
    at = end + close.length;
  }
  return own + text.slice(at);
}

function slashCommand(text: string): string {
  const part = (name: string): string =>
    new RegExp(`<command-${name}>([\\s\\S]{0,20000}?)</command-${name}>`).exec(text)?.[1]?.trim() ?? '';
  const given = part('args');
  return given === '' ? '' : `${part('name')} ${given}`;
}
