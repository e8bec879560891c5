import { resolve } from 'node:path';
import { z } from 'zod';
import type { VectorCache } from '../contracts/vector-cache.ts';
import { QuarryError } from '../core/errors.ts';
import type { Project } from '../project/project.ts';
import { defineOperation } from './operation.ts';

const space = z.object({
  name: z.string().describe('The fingerprint of the vector space.'),
  dimensions: z.int(),
  entries: z.int(),
});

const stats = z.object({
  action: z.literal('stats'),
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
});

const exported = z.object({
  action: z.literal('export'),
  file: z.string(),
  entries: z.int(),
  bytes: z.int(),
  spaces: z.array(space),
});

const imported = z.object({
  action: z.literal('import'),
  file: z.string(),
  entries: z.int().describe('Vectors in the file.'),
  added: z.int().describe('Vectors that the cache did not have.'),
  known: z.int().describe('Vectors that the cache had; they stay as they were.'),
  left_out: z.int().describe('Vectors for which there was no room, or that do not fit their space.'),
});

const cleared = z.object({
  action: z.literal('clear'),
  entries: z.int().describe('Vectors that were removed.'),
});

const input = z.strictObject({
  action: z
    .enum(['stats', 'export', 'import', 'clear'])
    .default('stats')
    .describe(
      '`stats` counts, `export FILE` and `import FILE` carry vectors to another machine, `clear` removes all.',
    ),
  file: z.string().min(1).optional().describe('The file to write or to read.'),
});
type Input = z.output<typeof input>;

const output = z.discriminatedUnion('action', [stats, exported, imported, cleared]);
type Output = z.output<typeof output>;

/** Looks into the vectors that all projects of a user share, carries them to another machine, or removes them. */
export const cacheOperation = defineOperation({
  name: 'cache',
  summary: 'Show, export, import or clear the vectors that all your projects share.',
  positionals: ['action', 'file'],
  input,
  output,
  examples: [
    { input: { action: 'stats' }, explains: 'what is remembered, and how often it served' },
    { input: { action: 'export', file: 'vectors.qv' }, explains: 'write all vectors to one file' },
    {
      input: { action: 'import', file: 'vectors.qv' },
      explains: 'add the vectors of such a file, from someone you trust',
    },
    { input: { action: 'clear' }, explains: 'forget all vectors' },
  ],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to tell on the way.
  async *run(project, given, { signal }) {
    return runOnCache(project, given, signal);
  },
});

async function runOnCache(
  project: Project,
  { action, file }: Input,
  signal: AbortSignal | undefined,
): Promise<Output> {
  if ((action === 'export' || action === 'import') !== (file !== undefined)) throw wrongFile(action, file);
  const { openUserCache } = await import('../project/embedders/user-cache.ts');
  const readOnly = action === 'stats' || action === 'export';
  const cache = await openUserCache(project.cacheFolder, project.settings, { readOnly });
  try {
    return await act(cache, action, resolve(file ?? '.'), signal);
  } finally {
    await cache.close();
  }
}

async function act(
  cache: VectorCache,
  action: Output['action'],
  file: string,
  signal: AbortSignal | undefined,
): Promise<Output> {
  if (action === 'stats') return describeCache(cache);
  if (action === 'clear') return { action, entries: await cache.clear() };
  if (action === 'import') {
    const { leftOut, ...counts } = await cache.importFrom(file, { signal });
    return { action, file, ...counts, left_out: leftOut };
  }
  const { entries, bytes, spaces } = await cache.exportTo(file, { signal });
  return {
    action,
    file,
    entries,
    bytes,
    spaces: [...spaces],
  };
}

async function describeCache(cache: VectorCache): Promise<Output> {
  const { oldestUse, spaces, ...facts } = await cache.stats();
  return {
    action: 'stats',
    ...facts,
    spaces: [...spaces],
    ...(oldestUse !== undefined && { oldest_use: new Date(oldestUse).toISOString() }),
    ...(cache.problem && { warning: cache.problem.message }),
  };
}

function wrongFile(action: string, file: string | undefined): QuarryError {
  return file === undefined
    ? new QuarryError('usage-invalid', `cache ${action} needs a file.`, `Run: quarry cache ${action} FILE`)
    : new QuarryError('usage-invalid', `cache ${action} takes no file.`, `Run: quarry cache ${action}`);
}
