import { rightKey } from '../../contracts/record-faults.ts';
import type { ManifestEntry, Store } from '../../contracts/store.ts';
import type { DocumentRecord } from '../../core/document.ts';
import { isVirtual } from '../../core/document.ts';
import { isCommit } from '../../core/documents/commit.ts';
import { isConversation } from '../../core/documents/conversation.ts';
import { interrupted, QuarryError } from '../../core/errors.ts';
import type { MigrationEvent } from '../../core/events.ts';
import { chunksOf } from '../../index/chunks-of.ts';
import { recipeOf } from '../../settings/recipe.ts';
import type { Settings } from '../../settings/settings.ts';
import { type HandedHeader, maxLine, type Signer, writeHanded } from './handed-file.ts';
import { lineOf } from './record.ts';

/** Types whose texts are of people who may not want them handed on. */
export const personalTypes: readonly string[] = ['email', 'conversation', 'contact', 'event', 'note'];

/** How an index is handed over. */
export interface ExportOptions {
  readonly file: string;
  /** Mail, conversations, contacts, events and notes too. */
  readonly all: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What was written. */
export interface Exported extends Pick<HandedHeader, 'documents' | 'chunks' | 'spaces'> {
  readonly bytes: number;
  /** Documents that stay here: added content, personal ones, those too large or cut by previous settings. */
  readonly left: number;
}

/** Writes the text and vectors of an index to one file, signed. The index is only read. */
export async function* exportIndex(
  store: Store,
  settings: Settings,
  signer: Signer,
  { file, all, signal }: ExportOptions,
): AsyncGenerator<MigrationEvent, Exported> {
  const records = await store.documents();
  const entries = async () => new Map((await store.manifest()).map((entry) => [entry.uri, entry]));
  let manifest = await entries();
  let revision = (await store.state()).revision;
  const spaces = [...(await store.state()).spaces].map(([name, { dimensions }]) => ({ name, dimensions }));
  const recipe = recipeOf(settings);
  const counts = { documents: 0, chunks: 0, left: 0 };
  let done = 0;
  const lines = async function* (): AsyncGenerator<string> {
    for (const record of records) {
      if (signal?.aborted) throw interrupted(signal.reason);
      const line = travels(record, manifest.get(record.uri), recipe, all)
        ? await written(store, record, manifest.get(record.uri), spaces)
        : undefined;
      // A run may have changed the document between its record and its chunks: such a one is left to the next export.
      const now = (await store.state()).revision;
      if (now !== revision) [manifest, revision] = [await entries(), now];
      const isSame = manifest.get(record.uri)?.contentHash === record.revision;
      done += 1;
      if (line === undefined || !isSame || line.text.length > maxLine / 3) counts.left += 1;
      else {
        counts.documents += 1;
        counts.chunks += line.chunks;
        yield line.text;
      }
    }
  };
  const about = () => ({ recipe, spaces, documents: counts.documents, chunks: counts.chunks });
  if (records.length === 0) throw nothingIndexed();
  yield { type: 'documents-copied', done, total: records.length };
  const { bytes } = await writeHanded(file, lines(), about, signer, signal);
  yield { type: 'documents-copied', done: records.length, total: records.length };
  return { ...counts, spaces, bytes };
}

function travels(
  { uri, type }: DocumentRecord,
  entry: ManifestEntry | undefined,
  recipe: string,
  all: boolean,
): boolean {
  if (isVirtual(uri) || isConversation(uri) || isCommit(uri) || (!all && personalTypes.includes(type)))
    return false;
  return entry?.status === 'indexed' && entry.recipe === recipe && entry.contentHash !== '';
}

async function written(
  store: Store,
  record: DocumentRecord,
  entry: ManifestEntry | undefined,
  spaces: HandedHeader['spaces'],
): Promise<{ readonly text: string; readonly chunks: number }> {
  const chunks = await chunksOf(store, record.id);
  const keys = chunks.map(rightKey);
  const vectors = new Map<string, ReadonlyMap<string, Float32Array>>();
  for (const { name } of spaces) {
    const found = await store.vectorsOf(name, keys);
    vectors.set(name, new Map(found.map(({ embeddingKey, vector }) => [embeddingKey, vector])));
  }
  const degraded = entry?.reason === 'degraded' ? (entry.detail ?? '') : undefined;
  const isDatedByFile = entry?.modifiedAt === 0 || entry?.modifiedAt === record.modifiedAt;
  return { text: lineOf(record, chunks, vectors, { isDatedByFile, degraded }), chunks: chunks.length };
}

function nothingIndexed(): QuarryError {
  return new QuarryError(
    'index-stale',
    'Nothing is indexed yet, so that there is nothing to hand over.',
    'Run: quarry index',
  );
}
