import type { DocumentRecord, Metadata, MetadataValue } from '../document.ts';
import { isConversation } from './conversation.ts';
import { meantWhole, nameOf } from './people.ts';

/** The part of a filter that asks for what whole documents say of themselves. */
export interface OwnFieldsFilter {
  readonly tags?: readonly string[] | undefined;
  /** Each `name=value`; several of one name admit any of their values. */
  readonly fields?: readonly string[] | undefined;
}

/** Names under which documents, messages and commits say who wrote them. */
const authorNames = ['author', 'authors', 'from', 'creator'];
const tagNames = ['tags', 'tag'];

/** Whether a filter asks for anything that documents say of themselves. */
export function asksForOwnFields({ tags, fields }: OwnFieldsFilter): boolean {
  return tags !== undefined || fields !== undefined;
}

/** The names of which a document must have one, for each part of the filter, in lower case. */
export function ownFieldNames({ tags, fields }: OwnFieldsFilter): (readonly string[])[] {
  return [...(tags ? [tagNames] : []), ...[...wantedFields(fields ?? []).keys()].map((name) => [name])];
}

/** Whether a document says what the filter asks for. Case does not count; a tag admits those below it (`project` admits `project/boat`). */
export function ownFieldsPass({ tags, fields }: OwnFieldsFilter, metadata: Metadata): boolean {
  if (tags && !isAnyTag(tagsOf(metadata), tags.map(plainTag))) return false;
  for (const [name, wanted] of wantedFields(fields ?? []))
    if (!valuesOf(metadata, [name]).some((value) => wanted.includes(value))) return false;
  return fields === undefined || fields.length > 0;
}

/** The tags of a document, in lower case and without their signs. */
export function tagsOf(metadata: Metadata): string[] {
  return valuesOf(metadata, tagNames)
    .flatMap((value) => value.split(/[,;]/))
    .map(plainTag)
    .filter((tag) => tag !== '');
}

/** The field of a document that holds messages: how many. Each of them may say who wrote it. */
export const messagesField = 'messages';

/** Who wrote a chunk: of a document that holds messages those whom its message names, else those whom the document names. */
export function authorsOf(document: Metadata, chunk: Metadata = {}): string[] {
  const own = messagesField in document ? namedAuthors(chunk) : [];
  return own.length > 0 ? own : namedAuthors(document);
}

/** Whether one of these wrote it. Case does not count, and a part of a name or address is enough, unless it is in quotes. */
export function isByAny(authors: readonly string[], document: Metadata, chunk?: Metadata): boolean {
  const wanted = authors.map(plain).filter((each) => each !== '');
  return authorsOf(document, chunk).some((author) => wanted.some((each) => isMeant(plain(author), each)));
}

function isMeant(author: string, wanted: string): boolean {
  const whole = meantWhole(wanted);
  return whole === undefined ? author.includes(wanted) : nameOf(author).trim() === whole;
}

function namedAuthors(metadata: Metadata): string[] {
  return Object.entries(metadata)
    .filter(([name]) => authorNames.includes(plain(name)))
    .flatMap(([, value]) => textsOf(value))
    .filter((author) => author.trim() !== '');
}

/** Other names of a document, as it says them. */
export function aliasesOf({ aliases, alias }: Metadata): string[] {
  return [aliases, alias].flatMap(textsOf).filter((name) => name.trim() !== '');
}

function isAnyTag(own: readonly string[], wanted: readonly string[]): boolean {
  return own.some((tag) => wanted.some((each) => tag === each || tag.startsWith(`${each}/`)));
}

/** What is wanted of each name. Without a `=` the name alone is a value that no document has. */
function wantedFields(fields: readonly string[]): Map<string, string[]> {
  const wanted = new Map<string, string[]>();
  for (const field of fields) {
    const at = field.indexOf('=');
    const name = plain(at < 0 ? field : field.slice(0, at));
    wanted.set(name, [...(wanted.get(name) ?? []), ...(at < 0 ? [] : [plain(field.slice(at + 1))])]);
  }
  return wanted;
}

/** What a document says under one of these names, in whatever case they are written. */
function valuesOf(metadata: Metadata, names: readonly string[]): string[] {
  return Object.entries(metadata)
    .filter(([name]) => names.includes(plain(name)))
    .flatMap(([, value]) => textsOf(value))
    .map(plain);
}

function textsOf(value: MetadataValue | undefined): string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

function plain(text: string): string {
  return text.trim().toLowerCase();
}

/** A tag as it is compared. */
export function plainTag(tag: string): string {
  return plain(tag)
    .replace(/^#+/, '')
    .replace(/^\[\[(.*)\]\]$/, '$1')
    .replace(/(?<!\/)\/+$/, '');
}

/** The command that continues a session; only its source says one: the front matter of a file is anybody's text. */
export function resumeOf({ uri, metadata }: Pick<DocumentRecord, 'uri' | 'metadata'>): { resume?: string } {
  return isConversation(uri) && typeof metadata.resume === 'string' ? { resume: metadata.resume } : {};
}
