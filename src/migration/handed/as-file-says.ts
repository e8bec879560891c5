import { isDeepStrictEqual } from 'node:util';
import type { Source, SourceFile } from '../../contracts/source.ts';
import type { ChunkEntry } from '../../contracts/store.ts';
import type { Chunk } from '../../core/chunk.ts';
import { lineFinder, placeFinder } from '../../indexing/assemble-chunks.ts';
import { textBeside } from '../../indexing/beside.ts';
import { type ExtractedDocument, extractDocument, type ReadingParts } from '../../indexing/read-document.ts';
import { isPlain } from '../../reading/formats.ts';
import { namesBeside } from '../../reading/names-beside.ts';
import type { HandedDocument } from './record.ts';

type Extracted = Extract<ExtractedDocument, { kind: 'text' }>;

/**
 * The document as the file here says it, where its text is cheap to make: what is said of the whole document is made from the file, and
 * each chunk must stand in its text, at its lines and its place. Undefined where the file has no such text or says something else. The
 * name of the file decides whether it is asked; of PDF, office files and pictures all that they say is the maker's word.
 */
export async function asFileSays(
  given: HandedDocument,
  file: SourceFile,
  bytes: Uint8Array,
  source: Source,
  reading: ReadingParts,
): Promise<HandedDocument | undefined> {
  const { uri } = file;
  const named = { mediaType: reading.mediaTypeOf(uri), origin: reading.originOf(uri) };
  if (!isPlain(uri)) return { ...given, document: { ...given.document, ...named } };
  const beside = await textBeside(source, { beside: namesBeside }, uri);
  const { revision } = given.document;
  const extracted = await extractDocument({ file, bytes, revision, beside }, reading);
  if (extracted.kind === 'skipped') return undefined;
  const entries = entriesIn(extracted, given.entries);
  if (!entries) return undefined;
  const { text: _, ...document } = extracted.document;
  return { ...given, document, entries, isDatedByFile: false };
}

/** The chunks with the time that the file gives them; undefined where one of them does not stand in it. */
function entriesIn(
  { document: { text }, origin: { places, timeOf } }: Extracted,
  given: readonly ChunkEntry[],
): ChunkEntry[] | undefined {
  const linesOf = lineFinder(text);
  const placeOf = places && placeFinder(places);
  const entries: ChunkEntry[] = [];
  for (const { chunk, embeddingKey } of given) {
    const { start, end, firstLine, lastLine } = chunk.span;
    const last = Math.max(start, end - 1);
    const lines = linesOf(start, last);
    // The indentation in front of a chunk is taken into its text after its place is looked up.
    const begin = start + (/^[ \t]*/.exec(chunk.text)?.[0].length ?? 0);
    const stands =
      text.slice(start, end) === chunk.text &&
      isDeepStrictEqual({ firstLine, lastLine }, lines) &&
      (placeOf
        ? [start, begin].some((from) => isPlace(chunk, placeOf(from, last)))
        : chunk.place.kind === 'keys' || isPlace(chunk, { kind: 'lines', first: firstLine, last: lastLine }));
    if (!stands) return undefined;
    const { writtenAt: _, ...undated } = chunk;
    entries.push({ chunk: timeOf ? { ...undated, writtenAt: timeOf(begin, end) } : undated, embeddingKey });
  }
  return entries;
}

/** Compared as they travel: what is undefined is absent. */
function isPlace({ place }: Chunk, expected: Chunk['place']): boolean {
  return isDeepStrictEqual(place, JSON.parse(JSON.stringify(expected)));
}
