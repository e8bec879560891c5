import type { ChunkEntry, ManifestEntry, Store } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import { type DocumentRecord, isVirtual, virtualUri } from '../core/document.ts';
import { asQuarryError, messageOf, QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
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

/** Cuts added content again where the settings changed: there is no file to read, so its chunks give the text. */
export async function* cutAgain(
  { store, reading }: { readonly store: Store; readonly reading: Reading },
  manifest: ReadonlyMap<string, ManifestEntry>,
): AsyncGenerator<IndexEvent> {
  const isStale = ({ uri, recipe }: ManifestEntry) => isVirtual(uri) && recipe !== reading.recipe;
  if (![...manifest.values()].some(isStale)) return;
  // The manifest is that of the beginning of the run: what was added again meanwhile is not cut a second time.
  const stale = (await store.manifest()).filter(isStale);
  const records = new Map(
    (await store.documents({ origins: ['virtual'] })).map((record) => [record.uri, record]),
  );
  for (const { uri } of stale) {
    const record = records.get(uri);
    if (!record) continue;
    const chunks = await store.chunksOf(record.id);
    // It is the same content as before, whatever white space was lost on the way.
    const raw = { ...rawText(uri, textOf(chunks), record.modifiedAt), revision: record.revision };
    try {
      const written = await put(store, reading, {
        ...raw,
        described: descriptionOf(record),
        isExtracted: true,
      });
      yield { type: 'document-indexed', uri, chunks: written.length };
    } catch (thrown) {
      const { code } = asQuarryError(thrown);
      if (code.startsWith('store-') || code === 'interrupted') throw thrown;
      yield { type: 'document-failed', uri, reason: messageOf(thrown) };
    }
  }
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
