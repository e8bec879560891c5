import type { Source, SourceFile } from '../contracts/source.ts';
import type { DocumentChange, ManifestEntry, Store } from '../contracts/store.ts';
import { asQuarryError, type QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { machineFailure, systemCodeOf } from '../core/failures/machine-failure.ts';
import { sha256 } from '../core/identity.ts';
import { deletePaths, putDocument } from '../index/write.ts';
import { textBeside } from './beside.ts';
import { type NoteFile, writeNotes } from './file-notes.ts';
import { type ContentChoice, holdsForContent, skippedPathOf } from './plan.ts';
import type { RawDocument, ReadDocument, Reading } from './read-document.ts';
import { settlingMilliseconds } from './scan.ts';

/** A file that has been looked at: what the manifest will say of it, and what became of its content. */
export interface PreparedFile {
  readonly entry: Omit<ManifestEntry, 'status' | 'chunks'>;
  readonly content:
    | { readonly kind: 'unchanged'; readonly before: ManifestEntry }
    | { readonly kind: 'failed'; readonly error: QuarryError }
    | ReadDocument;
}

/** What a file is prepared with. */
export interface PreparingParts {
  readonly source: Source;
  readonly reading: Reading;
  /** How what is known of a file is judged, as long as its content is the same. */
  readonly choice?: Omit<ContentChoice, 'recipe'>;
  /** Whether nobody keeps what code defines and mentions. */
  readonly withoutGraph?: boolean;
  /** Hears of each page that is read as a picture. */
  readonly onPage?: (event: IndexEvent) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads, hashes and, where the content is new, cuts one file; `before` is what still holds of it if its content is the
 * same. Rejects when the file cannot be opened, and with `interrupted` when the reading is stopped.
 */
export async function prepareFile(
  { source, reading, choice, withoutGraph = false, onPage, signal }: PreparingParts,
  file: SourceFile,
  before: ManifestEntry | undefined,
): Promise<PreparedFile> {
  // Taken before the file is read, which may take long: only what was at rest by then cannot have changed in the tick
  // of its time. A time from the future is no recent one, however wrong it is.
  const isAtRest = Math.abs(Date.now() - file.modifiedAt) > settlingMilliseconds;
  const bytes = await source.read(file.uri);
  const contentHash = sha256(bytes);
  const modifiedAt = isAtRest ? file.modifiedAt : 0;
  const { recipe } = reading;
  const entry = { uri: file.uri, size: file.size, modifiedAt, contentHash, recipe };
  if (before && isSameContent(before, contentHash) && holdsForContent(before, { recipe, ...choice })) {
    return { entry: { ...entry, recipe: before.recipe }, content: { kind: 'unchanged', before } };
  }
  const beside = await textBeside(source, reading, file.uri);
  const raw = { file, bytes, revision: contentHash, withoutGraph, beside };
  return cutContent(reading, raw, entry, { onPage, signal });
}

/** Extracts and cuts content; that this fails is a verdict too. Rejects with `interrupted` when it is stopped. */
export async function cutContent(
  reading: Reading,
  raw: RawDocument,
  entry: PreparedFile['entry'],
  {
    onPage,
    signal,
  }: Pick<PreparingParts, 'signal'> & {
    readonly onPage?: PreparingParts['onPage'] | undefined;
  } = {},
): Promise<PreparedFile> {
  const { uri } = raw.file;
  try {
    const content = await reading.read(raw, {
      onPage: (read) => onPage?.({ type: 'pages-read', uri, ...read }),
      signal,
    });
    return { entry, content };
  } catch (thrown) {
    const error = asQuarryError(thrown);
    if (error.code === 'interrupted') throw error;
    return { entry: { ...entry, ...retryOf(error) }, content: { kind: 'failed', error } };
  }
}

/** What an entry leaves out so that the next run reads the file again, where the failure is not the file's own. */
function retryOf(error: QuarryError): Partial<PreparedFile['entry']> {
  // As if it had not been opened: such failures pass, and every run tries again.
  if (error.code === 'machine-failed') return { contentHash: '', recipe: '' };
  // Limits and packages change only when the user changes them: runs that follow a search pass the file over.
  const isTriedAgain = error.code === 'worker-failed' || machineFailure(error) !== undefined;
  return isTriedAgain ? { recipe: '' } : {};
}

/** Commits one prepared file and gives its events: none where another writer was quicker. */
export async function commitFile(
  store: Store,
  { entry, content }: PreparedFile,
  options: Pick<DocumentChange, 'vectors' | 'replaces'> = {},
  note: NoteFile = (one) => writeNotes(store, [one]),
): Promise<IndexEvent[]> {
  const { uri } = entry;
  switch (content.kind) {
    case 'unchanged': {
      const { before } = content;
      // Every write moves the revision, and then others read the index again: so nothing is written without need.
      const isNews = before.size !== entry.size || before.modifiedAt !== entry.modifiedAt;
      if (isNews) await note({ entry: { ...before, ...entry }, forgets: false });
      return [unchangedEvent(before)];
    }
    case 'failed':
      return [await noteFailure(note, entry, content.error)];
    case 'skipped': {
      const { reason, rule } = content.skipped;
      const said = { ...entry, status: 'skipped', chunks: 0, reason, detail: rule } as const;
      await note({ entry: said, forgets: true });
      return [{ type: 'path-skipped', skipped: content.skipped }];
    }
    case 'document': {
      const { document, chunks, degraded, redacted } = content;
      const said = degraded ? ({ reason: 'degraded', detail: degraded } as const) : {};
      const noted = { ...entry, status: 'indexed', chunks: chunks.length, ...said } as const;
      if (!(await putDocument(store, { document, chunks, manifest: noted, ...options }))) return [];
      const events: IndexEvent[] = [{ type: 'document-indexed', uri, chunks: chunks.length }];
      if (degraded) events.push({ type: 'document-degraded', uri, reason: degraded });
      if (redacted.length > 0) events.push({ type: 'secrets-redacted', uri, found: redacted });
      return events;
    }
  }
}

/**
 * Notes a file that could not be opened; what was indexed of it stays, unless the file is gone. Work that was stopped
 * and defects are no matter of the file, and thrown again.
 */
export async function noteUnopened(
  store: Store,
  file: SourceFile,
  thrown: unknown,
  note: NoteFile,
): Promise<IndexEvent[]> {
  const error = asQuarryError(thrown);
  if (error.code === 'internal' || error.code === 'interrupted') throw error;
  const { uri, size, modifiedAt } = file;
  if (isGone(error)) {
    const documents = await deletePaths(store, [uri]);
    return documents > 0 ? [{ type: 'document-deleted', uri }] : [];
  }
  return [await noteFailure(note, { uri, size, modifiedAt, contentHash: '', recipe: '' }, error)];
}

async function noteFailure(
  note: NoteFile,
  entry: PreparedFile['entry'],
  error: QuarryError,
): Promise<IndexEvent> {
  // What the file is not to blame for is the user's to change, and only this text is seen.
  const isOfFile = entry.recipe !== '';
  const detail = isOfFile ? error.message : `${error.message} ${error.remedy}`;
  const said = { ...entry, status: 'failed', chunks: 0, reason: error.code, detail } as const;
  await note({ entry: said, forgets: false });
  return { type: 'document-failed', uri: entry.uri, reason: detail };
}

/** Whether the verdict on a file holds for the same content; its age is no matter of the content. */
function isSameContent(before: ManifestEntry, contentHash: string): boolean {
  return before.contentHash === contentHash && before.reason !== 'too-old';
}

function unchangedEvent(before: ManifestEntry): IndexEvent {
  const { uri, status, detail = '' } = before;
  if (status === 'failed') return { type: 'document-failed', uri, reason: detail };
  if (status === 'skipped') return { type: 'path-skipped', skipped: skippedPathOf(before) };
  return { type: 'document-unchanged', uri };
}

/** Whether a file that could not be opened certainly no longer exists. */
export function isGone({ cause }: QuarryError): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(systemCodeOf(cause) ?? '');
}
