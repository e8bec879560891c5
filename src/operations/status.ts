import { z } from 'zod';
import { defineOperation } from './operation.ts';

const noted = z.object({ path: z.string(), reason: z.string(), detail: z.string() });

/** Tells what the index holds and what it left out. */
export const statusOperation = defineOperation({
  name: 'status',
  summary: 'Show what is indexed, pending, failed and skipped.',
  input: z.strictObject({
    skipped: z.boolean().default(false).describe('List every skipped path with the rule that left it out.'),
  }),
  output: z.object({
    folder: z.string(),
    enabled: z.boolean(),
    empty: z.boolean(),
    documents: z.int(),
    chunks: z.int(),
    pending: z.int().describe('Chunks without a vector yet.'),
    bytes: z.int().describe('Size of the index on disk.'),
    types: z.record(z.string(), z.int()),
    synced_at: z.string().optional().describe('When the last run ended.'),
    embedder: z.string(),
    failed: z.array(noted),
    degraded: z.array(noted),
    skipped_count: z.int(),
    skipped: z.array(noted).optional(),
  }),
  examples: [
    { command: 'status', explains: 'a summary of the index' },
    { command: 'status --skipped', explains: 'every path that was left out, and why' },
  ],
  async *run(project, { skipped }) {
    const status = await project.status();
    const note = ({ uri, reason, detail }: (typeof status.failed)[number]) => ({
      path: uri,
      reason: reason ?? '',
      detail: detail ?? '',
    });
    return {
      folder: status.folder,
      enabled: status.enabled,
      empty: status.empty,
      documents: status.counts.documents,
      chunks: status.counts.chunks,
      pending: status.counts.chunks - status.counts.embedded,
      bytes: status.counts.bytes,
      types: { ...status.types },
      ...(status.syncedAt !== undefined && { synced_at: new Date(status.syncedAt).toISOString() }),
      embedder: status.embedder,
      failed: status.failed.map(note),
      degraded: status.degraded.map(note),
      skipped_count: status.skipped.length,
      ...(skipped && { skipped: status.skipped.map(note) }),
    };
  },
});
