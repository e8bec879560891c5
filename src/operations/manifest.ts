import { z } from 'zod';
import { defineOperation } from './operation.ts';

/** Lists what the index remembers of every path. */
export const manifestOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  input: z.strictObject({
    chunks: z.boolean().default(false).describe('Include the identity of every chunk.'),
  }),
  output: z.object({
    folder: z.string(),
    entries: z.array(
      z.object({
        path: z.string(),
        status: z.enum(['indexed', 'skipped', 'failed']),
        bytes: z.int(),
        modified_at: z.string().optional(),
        sha256: z.string().optional(),
        chunk_count: z.int(),
        reason: z.string().optional(),
        detail: z.string().optional(),
        chunks: z.array(z.string()).optional().describe('Identities, in the order of the document.'),
      }),
    ),
  }),
  examples: [
    { input: {}, explains: 'what is indexed' },
    { input: { chunks: true }, explains: 'with the identity of every chunk' },
  ],
  async *run(project, { chunks: withChunks }) {
    const entries = await project.manifest({ chunks: withChunks });
    return {
      folder: project.folder,
      entries: entries.map((entry) => ({
        path: entry.uri,
        status: entry.status,
        bytes: entry.size,
        ...(entry.modifiedAt > 0 && { modified_at: new Date(entry.modifiedAt).toISOString() }),
        ...(entry.contentHash !== '' && { sha256: entry.contentHash }),
        chunk_count: entry.chunks,
        ...(entry.reason !== undefined && { reason: entry.reason }),
        ...(entry.detail !== undefined && { detail: entry.detail }),
        ...(entry.chunkIds && { chunks: [...entry.chunkIds] }),
      })),
    };
  },
});
