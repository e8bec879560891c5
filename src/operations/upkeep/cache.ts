import { resolve } from 'node:path';
import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import type { VectorCache } from '../../contracts/vector-cache.ts';
import { defineOperation } from '../operation.ts';

const space = z.object({
  name: z.string().describe('The fingerprint of the vector space.'),
  dimensions: z.int(),
  entries: z.int(),
});

/** Counts the vectors that all projects of a user share. */
export const cacheStatsOperation = defineOperation({
  effect: 'reads',
  reach: 'user',
  input: z.strictObject({}),
  output: z.object({
    file: z.string(),
    entries: z.int(),
    bytes: z.int().describe('Size of the file.'),
    limit: z.int().describe('Bytes that the file may have; 0 where the cache is turned off.'),
    spaces: z.array(space),
    oldest_use: z
      .string()
      .optional()
      .describe('When the vector that waits longest was last used, to the hour.'),
    hits: z.int().describe('Lookups that found a vector, by all processes since the cache was begun.'),
    misses: z.int(),
    damaged: z.int().describe('Vectors that were found damaged and removed.'),
    warning: z.string().optional(),
  }),
  examples: [{ input: {}, explains: 'what is remembered, and how often it served' }],
  async *run(project) {
    return withCache(project, { readOnly: true }, async (cache) => {
      const { oldestUse, spaces, ...facts } = await cache.stats();
      return {
        ...facts,
        spaces: [...spaces],
        ...(oldestUse !== undefined && { oldest_use: new Date(oldestUse).toISOString() }),
        ...(cache.problem && { warning: cache.problem.message }),
      };
    });
  },
});

/** Writes the shared vectors to a file, for another machine. */
export const cacheExportOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  positionals: ['file'],
  input: z.strictObject({ file: z.string().min(1).describe('The file to write.') }),
  output: z.object({ file: z.string(), entries: z.int(), bytes: z.int(), spaces: z.array(space) }),
  examples: [{ input: { file: 'vectors.db' }, explains: 'for another machine' }],
  async *run(project, input, { signal }) {
    const file = resolve(input.file);
    return withCache(project, { readOnly: true }, async (cache) => {
      const { entries, bytes, spaces } = await cache.exportTo(file, { signal });
      return { file, entries, bytes, spaces: [...spaces] };
    });
  },
});

/** Adds the vectors of an exported file to the shared ones. */
export const cacheImportOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  positionals: ['file'],
  input: z.strictObject({ file: z.string().min(1).describe('The file to read.') }),
  output: z.object({
    file: z.string(),
    entries: z.int().describe('Vectors in the file.'),
    added: z.int().describe('Vectors that the cache did not have.'),
    known: z.int().describe('Vectors that the cache had; they stay as they were.'),
    left_out: z.int().describe('Vectors for which there was no room, or that do not fit their space.'),
  }),
  examples: [{ input: { file: 'vectors.db' }, explains: 'from someone you trust' }],
  async *run(project, input, { signal }) {
    const file = resolve(input.file);
    return withCache(project, { readOnly: false }, async (cache) => {
      const { leftOut, ...counts } = await cache.importFrom(file, { signal });
      return { file, ...counts, left_out: leftOut };
    });
  },
});

/** Removes all shared vectors; they are made, and maybe paid for, again when they are needed. */
export const cacheClearOperation = defineOperation({
  effect: 'destroys',
  reach: 'user',
  input: z.strictObject({}),
  output: z.object({ entries: z.int().describe('Vectors that were removed.') }),
  examples: [{ input: {}, explains: 'they are made again when they are needed' }],
  async *run(project) {
    return withCache(project, { readOnly: false }, async (cache) => ({ entries: await cache.clear() }));
  },
});

async function withCache<Result>(
  { cacheFolder, settings }: Project,
  options: { readonly readOnly: boolean },
  use: (cache: VectorCache) => Promise<Result>,
): Promise<Result> {
  const { openUserCache } = await import('../../opening/embedders/user-cache.ts');
  const cache = await openUserCache(cacheFolder, settings, options);
  try {
    return await use(cache);
  } finally {
    await cache.close();
  }
}
