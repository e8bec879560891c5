import { z } from 'zod';
import { chunkInspection, rightKey } from '../../contracts/record-faults.ts';
import type { ChunkEntry, VectorEntry } from '../../contracts/store.ts';
import { chunkSchema, documentSchema } from '../../contracts/store-records.ts';
import type { Chunk } from '../../core/chunk.ts';
import type { DocumentRecord } from '../../core/document.ts';
import { documentId } from '../../core/identity.ts';

/** A document of an index that is handed over: its chunks, and for each space a vector or none for each chunk. */
const recordSchema = z.strictObject({
  document: documentSchema.omit({ id: true }),
  /** Whether its time is that of the file, and not of its content. */
  dated_by_file: z.boolean(),
  degraded: z.string().max(2000).optional(),
  chunks: z.array(chunkSchema.omit({ documentId: true, ordinal: true })).max(200_000),
  vectors: z.record(z.string(), z.array(z.string().nullable())),
});

/** What is said of one document. */
export type HandedRecord = z.output<typeof recordSchema>;

/** A document as it goes into a store. */
export interface HandedDocument {
  readonly document: DocumentRecord;
  readonly entries: readonly ChunkEntry[];
  readonly vectors: ReadonlyMap<string, readonly VectorEntry[]>;
  readonly degraded?: string | undefined;
  readonly isDatedByFile: boolean;
}

/** A line for a document. */
export function lineOf(
  { id: _, ...document }: DocumentRecord,
  chunks: readonly Chunk[],
  spaces: ReadonlyMap<string, ReadonlyMap<string, Float32Array>>,
  about: { readonly isDatedByFile: boolean; readonly degraded: string | undefined },
): string {
  const record: HandedRecord = {
    document: { ...document, metadata: document.metadata as HandedRecord['document']['metadata'] },
    dated_by_file: about.isDatedByFile,
    ...(about.degraded !== undefined && { degraded: about.degraded }),
    chunks: chunks.map(
      ({ documentId: __, ordinal: ___, ...chunk }) => chunk as HandedRecord['chunks'][number],
    ),
    vectors: Object.fromEntries(
      [...spaces].map(([space, vectors]) => [
        space,
        chunks.map((chunk) => {
          const vector = vectors.get(rightKey(chunk));
          return vector ? bytesOf(vector) : null;
        }),
      ]),
    ),
  };
  return JSON.stringify(record);
}

/**
 * The document of a line; undefined for what is no record of ours. Identities are made here: a file cannot name a chunk of
 * another document, or give a text the vector of another one's key.
 */
export function documentIn(
  line: string,
  dimensions: ReadonlyMap<string, number>,
): HandedDocument | undefined {
  const parsed = recordSchema.safeParse(parseJson(line));
  if (!parsed.success) return undefined;
  const { document: given, chunks: cut, vectors, degraded, dated_by_file: isDatedByFile } = parsed.data;
  const id = documentId(given.uri);
  const chunks = cut.map((chunk, ordinal): Chunk => ({ ...chunk, documentId: id, ordinal }));
  const faultsOf = chunkInspection(given.uri);
  if (chunks.some((chunk) => faultsOf(chunk).length > 0)) return undefined;
  const bySpace = new Map<string, VectorEntry[]>();
  for (const [space, rows] of Object.entries(vectors)) {
    const length = dimensions.get(space);
    if (length === undefined || rows.length !== chunks.length) return undefined;
    const found = new Map<string, VectorEntry>();
    for (const [at, chunk] of chunks.entries()) {
      const row = rows[at];
      if (row === null || row === undefined) continue;
      const vector = vectorOf(row, length);
      if (!vector) return undefined;
      const key = rightKey(chunk);
      found.set(key, { embeddingKey: key, vector });
    }
    bySpace.set(space, [...found.values()]);
  }
  return {
    document: { ...given, id },
    entries: chunks.map((chunk) => ({ chunk, embeddingKey: rightKey(chunk) })),
    vectors: bySpace,
    degraded,
    isDatedByFile,
  };
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // No record of ours: the file is refused with a reason of its own.
    return undefined;
  }
}

const maxByte = 127;

/** A direction as one byte a value, as our own store keeps it: cut again it is the same. */
function bytesOf(vector: Float32Array): string {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const bytes = Int8Array.from(vector, (value) => Math.round((value * maxByte) / largest));
  return Buffer.from(bytes.buffer).toString('base64');
}

function vectorOf(text: string, length: number): Float32Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== length) return undefined;
  const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const size = Math.hypot(...values);
  return size > 0 ? Float32Array.from(values, (value) => value / size) : undefined;
}
