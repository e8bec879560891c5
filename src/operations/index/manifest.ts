import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import type { Filter } from '../../core/filter.ts';
import { filterFields, filterOf } from '../find/filter-input.ts';
import { defineOperation } from '../operation.ts';

const { kind: _, ...documentFields } = filterFields;

/** Lists what the index remembers of every path, or of the documents that pass a filter. */
export const manifestOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  input: z.strictObject({
    ...documentFields,
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
    { input: { path: ['docs/**'], since: '7d' }, explains: 'documents of a folder that changed lately' },
    { input: { chunks: true }, explains: 'with the identity of every chunk' },
  ],
  async *run(project, { chunks: withChunks, ...narrowed }) {
    const listed = await project.manifest({ chunks: withChunks });
    const filter = filterOf({ ...narrowed, kind: [] });
    const passing = filter && listed.length > 0 ? await documentsPassing(project, filter) : undefined;
    const entries = passing ? listed.filter(({ uri }) => passing.has(uri)) : listed;
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

async function documentsPassing(project: Project, filter: Filter): Promise<ReadonlySet<string>> {
  const documents = await (await project.store()).documents(filter);
  return new Set(documents.map(({ uri }) => uri));
}
