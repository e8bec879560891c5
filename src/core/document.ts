/** JSON-safe value that a document or a chunk may carry in addition to its fixed fields. */
export type MetadataValue = string | number | boolean | null | readonly string[];

/** Facts about a document or a chunk that no rule of the core depends on. */
export type Metadata = Readonly<Record<string, MetadataValue>>;

/** Where a document comes from. Earlier classes rank higher when scores are equal. */
export const origins = ['file', 'notes', 'virtual', 'unknown'] as const;

/** One of the origin classes. */
export type Origin = (typeof origins)[number];

/** One whole text with a uri: a file, an e-mail, or content added through the API. */
export interface Document {
  /** 16 hex digits that depend on the `uri` only, not on the content. */
  readonly id: string;
  /** Path relative to the project root with `/` between its parts, or `virtual:NAME`. */
  readonly uri: string;
  readonly title: string;
  /** What kind of knowledge it is: `code`, `doc`, `note`, `email`, … */
  readonly type: string;
  readonly origin: Origin;
  readonly mediaType: string;
  readonly text: string;
  /** SHA-256 of the bytes the document was made from, in hex. */
  readonly revision: string;
  /** Last change of the content, in milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly metadata: Metadata;
}

/** A document as a store remembers it: everything but the text, which lives in its chunks. */
export type DocumentRecord = Omit<Document, 'text'>;

/** The name of what a packed file holds: `app.log` for `app.log.gz`; any other name as it is. */
export function unpackedName(name: string): string {
  return name.replace(/\.gz$/i, '');
}

const virtualPrefix = 'virtual:';

/** The uri of content that is added under a name, with no file behind it; a name may be given as its uri. */
export function virtualUri(name: string): string {
  return isVirtual(name) ? name : `${virtualPrefix}${name}`;
}

/** Whether a uri names content with no file behind it. */
export function isVirtual(uri: string): boolean {
  return uri.startsWith(virtualPrefix);
}
