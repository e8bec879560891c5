import { hash } from 'node:crypto';

/** SHA-256 of text (as UTF-8) or bytes, in hex. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** The identity of the document at `uri`; it does not change when the content does. */
export function documentId(uri: string): string {
  return sha256(uri).slice(0, 16);
}

/**
 * The identities of a document's chunks, in order: `sha256(path + content)` cut to 16 hex digits. A chunk that
 * a document repeats gets its occurrence number mixed in, so that identities are unique within the document and
 * an edit elsewhere in the file leaves them as they are.
 */
export function chunkIds(path: string, contents: readonly string[]): string[] {
  return contents.map(chunkNaming(path));
}

/** The same for chunks that come one after the other. */
export function chunkNaming(path: string): (content: string) => string {
  const seen = new Map<string, number>();
  return (content) => {
    const plain = sha256(path + content).slice(0, 16);
    const occurrence = seen.get(plain) ?? 0;
    seen.set(plain, occurrence + 1);
    return occurrence === 0 ? plain : sha256(`${path}${content}\0${occurrence}`).slice(0, 16);
  };
}

/** The key under which the vector of this text is kept: equal texts share one vector. */
export function embeddingKey(text: string): string {
  return sha256(text).slice(0, 32);
}

/** The id of a project that nobody has registered, by the real path of its folder. */
export function idOfFolder(realFolder: string): string {
  return `folder-${sha256(realFolder).slice(0, 16)}`;
}
