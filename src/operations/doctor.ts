import { availableParallelism, totalmem } from 'node:os';
import { z } from 'zod';
import { asQuarryError } from '../core/errors.ts';
import type { Project } from '../project/project.ts';
import { defineOperation } from './operation.ts';

const check = z.object({
  name: z.string(),
  state: z.enum(['good', 'bad', 'note']),
  detail: z.string(),
  remedy: z.string().optional(),
});
type Check = z.output<typeof check>;

/** Looks at everything Quarry stands on and says what to do about what is wrong. */
export const doctorOperation = defineOperation({
  name: 'doctor',
  summary: 'Check the runtime, the model, the index and the settings.',
  input: z.strictObject({}),
  output: z.object({ healthy: z.boolean(), checks: z.array(check) }),
  examples: [{ command: 'doctor', explains: 'find out why something does not work' }],
  exitCode: ({ healthy }) => (healthy ? 0 : 1),
  async *run(project) {
    const checks: Check[] = [runtime(), settings(project)];
    if (project.settings.enabled) {
      checks.push(await attempt('model', () => model(project)), await attempt('index', () => index(project)));
    }
    return { healthy: checks.every(({ state }) => state !== 'bad'), checks };
  },
});

function runtime(): Check {
  const memory = Math.round(totalmem() / 2 ** 30);
  const detail = `Node.js ${process.versions.node} on ${process.platform}-${process.arch}, ${availableParallelism()} cores, ${memory} GiB`;
  return { name: 'runtime', state: 'good', detail };
}

function settings({ folder, origins, settings: { enabled } }: Project): Check {
  const decided = [...origins.values()].filter(({ layer }) => layer !== 'default').length;
  const detail = `${folder}, ${decided} settings differ from the defaults`;
  return enabled
    ? { name: 'project', state: 'good', detail }
    : { name: 'project', state: 'note', detail: `${folder} is disabled`, remedy: 'Set enabled = true.' };
}

/** Loads the model and measures it on a text that fills its window. */
async function model(project: Project): Promise<Check> {
  const embedder = await project.embedder();
  const loading = performance.now();
  await embedder.embed(['warm up'], { as: 'query' });
  const loaded = performance.now() - loading;
  const text = 'the quick brown fox jumps over the lazy dog and then '.repeat(20);
  const tokens = Math.min(embedder.countTokens(text), embedder.maxTokens);
  const started = performance.now();
  await embedder.embed(Array<string>(4).fill(text.slice(0, 1000)), { as: 'passage' });
  const rate = Math.round((4 * tokens) / ((performance.now() - started) / 1000));
  const detail = `${embedder.fingerprint}, ${embedder.dimensions} dimensions, loaded in ${Math.round(loaded)} ms, about ${rate} tokens/s`;
  return { name: 'model', state: 'good', detail };
}

async function index(project: Project): Promise<Check> {
  const { empty, counts, failed } = await project.status();
  const detail = `${counts.documents} documents, ${counts.chunks} chunks, ${counts.chunks - counts.embedded} pending, ${failed.length} failed`;
  if (empty) return { name: 'index', state: 'note', detail: 'empty', remedy: 'Run: quarry index' };
  if (failed.length > 0) return { name: 'index', state: 'note', detail, remedy: 'Run: quarry status' };
  return { name: 'index', state: 'good', detail };
}

async function attempt(name: string, look: () => Promise<Check>): Promise<Check> {
  try {
    return await look();
  } catch (thrown) {
    const { message, remedy } = asQuarryError(thrown);
    return { name, state: 'bad', detail: message, remedy };
  }
}
