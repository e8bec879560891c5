import { z } from 'zod';

const count = z.int().min(0);
const seconds = z.number().min(0);

/** Totals of a run, the same for people and programs. */
export const indexSummarySchema = z.object({
  documents: z.object({ indexed: count, unchanged: count, deleted: count, failed: count }),
  chunks: z.object({
    total: count,
    written: count,
    embedded: count.describe('Vectors that the model made.'),
    cached: count.describe('Vectors that the shared cache had.'),
    reused: count.describe('Written chunks whose vector was in the index already.'),
    pending: count.describe('Chunks without a vector yet.'),
  }),
  skipped: z.record(z.string(), count).readonly().describe('Paths left out, by reason.'),
  redacted: count.describe('Secrets blacked out in the files that were indexed by this run.'),
  seconds: z
    .object({ total: seconds, embedding: seconds })
    .describe('Wall-clock time of the run and of the embedding model inside it.'),
});
export type IndexSummary = Readonly<z.output<typeof indexSummarySchema>>;
