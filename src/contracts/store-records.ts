import { z } from 'zod';
import type { Chunk } from '../core/chunk.ts';
import { type DocumentRecord, origins } from '../core/document.ts';
import { type ErrorCode, errorCatalogue } from '../core/error-catalogue.ts';
import { skipReasons } from '../core/events.ts';
import { filterSchema } from '../core/filter.ts';
import { placeSchema } from '../core/place.ts';
import type { ChunkEntry, ManifestEntry, SearchBounds, StoreMatch, VectorEntry } from './store.ts';

const count = z.int().min(0);
const metadata = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
);

/** A vector as its 32-bit numbers, lowest byte first, in base64. */
export const vectorSchema = z.codec(z.base64(), z.instanceof(Float32Array), {
  decode(text, context) {
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length % 4 !== 0)
      context.issues.push({ code: 'custom', message: 'is not a row of 32-bit numbers', input: text });
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)));
  },
  encode: (vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
});

/** A document as it travels between machines. */
export const documentSchema = z.object({
  id: z.string(),
  uri: z.string(),
  title: z.string(),
  type: z.string(),
  origin: z.enum(origins),
  mediaType: z.string(),
  revision: z.string(),
  modifiedAt: z.number(),
  metadata,
}) satisfies z.ZodType<DocumentRecord>;

/** A chunk as it travels. */
export const chunkSchema = z.object({
  id: z.string(),
  documentId: z.string(),
  ordinal: count,
  span: z.object({ start: count, end: count, firstLine: count, lastLine: count }),
  place: placeSchema,
  writtenAt: z.number().exactOptional(),
  text: z.string(),
  header: z.string(),
  section: z.string(),
  symbol: z
    .object({
      name: z.string(),
      kind: z.string(),
      signature: z.string(),
      scope: z.array(z.string()),
      exported: z.boolean().exactOptional(),
    })
    .exactOptional(),
  metadata,
}) satisfies z.ZodType<Chunk>;

export const chunkEntrySchema = z.object({
  chunk: chunkSchema,
  embeddingKey: z.string(),
}) satisfies z.ZodType<ChunkEntry>;

export const vectorEntrySchema = z.object({
  embeddingKey: z.string(),
  vector: vectorSchema,
}) satisfies z.ZodType<VectorEntry>;

export const manifestEntrySchema = z.object({
  uri: z.string(),
  status: z.enum(['indexed', 'skipped', 'failed']),
  size: z.number(),
  modifiedAt: z.number(),
  contentHash: z.string(),
  recipe: z.string(),
  chunks: count,
  reason: z
    .enum([...skipReasons, 'degraded', ...(Object.keys(errorCatalogue) as ErrorCode[])])
    .exactOptional(),
  detail: z.string().exactOptional(),
}) satisfies z.ZodType<ManifestEntry>;

export const boundsSchema = z.strictObject({
  limit: z.int(),
  filter: filterSchema.exactOptional(),
}) satisfies z.ZodType<SearchBounds>;

export const matchSchema = z.object({
  chunk: chunkSchema,
  document: documentSchema,
  score: z.number(),
}) satisfies z.ZodType<StoreMatch>;
