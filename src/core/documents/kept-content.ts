import type { Metadata } from '../document.ts';
import { QuarryError } from '../errors.ts';
import { sha256 } from '../identity.ts';

/** What is said of a document that has no file behind it. */
export interface DocumentDescription {
  readonly title?: string;
  readonly type?: string;
  readonly metadata?: Metadata;
}

/** Added content as it is kept, in a file of its own outside the index. */
export interface KeptContent extends DocumentDescription {
  readonly uri: string;
  /** When it was added, in milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Whether an extractor has made the text already, so that it is not read as its format again. */
  readonly isExtracted?: boolean;
  readonly text: string;
}

/** The folder in a project that holds added content: not in the index, which may be deleted at any time. */
export const keptFolderName = '.quarry-added';

const mark = 'quarry added content ';
const firstLine = /^quarry added content [12], sha256 ([0-9a-f]{64})(?:, proof ([0-9a-f]{32}))?$/;
/** No first line is longer. */
const maxFirstLineLength = 200;
const lineEnd = 10;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The name of the file that keeps the content of a uri: safe on every file system, whatever the uri is. */
export function keptFileName(uri: string): string {
  return `${sha256(uri).slice(0, 32)}.txt`;
}

/** Whether a file in the folder has the name of kept content. */
export function isKeptFileName(name: string): boolean {
  return /^[0-9a-f]{32}\.txt$/.test(name);
}

/**
 * A file of plain text: a line with the hash of all that follows and the proof of who wrote that hash, a line of JSON that
 * describes it, and the text.
 */
export function encodeKept(
  { text, modifiedAt, ...description }: KeptContent,
  prove: (hash: string) => string,
): Uint8Array {
  const head = JSON.stringify({ ...description, addedAt: new Date(modifiedAt).toISOString() });
  const rest = Buffer.from(`${head}\n${text}`);
  const hash = sha256(rest);
  return Buffer.concat([Buffer.from(`${mark}2, sha256 ${hash}, proof ${prove(hash)}\n`), rest]);
}

/** What the first line says: the hash of the rest and, since it is written, the proof of that. */
export function keptHash(bytes: Uint8Array): { readonly hash: string; readonly proof?: string } | undefined {
  const start = bytes.subarray(0, maxFirstLineLength);
  const [, hash, proof] =
    firstLine.exec(decode(start.subarray(0, Math.max(0, start.indexOf(lineEnd))))) ?? [];
  return hash === undefined ? undefined : { hash, ...(proof !== undefined && { proof }) };
}

/** The content of a file, or in words why it is not whole. */
export function parseKept(bytes: Uint8Array, name: string): KeptContent | string {
  const said = keptHash(bytes);
  if (!said) return 'its first line is not that of added content';
  const rest = bytes.subarray(bytes.indexOf(lineEnd) + 1);
  if (said.hash !== sha256(rest)) return 'its content does not have the hash of its first line';
  const head = headOf(rest);
  if (!head || keptFileName(head.uri) !== name)
    return 'its second line does not describe the content of this file';
  return { ...head, text: decode(rest.subarray(rest.indexOf(lineEnd) + 1)) };
}

/** The same for a document of the index, where what is not whole is an error. */
export function decodeKept(bytes: Uint8Array, uri: string): KeptContent {
  const name = keptFileName(uri);
  const kept = parseKept(bytes, name);
  if (typeof kept === 'string') throw keptDamaged(name, kept, uri);
  return kept;
}

/** The uri in the first bytes of a file; undefined where they do not hold one that belongs to this name. */
export function uriInKept(bytes: Uint8Array, name: string): string | undefined {
  if (!keptHash(bytes)) return undefined;
  const uri = headOf(bytes.subarray(bytes.indexOf(lineEnd) + 1))?.uri;
  return uri !== undefined && keptFileName(uri) === name ? uri : undefined;
}

/** The error for a file of added content that is not whole. */
export function keptDamaged(name: string, why: string, uri?: string): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `${uri ?? 'Added content'} is damaged in ${keptFolderName}/${name}: ${why}.`,
    'Run: quarry repair, or add it again under its name.',
  );
}

/** The error for added content that this user did not add. */
export function contentForeign(names: readonly string[]): QuarryError {
  const [first = ''] = names;
  const rest = names.length > 1 ? ` and ${names.length - 1} more` : '';
  return new QuarryError(
    'trust-missing',
    `The added content in ${keptFolderName}/${first}${rest} was added by somebody else or an earlier version, and is not used.`,
    'Look at it, then run: quarry trust',
  );
}

/** The error for added content that neither its file nor the index holds. */
export function contentLost(uri: string, why: string): QuarryError {
  return new QuarryError('file-unreadable', `${uri}: ${why}.`, 'Add it again under its name.');
}

/** What the line of JSON says, where it says what it should. */
function headOf(bytes: Uint8Array): Omit<KeptContent, 'text'> | undefined {
  const end = bytes.indexOf(lineEnd);
  if (end < 0) return undefined;
  try {
    const { uri, title, type, metadata, isExtracted, addedAt } = JSON.parse(decode(bytes.subarray(0, end)));
    const modifiedAt = Date.parse(addedAt);
    const isText = (value: unknown) => value === undefined || typeof value === 'string';
    const isSaid = typeof uri === 'string' && isText(title) && isText(type) && isMetadata(metadata);
    if (!isSaid || Number.isNaN(modifiedAt)) return undefined;
    return {
      uri,
      modifiedAt,
      ...(title !== undefined && { title }),
      ...(type !== undefined && { type }),
      ...(metadata !== undefined && { metadata }),
      ...(isExtracted === true && { isExtracted }),
    };
  } catch {
    // No JSON: a file that others have put there, or a part of one.
    return undefined;
  }
}

/** Whether a value is metadata as a document may carry it. */
function isMetadata(value: unknown): value is Metadata | undefined {
  if (value === undefined) return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (each) =>
      each === null ||
      ['string', 'number', 'boolean'].includes(typeof each) ||
      (Array.isArray(each) && each.every((item) => typeof item === 'string')),
  );
}

function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
