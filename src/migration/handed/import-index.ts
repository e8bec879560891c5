import type { Source, SourceFile } from '../../contracts/source.ts';
import type { ManifestEntry, Store } from '../../contracts/store.ts';
import { isVirtual } from '../../core/document.ts';
import { isConversation } from '../../core/documents/conversation.ts';
import { asQuarryError, interrupted, QuarryError } from '../../core/errors.ts';
import type { IndexEvent, MigrationEvent } from '../../core/events.ts';
import { sha256 } from '../../core/identity.ts';
import { documentsAtOnce } from '../../index/commit.ts';
import { putDocument } from '../../index/write.ts';
import type { ReadingParts } from '../../indexing/read-document.ts';
import { settlingMilliseconds } from '../../indexing/scan.ts';
import { mapInOrder } from '../../platform/map-in-order.ts';
import { readingParts } from '../../reading/reading.ts';
import { recipeOf } from '../../settings/recipe.ts';
import { openSource } from '../../sources/project-source.ts';
import { alone, type MigrationParts, openEnd } from '../migrate-store.ts';
import { asFileSays } from './as-file-says.ts';
import { type CheckedFile, type HandedHeader, notWhole, openHanded } from './handed-file.ts';
import { documentIn, type HandedDocument } from './record.ts';

/** Where an index is taken over, and what it must fit. */
export interface ImportParts extends Pick<MigrationParts, 'folder' | 'environment'> {
  readonly end: MigrationParts['source'];
  /** The name of the space that searches here use; absent where that is not known. */
  readonly space: string | undefined;
  readonly isSigned: (publicKey: string, bytes: Uint8Array, signature: string) => boolean;
  /** Fails for a maker that the user does not trust. */
  admit(header: HandedHeader): Promise<void>;
}

/** What was taken over, in documents. */
export interface Imported {
  readonly documents: number;
  readonly chunks: number;
  readonly taken: number;
  /** Those that the index has already, from this content. */
  readonly present: number;
  /** Those whose file differs here; they are read. */
  readonly changed: number;
  /** Those without a file here, or whose file is left out here. */
  readonly absent: number;
}

/** Characters of lines that are worked on at once. */
const weighing = { max: 2 ** 23, weightOf: (line: string) => line.length };

type Counts = { taken: number; present: number; changed: number; absent: number };

/**
 * Takes over the documents of a file that somebody else made, each where the file here has the very content it was made
 * from, and only where this project indexes that file. What differs is left to the next run.
 */
export async function* importIndex(
  parts: ImportParts,
  path: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<MigrationEvent | IndexEvent, Imported> {
  const { end, folder, environment } = parts;
  const recipe = recipeOf(end.settings);
  const file = await openHanded(
    path,
    parts.isSigned,
    async (header) => {
      await parts.admit(header);
      requireFit(header, recipe, parts.space);
    },
    signal,
  );
  const { index } = openEnd({ folder, environment }, end);
  try {
    const counts: Counts = { taken: 0, present: 0, changed: 0, absent: 0 };
    const source = openSource(folder, end.settings, environment);
    yield* alone(index, signal, async function* () {
      // Nothing is cut here, so that no sizes are asked for.
      const reading = readingParts(end.settings, () => 0);
      const taking = { store: await index.store(), source, recipe, path, file, reading };
      yield* take(taking, counts, signal);
    });
    const { documents, chunks } = file.header;
    return { documents, chunks, ...counts };
  } finally {
    await file.close();
    await index.close();
  }
}

interface Taking {
  readonly store: Store;
  readonly source: Source;
  readonly recipe: string;
  readonly path: string;
  readonly file: CheckedFile;
  /** How the files are read here. */
  readonly reading: ReadingParts;
}

async function* take(
  { store, source, recipe, path, file, reading }: Taking,
  counts: Counts,
  signal: AbortSignal | undefined,
): AsyncGenerator<MigrationEvent> {
  const files = new Map<string, SourceFile>();
  for await (const entry of source.scan({ signal }))
    if (entry.kind === 'file' && !isVirtual(entry.file.uri) && !isConversation(entry.file.uri))
      files.set(entry.file.uri, entry.file);
  const known = new Map((await store.manifest()).map((entry) => [entry.uri, entry]));
  const { documents: total, spaces } = file.header;
  const dimensions = new Map(spaces.map(({ name, dimensions: length }) => [name, length]));
  const seen = new Set<string>();
  // One file is in memory at a time.
  let turn: Promise<unknown> = Promise.resolve();
  const ofFile = (given: HandedDocument, here: SourceFile): Promise<HandedDocument | undefined> => {
    const compared = turn.then(async () => {
      const bytes = await source.read(here.uri);
      if (sha256(bytes) !== given.document.revision) return undefined;
      return asFileSays(given, here, bytes, source, reading);
    });
    // Callers of this one get its error; the next one only waits for its turn.
    turn = compared.catch(() => undefined);
    return compared;
  };
  const one = async (line: string): Promise<keyof Counts> => {
    if (signal?.aborted) throw interrupted(signal.reason);
    const given = documentIn(line, dimensions);
    if (!given || seen.has(given.document.uri) || seen.size >= total) throw notWhole(path);
    const { uri, revision } = given.document;
    seen.add(uri);
    const here = files.get(uri);
    if (!here) return 'absent';
    const before = known.get(uri);
    if (before?.status === 'indexed' && before.contentHash === revision && before.recipe === recipe)
      return 'present';
    const isAtRest = Math.abs(Date.now() - here.modifiedAt) > settlingMilliseconds;
    const same = await ofFile(given, here).catch((thrown: unknown) => {
      // The run that follows says why it cannot be read.
      if (asQuarryError(thrown).code === 'interrupted') throw thrown;
      return undefined;
    });
    if (!same) return 'changed';
    const stored = await putDocument(store, changeOf(same, here, recipe, isAtRest, before));
    return stored ? 'taken' : 'changed';
  };
  let done = 0;
  for await (const outcome of mapInOrder(file.lines(), documentsAtOnce(store), one, weighing)) {
    counts[outcome] += 1;
    done += 1;
    yield { type: 'documents-copied', done, total };
  }
  if (done !== total) throw notWhole(path);
}

/** The document as if it had been read here. */
function changeOf(
  { document, entries, vectors, degraded, isDatedByFile }: HandedDocument,
  { uri, size, modifiedAt }: SourceFile,
  recipe: string,
  isAtRest: boolean,
  replaces: ManifestEntry | undefined,
) {
  const manifest: ManifestEntry = {
    uri,
    status: 'indexed',
    size,
    modifiedAt: isAtRest ? modifiedAt : 0,
    contentHash: document.revision,
    recipe,
    chunks: entries.length,
    ...(degraded !== undefined && { reason: 'degraded', detail: degraded }),
  };
  return {
    document: isDatedByFile ? { ...document, modifiedAt } : document,
    chunks: entries,
    vectors,
    manifest,
    ...(replaces && { replaces }),
  };
}

function requireFit({ recipe, spaces }: HandedHeader, own: string, space: string | undefined): void {
  if (recipe !== own) throw otherRecipe(recipe, own);
  if (space === undefined || spaces.length === 0 || spaces.some(({ name }) => name === space)) return;
  throw new QuarryError(
    'usage-invalid',
    `The vectors of the file are of another model: ${spaces
      .map(({ name }) => name)
      .join(', ')
      .slice(0, 300)}.`,
    `Set the same [embedder] as its maker, or have it made with yours (${space}).`,
  );
}

function otherRecipe(given: string, own: string): QuarryError {
  const version = (text: string) => Number(/^\[(\d+),/.exec(text)?.[1] ?? 0);
  const [theirs, ours] = [version(given), version(own)];
  if (theirs > ours)
    return new QuarryError(
      'store-too-new',
      'The file was made by a newer Quarry.',
      'Update Quarry, then import it.',
    );
  if (theirs < ours)
    return new QuarryError(
      'store-foreign',
      'The file was made by an earlier version of Quarry, which cut files differently.',
      'Have it made again by this version: quarry export FILE',
    );
  return new QuarryError(
    'usage-invalid',
    'The file was made with other settings of [chunking], [chunkers], [types], [origins], max_age_days or index.redact_secrets.',
    'Use the same quarry.toml as its maker; settings of your own count as well: quarry config show',
  );
}
