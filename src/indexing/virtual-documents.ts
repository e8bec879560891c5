import type { ChunkEntry, ManifestEntry, Store } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import { type DocumentRecord, virtualUri } from '../core/document.ts';
import { QuarryError } from '../core/errors.ts';
import { sha256 } from '../core/identity.ts';
import type { DocumentDescription, RawDocument, Reading } from './read-document.ts';

/** Content added through the API. */
export interface VirtualDocument extends DocumentDescription {
  /** Names it; adding under the same name replaces. An extension (`talk.md`) decides how it is cut. */
  readonly name: string;
  readonly text: string;
}

/** Puts added content into the index, in place of what was added under the same name. */
export async function putVirtual(
  store: Store,
  reading: Reading,
  added: VirtualDocument,
): Promise<AddedDocument> {
  const { name, text, ...described } = added;
  if (name.trim() === '' || /\p{Cc}/u.test(name)) {
    throw new QuarryError(
      'usage-invalid',
      `${JSON.stringify(name)} cannot name a document.`,
      'Give it a name of visible characters.',
    );
  }
  const uri = virtualUri(name);
  const chunks = await put(store, reading, { ...rawText(uri, text, Date.now()), described });
  return { uri, chunks };
}

/** What was put into the index for added content. */
export interface AddedDocument {
  readonly uri: string;
  readonly chunks: readonly ChunkEntry[];
}

/** Added content as it is read again: there is no file, so its chunks give the text. */
export async function storedContent(store: Store, record: DocumentRecord): Promise<RawDocument> {
  const chunks = await store.chunksOf(record.id);
  return {
    ...rawText(record.uri, textOf(chunks), record.modifiedAt),
    // It is the same content as before, whatever white space was lost on the way.
    revision: record.revision,
    described: descriptionOf(record),
    isExtracted: true,
  };
}

async function put(store: Store, reading: Reading, raw: RawDocument): Promise<readonly ChunkEntry[]> {
  const { file, revision } = raw;
  const read = await reading.read(raw);
  if (read.kind === 'skipped') {
    const { reason, rule } = read.skipped;
    throw new QuarryError(
      'document-unsupported',
      `${file.uri} was not added: ${reason}, ${rule}.`,
      'Add text with at least one word.',
    );
  }
  const entry: ManifestEntry = {
    uri: file.uri,
    status: 'indexed',
    size: file.size,
    modifiedAt: file.modifiedAt,
    contentHash: revision,
    recipe: reading.recipe,
    chunks: read.chunks.length,
  };
  await store.put(read.document, read.chunks, entry);
  return read.chunks;
}

function rawText(uri: string, text: string, modifiedAt: number): RawDocument {
  const bytes = new TextEncoder().encode(text);
  return { file: { uri, size: bytes.length, modifiedAt }, bytes, revision: sha256(bytes) };
}

function descriptionOf({ title, type, metadata }: DocumentRecord): DocumentDescription {
  return { title, type, metadata };
}

/** The text that the chunks were cut from; the white space between them is not kept, so line ends stand for it. */
function textOf(chunks: readonly Chunk[]): string {
  let text = '';
  for (const { span, text: part } of chunks) {
    if (span.start > text.length) text += '\n'.repeat(span.start - text.length);
    text += part.slice(text.length - span.start);
  }
  return text;
}
