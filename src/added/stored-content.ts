import type { IndexState, Store } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import { type DocumentRecord, isVirtual } from '../core/document.ts';
import { encodeKept, type KeptContent, keptFileName } from '../core/documents/kept-content.ts';
import { asQuarryError, type QuarryError } from '../core/errors.ts';
import type { Filter } from '../core/filter.ts';
import { literalGlob } from '../core/globs/glob.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { holdingsOf } from '../index/holdings.ts';
import { discard, keep, keptFiles } from './kept-folder.ts';
import { type KeptPlace, keptProof } from './kept-proof.ts';

/**
 * Keeps the added content that only the index holds: an earlier version kept none, and a file may have been lost. No run
 * begins without it, so that nothing is in a place alone that can be rebuilt.
 */
export async function keepStored(place: KeptPlace, store: Store, state?: IndexState): Promise<void> {
  // Looked at before the index: content that is being removed loses its file first.
  const { folder: project } = place;
  const names = new Set(await keptFiles(project));
  const { paths } = await holdingsOf(store, state);
  const uris = paths.filter((uri) => isVirtual(uri) && !names.has(keptFileName(uri)));
  if (uris.length === 0) return;
  let failure: QuarryError | undefined;
  for (const uri of uris) {
    try {
      await keepRecord(place, store, uri);
      // It was removed meanwhile.
      if (!(await store.paths()).includes(uri)) await discard(project, uri);
    } catch (thrown) {
      // The others are kept all the same.
      failure ??= asQuarryError(thrown);
    }
  }
  if (failure) throw failure;
}

/** Keeps added content as the index holds it; false where it does not. */
export async function keepRecord(place: KeptPlace, store: Store, uri: string): Promise<boolean> {
  const find = async (filter: Filter) =>
    (await store.documents({ ...filter, origins: ['virtual'] })).find((each) => each.uri === uri);
  // By itself: another one may be damaged. A name that is too long for a glob is looked for among all.
  const record = await find({ paths: [literalGlob(uri)] }).catch(() => find({}));
  if (!record) return false;
  const { prove } = await keptProof(place);
  const content = extractedContent(record, await chunksOf(store, record.id));
  await keep(place.folder, uri, encodeKept(content, prove));
  return true;
}

/** Content as an index holds it: its text has been extracted, and its secrets are blacked out. */
export function extractedContent(
  { uri, modifiedAt, title, type, metadata }: DocumentRecord,
  chunks: readonly Chunk[],
): KeptContent {
  return { uri, modifiedAt, title, type, metadata, isExtracted: true, text: textOfChunks(chunks) };
}

/** The text that the chunks were cut from; the white space between them is not stored, so line ends stand for it. */
export function textOfChunks(chunks: readonly Chunk[]): string {
  let text = '';
  for (const { span, text: part } of chunks) {
    if (span.start > text.length) text += '\n'.repeat(span.start - text.length);
    text += part.slice(text.length - span.start);
  }
  return text;
}
