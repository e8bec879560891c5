import type { ChunkRange, Store } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import { messageOf } from '../core/errors.ts';
import { isUnreadable, requireGoing } from './findings.ts';

/** Chunks of one document that follow each other. */
export interface DocumentPart {
  readonly document: DocumentRecord;
  readonly chunks: readonly Chunk[];
  /** Position of the first of them. */
  readonly first: number;
  readonly isLast: boolean;
  /** Why they cannot be read. */
  readonly failure?: string;
}

/** Chunks that are held in memory at once, as far as the manifest counts them rightly. */
const chunksAtOnce = 512;
const documentsAtOnce = 128;
const toTheEnd = Number.MAX_SAFE_INTEGER;

/** All chunks of the documents, in order, several small documents at a time or a part of a long one. */
export async function* readParts(
  store: Store,
  documents: readonly DocumentRecord[],
  expected: (uri: string) => number,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly DocumentPart[]> {
  let group: DocumentRecord[] = [];
  let size = 0;
  for (const document of documents) {
    const chunks = expected(document.uri);
    if (group.length === documentsAtOnce || (group.length > 0 && size + chunks > chunksAtOnce)) {
      yield await readGroup(store, group, signal);
      [group, size] = [[], 0];
    }
    if (chunks > chunksAtOnce) yield* readLong(store, document, chunks, signal);
    else {
      group.push(document);
      size += chunks;
    }
  }
  if (group.length > 0) yield readGroup(store, group, signal);
}

async function* readLong(
  store: Store,
  document: DocumentRecord,
  expected: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly DocumentPart[]> {
  for (let first = 0; first < expected; first += chunksAtOnce) {
    const isLast = first + chunksAtOnce >= expected;
    const last = isLast ? toTheEnd : first + chunksAtOnce - 1;
    const [part] = await readRanges(store, [document], first, last, signal);
    if (part) yield [{ ...part, isLast }];
    if (part?.failure !== undefined) return;
  }
}

/** The documents one by one where one of them cannot be read. */
async function readGroup(
  store: Store,
  group: readonly DocumentRecord[],
  signal: AbortSignal | undefined,
): Promise<readonly DocumentPart[]> {
  const parts = await readRanges(store, group, 0, toTheEnd, signal);
  if (group.length === 1 || parts.every(({ failure }) => failure === undefined)) return parts;
  const single: DocumentPart[] = [];
  for (const document of group) single.push(...(await readRanges(store, [document], 0, toTheEnd, signal)));
  return single;
}

async function readRanges(
  store: Store,
  documents: readonly DocumentRecord[],
  first: number,
  last: number,
  signal: AbortSignal | undefined,
): Promise<readonly DocumentPart[]> {
  requireGoing(signal);
  const ranges = documents.map(({ id }): ChunkRange => ({ documentId: id, first, last }));
  const part = (document: DocumentRecord, chunks: readonly Chunk[]): DocumentPart => ({
    document,
    chunks,
    first,
    isLast: true,
  });
  try {
    const found = await store.chunksIn(ranges);
    return documents.map((document, index) => part(document, found[index] ?? []));
  } catch (thrown) {
    if (!isUnreadable(thrown)) throw thrown;
    return documents.map((document) => ({ ...part(document, []), failure: messageOf(thrown) }));
  }
}
