import { availableParallelism, totalmem } from 'node:os';
import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import { asQuarryError, type QuarryError } from '../../core/errors.ts';
import { projectDisabled } from '../../core/failures/project-disabled.ts';
import { untrustedWords } from '../../core/failures/untrusted-settings.ts';
import { retiredRemedy } from '../../core/settings/retired-remedy.ts';
import type { RerankerInUse } from '../../settings/reranker-in-use.ts';
import { defineOperation } from '../operation.ts';

const check = z.object({
  name: z.string(),
  state: z.enum(['good', 'bad', 'note']),
  detail: z.string(),
  remedy: z.string().optional(),
});
type Check = z.output<typeof check>;

/** Texts in one call while the model is measured. */
const callTexts = 4;

const sampleWords = 'the quick brown fox jumps over the lazy dog and then goes on ';

/** Milliseconds after which the measurement of a reranker stops. */
const maxLook = 10_000;

/** Checks what Quarry depends on; each problem comes with its remedy. */
export const doctorOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  needsNoSettings: 'result',
  input: z.strictObject({}),
  output: z.object({ healthy: z.boolean(), checks: z.array(check) }),
  examples: [{ input: {}, explains: 'find out why something does not work' }],
  exitCode: ({ healthy }) => (healthy ? 0 : 1),
  async *run(project, _, { signal, fault }) {
    const checks: Check[] = [runtime(), settings(project, fault), ...trust(project), ...retired(project)];
    if (project.settings.enabled) {
      checks.push(await attempt('model', () => model(project)));
      const { rerankerInUse } = await import('../../settings/reranker-in-use.ts');
      const inUse = rerankerInUse(project.settings);
      // What is used by itself is made with the vectors: there is nothing to wait for.
      const isNamed = project.settings.reranker.driver !== 'auto';
      if (inUse && isNamed) checks.push(await attempt('reranker', () => reranker(project, inUse)));
      checks.push(await attempt('answers', () => answers(project)));
      checks.push(await attempt('cache', () => cache(project)));
      checks.push(await attempt('index', () => index(project)));
      const sharing = await attempt('store', () => sharedStore(project));
      if (sharing) checks.push(sharing);
    }
    checks.push(...(await agents(project, signal)));
    return { healthy: checks.every(({ state }) => state !== 'bad'), checks };
  },
});

function runtime(): Check {
  const memory = Math.round(totalmem() / 2 ** 30);
  const detail = `Node.js ${process.versions.node} on ${process.platform}-${process.arch}, ${availableParallelism()} cores, ${memory} GiB`;
  return { name: 'runtime', state: 'good', detail };
}

function settings({ folder, origins, settings: { enabled } }: Project, fault?: QuarryError): Check {
  if (fault) {
    const detail = `${folder}: ${fault.message} The rest is checked by the defaults.`;
    return { name: 'project', state: 'bad', detail, remedy: fault.remedy };
  }
  const decided = [...origins.values()].filter(({ layer }) => layer !== 'default').length;
  const detail = `${folder}, ${decided} settings differ from the defaults`;
  return enabled
    ? { name: 'project', state: 'good', detail }
    : {
        name: 'project',
        state: 'note',
        detail: `${folder} is disabled`,
        remedy: projectDisabled(folder).remedy,
      };
}

function trust({ untrusted }: Project): Check[] {
  if (untrusted.length === 0) return [];
  const { message: detail, remedy } = untrustedWords(untrusted);
  return [{ name: 'trust', state: 'note', detail, remedy }];
}

function retired({ retired: notices }: Project): Check[] {
  if (notices.length === 0) return [];
  return [{ name: 'settings', state: 'note', detail: notices.join(' '), remedy: retiredRemedy }];
}

/** Loads the model and measures it on texts that fill its window. */
async function model(project: Project): Promise<Check> {
  const embedder = await project.embedder();
  const loading = performance.now();
  await embedder.load?.();
  await embedder.embed(['warm up'], { as: 'query' });
  const loaded = performance.now() - loading;
  const facts = Object.entries(embedder.facts).map(([name, value]) => `${name} ${value}`);
  const detail = [
    ...facts,
    `${embedder.dimensions} dimensions`,
    `ready in ${Math.round(loaded)} ms`,
    `about ${await measureRate(embedder)} tokens/s`,
  ];
  return { name: 'model', state: 'good', detail: detail.join(', ') };
}

async function measureRate(embedder: Embedder): Promise<number> {
  const { concurrency } = embedder.limits;
  const call = (number: number): readonly string[] =>
    Array.from({ length: callTexts }, (_, index) => `${number} ${index} ${sampleWords.repeat(8)}`);
  const calls = Array.from({ length: concurrency }, (_, number) => call(number));
  const embedAll = () => Promise.all(calls.map((texts) => embedder.embed(texts, { as: 'chunk' })));
  // The first round is not counted: it starts the other threads or connections.
  await embedAll();
  const started = performance.now();
  await embedAll();
  const seconds = (performance.now() - started) / 1000;
  const tokens = calls.flat().reduce((sum, text) => sum + embedder.countTokens(text), 0);
  return Math.round(tokens / seconds);
}

/** Loads the reranker and measures how long it takes for as many chunks as one query gives it. */
async function reranker({ reranker: open }: Project, inUse: RerankerInUse): Promise<Check> {
  const { driver, candidates, budgetMs } = inUse;
  const opened = await open();
  await opened?.load?.();
  const chunks = Array.from({ length: candidates }, (_, index) => `${index} ${sampleWords.repeat(8)}`);
  const started = performance.now();
  const { signal } = new AbortController();
  let scored = 0;
  for await (const batch of opened?.score('the lazy dog', chunks, { budgetMs: maxLook, signal }) ?? [])
    scored += batch.length;
  const taken = Math.round(performance.now() - started);
  const facts = Object.entries(opened?.facts ?? {}).map(([name, value]) => `${name} ${value}`);
  const detail = [driver, ...facts, `${scored} chunks in ${taken} ms of ${budgetMs} ms`].join(', ');
  return taken <= budgetMs
    ? { name: 'reranker', state: 'good', detail }
    : {
        name: 'reranker',
        state: 'note',
        detail,
        remedy: 'Raise reranker.budget_ms; chunks scored in time count.',
      };
}

/** Finds the model that writes answers; it is not asked for anything. */
async function answers({ generator: open, settings }: Project): Promise<Check> {
  const generator = await open();
  if (generator) {
    const facts = Object.entries(generator.facts).map(([name, value]) => `${name} ${value}`);
    return { name: 'answers', state: 'good', detail: facts.join(', ') };
  }
  const detail =
    settings.generator.driver === 'none'
      ? 'quoted from the sources: no model is to write them'
      : 'quoted from the sources: no model server runs on this machine';
  return { name: 'answers', state: 'good', detail };
}

async function cache(project: Project): Promise<Check> {
  const opened = await project.vectorCache();
  if (!opened) return { name: 'cache', state: 'note', detail: 'turned off', remedy: 'Set cache.max_bytes.' };
  const { entries, bytes, hits, misses } = await opened.stats();
  const share = hits + misses === 0 ? '' : ` (${Math.round((100 * hits) / (hits + misses))} %)`;
  const detail = `${entries} vectors, ${(bytes / 2 ** 20).toFixed(0)} MiB in ${project.cacheFolder}, ${hits} hits${share}`;
  return opened.problem
    ? { name: 'cache', state: 'note', detail: opened.problem.message, remedy: opened.problem.remedy }
    : { name: 'cache', state: 'good', detail };
}

async function index(project: Project): Promise<Check> {
  const { empty, counts, failed, refused, setAside } = await project.status();
  const detail = [
    `${counts.documents} documents`,
    `${counts.chunks} chunks`,
    `${counts.chunks - counts.embedded} pending`,
    `${failed.length} failed`,
    ...(refused.total > 0 ? [`${refused.total} refused by the model`] : []),
    ...(setAside.length > 0
      ? [`${setAside.length} set aside, of an earlier version or not made by you`]
      : []),
  ].join(', ');
  if (empty) return { name: 'index', state: 'note', detail: 'empty', remedy: 'Run: quarry index' };
  if (failed.length + refused.total + setAside.length > 0)
    return { name: 'index', state: 'note', detail, remedy: 'Run: quarry status' };
  return { name: 'index', state: 'good', detail };
}

/** Who else writes an index that several machines share; undefined for any other. */
async function sharedStore({ folder, settings, store: open }: Project): Promise<Check | undefined> {
  const { isLocalStore } = await import('../../opening/open-driver.ts');
  if (isLocalStore(settings)) return undefined;
  const { hasStateFolder } = await import('../../state-folder/state-folder.ts');
  if (!hasStateFolder(folder)) return undefined;
  const { countCopies } = await import('../../runs/indexes/shared-index.ts');
  const copies = await countCopies(await open());
  const detail = `${settings.store.driver}, written by ${copies} ${copies === 1 ? 'copy' : 'copies'} of the project`;
  return { name: 'store', state: 'good', detail };
}

/** Calls the MCP server as each agent would that is set up on this machine or in this project. */
async function agents({ folder }: Project, signal: AbortSignal | undefined): Promise<Check[]> {
  const [{ placeOf }, { tryServers }] = await Promise.all([
    import('../../agents/choose.ts'),
    import('../../agents/try-servers.ts'),
  ]);
  const tried = await tryServers(placeOf(folder), signal);
  if (tried.length === 0)
    return [{ name: 'agents', state: 'note', detail: 'none is set up', remedy: 'Run: quarry install' }];
  return tried.map(({ agents: titles, state, detail, remedy = 'Run: quarry install' }) => ({
    name: 'agents',
    state,
    detail: `${titles.join(', ')}: ${detail}`,
    ...(state !== 'good' && { remedy }),
  }));
}

async function attempt<Found extends Check | undefined>(
  name: string,
  look: () => Promise<Found>,
): Promise<Found | Check> {
  try {
    return await look();
  } catch (thrown) {
    const { message, remedy } = asQuarryError(thrown);
    return { name, state: 'bad', detail: message, remedy };
  }
}
