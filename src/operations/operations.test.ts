import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { eventSchema, eventToData, type QuarryEvent } from '../core/events.ts';
import { openProject } from '../project/open-project.ts';
import { loadOperations } from './catalogue.ts';
import { searchOperation } from './find/search.ts';
import { indexOperation } from './index/index-project.ts';
import { statusOperation } from './index/status.ts';
import type { OperationBody } from './operation.ts';
import { configOperation } from './setup/config.ts';
import { doctorOperation } from './setup/doctor.ts';

const operations = await loadOperations();
let project: Project;
beforeAll(async () => {
  const folder = await temporaryFolder({
    'docs/tea.md': '# Tea\n\nGreen tea is brewed at eighty degrees.',
    'src/brew.py': 'def brew_tea(water):\n    """Pours the water."""\n    return water\n',
    'x.bin': new Uint8Array([0, 1]),
  });
  project = await openProject(folder, {
    settings: {
      'embedder.driver': 'hashing',
      'store.api_key': 'hush',
      'store.mcp.server': 'npx notes --token hush',
    },
  });
});
afterAll(() => project.close());

/** Runs an operation as a surface does: input checked by its schema, output held to its schema. */
async function run<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: OperationBody<Input, Output>,
  input: z.input<Input>,
): Promise<{ result: z.output<Output>; events: QuarryEvent[] }> {
  const events: QuarryEvent[] = [];
  const work = operation.run(project, operation.input.parse(input) as z.output<Input>, {});
  let step = await work.next();
  for (; !step.done; step = await work.next()) events.push(step.value);
  // What is emitted is what was declared, and survives as data.
  for (const event of events) expect(eventSchema.parse(eventToData(event))).toEqual(event);
  const declared = await operation.events?.();
  for (const event of events) expect(declared?.safeParse(eventToData(event)).success).toBe(true);
  return { result: operation.output.parse(step.value), events };
}

test('every operation has a summary, examples, and described inputs', () => {
  for (const { summary, examples, input } of operations) {
    expect(summary).toMatch(/^[A-Z].*\.$/);
    expect(examples.length).toBeGreaterThan(0);
    for (const field of Object.values(input.shape)) expect((field as z.ZodType).description).toMatch(/\.$/);
  }
});

describe('search', () => {
  test('brings the index up to date first, and says what that did', async () => {
    const { result, events } = await run(searchOperation, { query: 'green tea' });
    expect(events.at(-1)?.type).toBe('index-end');
    expect(result.indexed?.documents.indexed).toBe(2);
    expect(result.hits[0]).toMatchObject({ path: 'docs/tea.md', lines: [1, 3], section: 'Tea', type: 'doc' });
    expect(result.pending).toBe(0);
  });

  test('narrows by type, language, kind, path and date', async () => {
    const base = { query: 'tea', update: false };
    const paths = async (input: object) =>
      (await run(searchOperation, { ...base, ...input })).result.hits.map(({ path }) => path);
    expect(await paths({ type: ['code'] })).toEqual(['src/brew.py']);
    expect(await paths({ language: ['python'], kind: ['function'] })).toEqual(['src/brew.py']);
    const { hits } = (await run(searchOperation, { ...base, code: true })).result;
    // What is narrowed down by is said of the hit.
    expect(hits.map(({ language }) => language)).toEqual(['python']);
    expect(await paths({ path: ['docs/**'] })).toEqual(['docs/tea.md']);
    expect(await paths({ since: '2999-01-01' })).toEqual([]);
    expect(await paths({ since: '2026-01-31T12:00:00+01:00', until: '2020-02-29' })).toEqual([]);
    expect(await paths({ until: '1999-01-01' })).toEqual([]);
  });

  test.each(['yesterday 1', '2026-02-30', '2026-13-01', '01/02/2026', '20260131', ''])(
    'takes no %j for a date',
    async (since) => {
      const asked = run(searchOperation, { query: 'tea', update: false, since });
      await expect(asked).rejects.toMatchObject({ code: 'usage-invalid' });
    },
  );

  test('refuses an empty question before it does any work', async () => {
    await expect(run(searchOperation, { query: ' ' })).rejects.toMatchObject({ code: 'usage-invalid' });
  });
});

test('index returns the summary with what failed and what was degraded', async () => {
  const { result, events } = await run(indexOperation, { full: true });
  expect(result).toMatchObject({
    failed: [],
    degraded: [],
    warnings: [],
    summary: { documents: { indexed: 2 } },
  });
  expect(indexOperation.exitCode?.(result)).toBe(0);
  const warning = { code: 'requirement-missing', message: 'm', remedy: 'r' };
  expect(indexOperation.exitCode?.({ ...result, warnings: [warning] })).toBe(4);
  expect(events.some((event) => event.type === 'document-indexed')).toBe(true);
});

test('status lists skipped paths only when asked', async () => {
  const { result } = await run(statusOperation, {});
  expect(result).toMatchObject({ documents: 2, types: { doc: 1, code: 1 }, failed: [] });
  expect(result.skipped).toBeUndefined();
  const listed = (await run(statusOperation, { skipped: true })).result;
  expect(listed.skipped).toContainEqual(expect.objectContaining({ path: 'x.bin', reason: 'binary' }));
});

test('config shows every setting once, with its own type, and hides keys and what a command is given', async () => {
  const { result } = await run(configOperation, {});
  const byKey = new Map(result.settings.map((setting) => [setting.key, setting]));
  expect(byKey.size).toBe(result.settings.length);
  expect(byKey.get('embedder.driver')).toMatchObject({ value: 'hashing', layer: 'flag' });
  expect(byKey.get('store.api_key')?.value).toBe('(hidden)');
  expect(byKey.get('store.mcp')?.value).toEqual({ server: 'npx notes --token (hidden)' });
  expect(byKey.get('search.top_k')).toMatchObject({ value: 5, layer: 'default' });
  expect(byKey.get('index.roots')?.value).toEqual(['.']);
  expect(byKey.get('index.gitignore')?.value).toBe(true);
  expect(byKey.get('search.dense_weight')).not.toHaveProperty('value');
});

test('doctor finds a healthy project healthy, and a broken one not', async () => {
  const { result } = await run(doctorOperation, {});
  expect(result.checks.map(({ name }) => name)).toEqual([
    'runtime',
    'project',
    'model',
    'answers',
    'cache',
    'index',
    'agents',
  ]);
  expect(result.checks[3]?.detail).toContain('quoted from the sources');
  expect(result.healthy).toBe(true);
  expect(doctorOperation.exitCode?.(result)).toBe(0);
  const broken = await openProject(project.folder, { settings: { 'embedder.model': 'nothing' } });
  const work = doctorOperation.run(broken, {}, {});
  const { value } = await work.next();
  expect(value).toMatchObject({ healthy: false });
  await broken.close();
});
