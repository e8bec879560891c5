import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { errorToData } from '../../core/errors.ts';
import type { RefusedChunk } from '../../core/events.ts';
import { problemSchema } from '../../core/failures/problem.ts';
import { placeSchema } from '../../core/place.ts';
import { citationOf } from '../../core/text/citation.ts';
import { defineOperation, type EngineFacts } from '../operation.ts';
import { trustIn } from '../setup/trust.ts';
import { corpusInput, corpusOf, corpusOutput } from './corpus.ts';
import { disabledField, disabledIn } from './disabled.ts';
import { retiredField, retiredIn } from './retired.ts';
import { untrustedField, untrustedIn } from './untrusted.ts';

const noted = z.object({ path: z.string(), reason: z.string(), detail: z.string() });
const refusedSchema = z.object({
  path: z.string(),
  citation: z.string().describe('Path and place, for a person.'),
  place: placeSchema,
  reason: z.string(),
  embedder: z.string(),
});

/** Documents that changed last, and topics, that are listed where nobody says how many. */
const listedByDefault = 5;

/** Reports what the index holds and what it leaves out. */
export const statusOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  input: z.strictObject({
    skipped: z.boolean().default(false).describe('List every skipped path with the rule that left it out.'),
    compare: z
      .boolean()
      .default(true)
      .describe('Compare the index with the files; without it, the answer is there at once.'),
    ...corpusInput('default: 5, without `compare` 0'),
  }),
  output: z.object({
    folder: z.string(),
    enabled: z.boolean(),
    ...disabledField,
    empty: z.boolean(),
    documents: z.int(),
    chunks: z.int(),
    pending: z.int().describe('Chunks without a vector yet.'),
    bytes: z.int().describe('Size of the index on disk.'),
    types: z.record(z.string(), z.int()),
    history: z
      .object({ commits: z.int(), oldest: z.string(), newest: z.string() })
      .optional()
      .describe('The commits that are indexed, and how far they reach; absent where there are none.'),
    synced_at: z.string().optional().describe('When the text was last equal to the files.'),
    changes: z
      .object({ added: z.int(), changed: z.int(), deleted: z.int() })
      .optional()
      .describe('Files that differ from the index now; absent where they cannot be compared.'),
    incomparable: problemSchema.optional().describe('Why the index could not be compared with the files.'),
    stale: z.int().describe('Documents still cut by previous settings; the next run cuts them again.'),
    embedder: z.string(),
    set_aside: z
      .array(z.string())
      .describe(
        'Indexes in the state folder that an earlier version or somebody else made: not used, and removed by `quarry clean`.',
      ),
    failed: z.array(noted),
    degraded: z.array(noted),
    refused_count: z.int().describe('Chunks without a vector because the model refused their text.'),
    refused: z.array(refusedSchema).describe('These chunks; the next run tries them again.'),
    skipped_count: z.int(),
    skipped_reasons: z.record(z.string(), z.int()).describe('How many paths were left out for each reason.'),
    skipped: z.array(noted).optional(),
    engine: z
      .object({
        pid: z.int(),
        uptime_seconds: z.int(),
        memory_bytes: z.int(),
        open_projects: z.int(),
      })
      .optional()
      .describe(
        'The engine that keeps this project open and answered; absent where the command did it itself.',
      ),
    engine_starting: z
      .object({ pid: z.int() })
      .optional()
      .describe('An engine that was started in the background and does not answer yet.'),
    ...corpusOutput,
    ...untrustedField,
    ...retiredField,
    commands: z
      .object({ commands: z.array(z.string()), trusted: z.boolean() })
      .optional()
      .describe('What the settings of the project would run, and whether you agreed to it.'),
  }),
  examples: [
    { input: {}, explains: 'a summary of the index' },
    { input: { skipped: true }, explains: 'every path that was left out, and why' },
    { input: { summarise: true }, explains: 'also what it is about, with sources' },
  ],
  events: async () => (await import('../../core/events.ts')).answerEventSchema,
  async *run(project, { skipped, compare, recent, topics, summarise }, { signal, engine, startingEngine }) {
    // First, since it may answer by the time that the rest is known.
    const starting = await startingEngine?.();
    const status = await project.status({ compare, ...(signal && { signal }) });
    const trust = await trustIn(project);
    const listed = compare ? listedByDefault : 0;
    const asked = { recent: recent ?? listed, topics: topics ?? listed, summarise };
    const corpus = status.empty ? { recent: [], topics: [] } : yield* corpusOf(project, asked, signal);
    const note = ({ uri, reason, detail }: (typeof status.failed)[number]) => ({
      path: uri,
      reason: reason ?? '',
      detail: detail ?? '',
    });
    return {
      folder: status.folder,
      enabled: status.enabled,
      ...disabledIn(project),
      empty: status.empty,
      documents: status.counts.documents,
      chunks: status.counts.chunks,
      pending: status.counts.chunks - status.counts.embedded,
      bytes: status.counts.bytes,
      types: { ...status.types },
      ...(status.types.commit !== undefined && (await historyIn(project))),
      ...(status.syncedAt !== undefined && { synced_at: new Date(status.syncedAt).toISOString() }),
      ...(status.changes && { changes: { ...status.changes } }),
      ...(status.incomparable && { incomparable: errorToData(status.incomparable) }),
      stale: status.stale,
      embedder: status.embedder,
      set_aside: [...status.setAside],
      failed: status.failed.map(note),
      degraded: status.degraded.map(note),
      refused_count: status.refused.total,
      refused: status.refused.chunks.map(refusedOf),
      skipped_count: status.skipped.length,
      skipped_reasons: countedBy(status.skipped.map(({ reason }) => reason ?? '')),
      ...(skipped && { skipped: status.skipped.map(note) }),
      ...(engine && { engine: engineOf(engine()) }),
      ...(starting !== undefined && { engine_starting: { pid: starting } }),
      ...corpus,
      ...untrustedIn(project),
      ...retiredIn(project),
      ...(trust.commands.length > 0 && { commands: { commands: trust.commands, trusted: trust.trusted } }),
    };
  },
});

/** How many commits are indexed, and from when to when. */
async function historyIn(project: Project) {
  const commits = await (await project.store()).documents({ types: ['commit'] });
  const times = commits.map(({ modifiedAt }) => modifiedAt).sort((one, other) => one - other);
  const dateOf = (time = 0): string => new Date(time).toISOString();
  return { history: { commits: times.length, oldest: dateOf(times[0]), newest: dateOf(times.at(-1)) } };
}

function countedBy(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

function engineOf({ pid, uptimeSeconds, memoryBytes, openProjects }: EngineFacts) {
  return {
    pid,
    uptime_seconds: uptimeSeconds,
    memory_bytes: memoryBytes,
    open_projects: openProjects,
  };
}

function refusedOf({ uri, place, reason, space }: RefusedChunk): z.output<typeof refusedSchema> {
  return { path: uri, citation: citationOf(uri, place), place, reason, embedder: space };
}
