import { z } from 'zod';

/** The settings that every embedder at an address understands. */
export const remoteOptions = {
  /** Calls at the same time. */
  concurrency: z.int().min(1).max(256).optional(),
  /** Length of the vectors, asked of the service and checked against its answers. */
  dimensions: z.int().min(1).max(65_536).optional(),
  /** Names the vector space, for a service whose vectors may be compared with another embedder's. */
  space: z.string().min(1).max(200).optional(),
  /** Put before a query, as the model was trained. */
  query_prefix: z.string().max(2000).optional(),
  /** Put before a chunk, as the model was trained. */
  passage_prefix: z.string().max(2000).optional(),
};

/** Most tokens in a call to a server of one's own: a fast GPU gained 1 % over half of it, and memory grows with it. */
export const ownServerTokens = 131_072;
