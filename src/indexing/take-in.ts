import type { Source, SourceFile } from '../contracts/source.ts';
import type { ManifestEntry, Store } from '../contracts/store.ts';
import { asQuarryError, messageOf, type QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { sha256 } from '../core/identity.ts';
import type { ReadDocument, Reading } from './read-document.ts';

/** A file changed this recently may change again within the same clock tick; it is looked at again next time. */
const settlingMilliseconds = 2000;

/** A file that has been looked at: what the manifest will say of it, and what became of its content. */
export interface PreparedFile {
  readonly entry: Omit<ManifestEntry, 'status' | 'chunks'>;
  readonly content:
    | { readonly kind: 'unchanged'; readonly before: ManifestEntry }
    | { readonly kind: 'failed'; readonly error: QuarryError }
    | ReadDocument;
}

/** Reads, hashes and, where the content is new, cuts one file. Rejects when the file cannot be opened. */
export async function prepareFile(
  { source, reading }: { readonly source: Source; readonly reading: Reading },
  file: SourceFile,
  before: ManifestEntry | undefined,
): Promise<PreparedFile> {
  const bytes = await source.read(file.uri);
  const contentHash = sha256(bytes);
  const settled = Date.now() - file.modifiedAt > settlingMilliseconds;
  const modifiedAt = settled ? file.modifiedAt : 0;
  const { recipe } = reading;
  const entry = { uri: file.uri, size: file.size, modifiedAt, contentHash, recipe };
  if (before?.status === 'indexed' && before.contentHash === contentHash && before.recipe === recipe) {
    return { entry, content: { kind: 'unchanged', before } };
  }
  try {
    return { entry, content: await reading.read({ file, bytes, revision: contentHash }) };
  } catch (thrown) {
    return { entry, content: { kind: 'failed', error: asQuarryError(thrown) } };
  }
}

/** Commits one prepared file and gives the events to tell of it. */
export async function commitFile(store: Store, { entry, content }: PreparedFile): Promise<IndexEvent[]> {
  const { uri } = entry;
  switch (content.kind) {
    case 'unchanged':
      await store.putManifest([{ ...content.before, ...entry }]);
      return [{ type: 'document-unchanged', uri }];
    case 'failed':
      return [await noteFailure(store, entry, content.error)];
    case 'skipped': {
      const { reason, rule } = content.skipped;
      await store.deletePaths([uri]);
      await store.putManifest([{ ...entry, status: 'skipped', chunks: 0, reason, detail: rule }]);
      return [{ type: 'path-skipped', skipped: content.skipped }];
    }
    case 'document': {
      const { document, chunks, degraded, redacted } = content;
      await store.put(document, chunks, {
        ...entry,
        status: 'indexed',
        chunks: chunks.length,
        ...(degraded && { reason: 'degraded', detail: degraded }),
      });
      const events: IndexEvent[] = [{ type: 'document-indexed', uri, chunks: chunks.length }];
      if (degraded) events.push({ type: 'document-degraded', uri, reason: degraded });
      if (redacted.length > 0) events.push({ type: 'secrets-redacted', uri, found: redacted });
      return events;
    }
  }
}

/** Notes a file that could not be opened; what was indexed of it stays. */
export function noteUnopened(store: Store, file: SourceFile, thrown: unknown): Promise<IndexEvent> {
  const { uri, size, modifiedAt } = file;
  return noteFailure(store, { uri, size, modifiedAt, contentHash: '', recipe: '' }, thrown);
}

async function noteFailure(store: Store, entry: PreparedFile['entry'], thrown: unknown): Promise<IndexEvent> {
  const detail = messageOf(thrown);
  await store.putManifest([{ ...entry, status: 'failed', chunks: 0, reason: 'failed', detail }]);
  return { type: 'document-failed', uri: entry.uri, reason: detail };
}
