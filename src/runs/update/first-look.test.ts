import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { testedLibrary } from '../../../test/quarry-process.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Freshness, Project } from '../../calls/project.ts';
import { catalogue, loadOperation } from '../../operations/catalogue.ts';
import { resultOf } from '../../platform/streams.ts';
import { openProject } from '../../project/open-project.ts';

const settings = { 'embedder.driver': 'hashing', 'generator.driver': 'none' } as const;

/** Many notes about nothing in particular, and those given. */
async function manyFiles(given: Readonly<Record<string, string>> = {}, count = 150): Promise<string> {
  const topics = ['weather', 'gardens', 'bicycles', 'harbours', 'violins'];
  const notes = Array.from({ length: count }, (_, at) => [
    `notes/${at}.md`,
    `# Note ${at}\n\nSome thoughts about ${topics[at % topics.length]}, written on day ${at}.\n`,
  ]);
  return temporaryFolder({ ...Object.fromEntries(notes), ...given });
}

const saffron = '# Kitchen\n\nSaffron is kept in a dark jar beside the vinegar.\n';

async function withProject<Value>(
  folder: string,
  work: (project: Project) => Promise<Value>,
): Promise<Value> {
  const project = await openProject(folder, { settings });
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}

const documentsOf = async (project: Project) => (await project.status({ compare: false })).counts.documents;

test('the first question of a large folder is answered from the files that are likely to hold the answer', async () => {
  const folder = await manyFiles({ 'deep/down/kitchen.md': saffron });
  await withProject(folder, async (project) => {
    const { hits, warnings, firstLook, indexed } = await project.search('where is the saffron kept?');
    expect(hits[0]?.document.uri).toBe('deep/down/kitchen.md');
    expect(hits[0]?.chunk.text).toContain('dark jar');
    expect(firstLook).toMatchObject({ files: 151, lookedAt: 151, isComplete: true });
    expect(indexed).toBeUndefined();
    expect(warnings.map(({ code }) => code)).toContain('index-stale');
    expect(warnings.map(({ message }) => message).join()).toContain('first look');
    expect(await documentsOf(project)).toBeLessThan(60);
  });
});

/** Asks the same question before and after all is indexed, in a process that has loaded no model. */
const askingTwice = `const { openProject } = await import(process.env.LIBRARY);
const project = await openProject('.', { settings: { 'generator.driver': 'none', 'cache.max_bytes': 0 } });
const told = [];
const ask = async () => {
  const { hits, warnings, firstLook } = await project.search('where do we put the saffron spice?');
  const stages = hits[0].trace.map(({ stage }) => stage);
  const { isLoaded } = await project.embedder();
  told.push({ uri: hits[0].document.uri, stages, firstLook, isLoaded, warnings: warnings.map(({ message }) => message) });
};
await ask();
for await (const _ of project.index());
await ask();
console.log(JSON.stringify(told));
await project.close();`;

test('the first answer of a process waits for no model and says so, and the same question later is answered by one', async () => {
  const folder = await manyFiles({ 'kitchen.md': saffron }, 60);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', askingTwice],
    {
      cwd: folder,
      env: { ...process.env, LIBRARY: pathToFileURL(testedLibrary).href },
    },
  );
  const [first, later] = JSON.parse(stdout);
  expect(first).toMatchObject({ uri: 'kitchen.md', isLoaded: false, firstLook: { isRough: true } });
  expect(first.warnings.join()).toContain('without a model');
  expect(first.stages).toContain('document');
  expect(later).toMatchObject({ uri: 'kitchen.md', isLoaded: true, warnings: [] });
  expect(later.firstLook).toBeUndefined();
  expect(later.stages).not.toContain('document');
});

test('a first look leaves the graph of the code to questions about code', async () => {
  const sources = Array.from({ length: 150 }, (_, at) => [
    `src/part-${at}.ts`,
    `export const part${at} = ${at};\n`,
  ]);
  const folder = await temporaryFolder({
    ...Object.fromEntries(sources),
    'src/kitchen.ts': 'export function keepSaffron() {}\nkeepSaffron();\n',
  });
  await withProject(folder, async (project) => {
    const { firstLook } = await project.search('keepSaffron');
    expect(firstLook).toBeDefined();
    expect(existsSync(join(folder, '.quarry/graph'))).toBe(false);
    const { mentions } = await project.graph.callers('keepSaffron');
    expect(mentions.map(({ uri, line }) => `${uri}:${line}`)).toEqual(['src/kitchen.ts:2']);
  });
});

test('a word beyond what is looked at of a long file is found by reading everything, and nothing is denied before', async () => {
  const long = `# Long\n\n${'Ropes are coiled.\n'.repeat(9000)}\nThe xylograph hangs above the door.\n`;
  const folder = await manyFiles({ 'long.md': long });
  await withProject(folder, async (project) => {
    const { hits, firstLook } = await project.search('xylograph');
    expect(firstLook).toBeUndefined();
    expect(hits[0]?.document.uri).toBe('long.md');
  });
});

test('the same question later has all files, and what was read for the first answer is not read again', async () => {
  const folder = await manyFiles({ 'kitchen.md': saffron });
  await withProject(folder, async (project) => {
    const { firstLook } = await project.search('where is the saffron kept?');
    const before = await documentsOf(project);
    expect(before).toBeGreaterThan(0);
    const { hits, indexed, firstLook: later, warnings } = await project.search('where is the saffron kept?');
    expect(hits[0]?.document.uri).toBe('kitchen.md');
    expect(firstLook).toBeDefined();
    expect(later).toBeUndefined();
    expect(warnings).toEqual([]);
    expect(indexed?.documents.indexed).toBe(151 - before);
    expect(await documentsOf(project)).toBe(151);
  });
});

test.each([
  ['who asks for the update waits for all of it', { update: true }],
  ['a literal text is counted in all files', { route: 'exact' }],
] as const)('%s', async (_, options) => {
  await withProject(await manyFiles({ 'kitchen.md': saffron }), async (project) => {
    const { firstLook, indexed } = await project.search('vinegar', options);
    expect(firstLook).toBeUndefined();
    expect(indexed?.documents.indexed).toBe(151);
  });
});

test('a folder of a few files is indexed as a whole', async () => {
  await withProject(await manyFiles({ 'kitchen.md': saffron }, 10), async (project) => {
    const { firstLook, indexed } = await project.search('vinegar');
    expect([firstLook, indexed?.documents.indexed]).toEqual([undefined, 11]);
  });
});

test('a filter holds before the look: only what passes it is looked at and read', async () => {
  const folder = await manyFiles({
    ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`jars/${at}.md`, `${saffron}\n${at}\n`])),
    'archive/old.md': 'The saffron was in the cellar.\n',
    'src/saffron.ts': 'export function saffron() {\n  return 1;\n}\n',
  });
  await withProject(folder, async (project) => {
    const { hits, firstLook } = await project.search('saffron', { filter: { paths: ['archive/**'] } });
    expect(hits.map(({ document }) => document.uri)).toEqual(['archive/old.md']);
    expect(firstLook).toMatchObject({ lookedAt: 1, read: 1 });
  });
  const other = await manyFiles({ 'src/saffron.ts': 'export function saffron() {\n  return 1;\n}\n' });
  await withProject(other, async (project) => {
    const { hits, firstLook } = await project.search('saffron', { filter: { types: ['code'] } });
    expect(hits.map(({ document }) => document.uri)).toEqual(['src/saffron.ts']);
    expect(firstLook?.read).toBe(1);
  });
});

test('what is ignored is not looked at, and secrets are blacked out as ever', async () => {
  const folder = await manyFiles({
    '.gitignore': 'private/\n',
    'private/saffron.md': saffron,
    'jar.md': '# Saffron\n\nThe jar of saffron opens with password = "hunter2-Xk93mVq81LzT"\n',
  });
  await withProject(folder, async (project) => {
    const { hits, firstLook } = await project.search('saffron jar password');
    expect(firstLook).toBeDefined();
    expect(hits.map(({ document }) => document.uri)).not.toContain('private/saffron.md');
    expect(hits[0]?.document.uri).toBe('jar.md');
    expect(JSON.stringify(hits)).not.toContain('hunter2');
  });
});

test.each(['search', 'context', 'ask'])('%s says as data how much was seen', async (name) => {
  const folder = await manyFiles({ 'kitchen.md': saffron });
  await withProject(folder, async (project) => {
    const operation = await loadOperation(catalogue.find((entry) => entry.name === name) as never);
    const question = 'where is the saffron kept?';
    const words = name === 'ask' ? { question } : { query: question };
    const input = operation.input.parse(words);
    const run = () =>
      resultOf(
        operation.run(project, input as never, { vectorsLater: true }) as AsyncGenerator<never, object>,
      );
    // While something else reads the rest, each question has its own look.
    for (const _ of [1, 2]) {
      const result = (await run()) as {
        first_look?: object;
        warnings: { message: string; remedy: string }[];
      };
      expect(result.first_look).toMatchObject({ files: 151, is_complete: true });
      expect(result.warnings.some(({ remedy }) => remedy.includes('ask again in a moment'))).toBe(true);
      expect(operation.leavesWork?.(result as never)).toBe(true);
    }
  });
});

test('while a run of all files is under way, it reads next what a question waits for', async () => {
  const folder = await manyFiles({ 'zz/last.md': saffron }, 700);
  await withProject(folder, async (project) => {
    const run = project.index({ giveWay: AbortSignal.abort() })[Symbol.asyncIterator]();
    const order: string[] = [];
    const step = async (): Promise<boolean> => {
      const { value, done } = await run.next();
      if (value?.type === 'document-indexed') order.push(value.uri);
      return done !== true;
    };
    while (order.length === 0) await step();
    let fresh: Freshness | undefined;
    const asked = resultOf(
      project.freshen({ question: { text: 'where is the saffron kept?', restLater: true } }),
    );
    void asked.then((result) => {
      fresh = result;
    });
    // Slowly, so that the question is there long before the end.
    while (!fresh && (await step())) await setTimeout(5);
    const { hits } = await project.search('where is the saffron kept?', { update: false });
    expect(hits[0]?.document.uri).toBe('zz/last.md');
    expect((await asked).firstLook?.files).toBe(701);
    while (await step());
    expect(order.indexOf('zz/last.md')).toBeLessThan(600);
    expect([order.length, new Set(order).size]).toEqual([701, 701]);
  });
});

test('while a run of all files has read none of them yet, a question waits longer for the first ones', async () => {
  await withProject(await manyFiles({ 'zz/last.md': saffron }, 100), async (project) => {
    const run = project.index({ giveWay: AbortSignal.abort() })[Symbol.asyncIterator]();
    await run.next();
    const asked = resultOf(
      project.freshen({ question: { text: 'where is the saffron kept?', restLater: true } }),
    );
    const isOver = await Promise.race([asked.then(() => true), setTimeout(2500, false)]);
    while (!(await run.next()).done);
    const { firstLook } = await asked;
    // Everything is there by now, or what it waited for.
    expect([isOver, firstLook?.read ?? 1]).toEqual([false, expect.toSatisfy((read: number) => read > 0)]);
  });
});

test('a look that is interrupted leaves a project that answers the next question', async () => {
  const folder = await manyFiles({ 'kitchen.md': saffron });
  await withProject(folder, async (project) => {
    const stop = new AbortController();
    const asked = project.search('saffron', { signal: stop.signal });
    void setTimeout(20).then(() => stop.abort());
    await expect(asked).rejects.toMatchObject({ code: 'interrupted' });
    const { hits } = await project.search('where is the saffron kept?');
    expect(hits[0]?.document.uri).toBe('kitchen.md');
  });
});

test('two processes that ask at once both answer', async () => {
  const folder = await manyFiles({
    'kitchen.md': saffron,
    'garden.md': '# Roses\n\nRoses grow by the gate.\n',
  });
  const found = await Promise.all(
    ['where is the saffron kept?', 'where do roses grow?'].map((question) =>
      withProject(folder, async (project) => (await project.search(question)).hits[0]?.document.uri),
    ),
  );
  expect(found).toEqual(['kitchen.md', 'garden.md']);
});
