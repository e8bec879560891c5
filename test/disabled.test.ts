import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { errorToData, type QuarryError } from '../src/core/errors.ts';
import type { QuarryEvent } from '../src/core/events.ts';
import { createEngine } from '../src/engine/engine.ts';
import { grantOfOwner } from '../src/engine/grants.ts';
import { openProject, workingMemory } from '../src/index.ts';
import { loadOperations } from '../src/operations/catalogue.ts';
import { resultOf } from '../src/platform/streams.ts';
import { startTestServer } from '../src/surfaces/http/server.fixture.ts';
import { callTool } from '../src/surfaces/mcp/call-tool.ts';
import { createEngineHost } from '../src/surfaces/mcp/engine-host.ts';
import { listResources } from '../src/surfaces/mcp/resources.ts';
import { searchTool } from '../src/surfaces/mcp/tools/search.ts';
import { tools } from '../src/surfaces/mcp/tools.ts';
import { modulesLoadedBy } from './loaded-modules.ts';
import { callQuarry } from './quarry-call.ts';
import { temporaryFolder } from './temporary-folder.ts';

const useProject = fileURLToPath(new URL('./use-disabled-project.ts', import.meta.url));

test.each(['enabled = false', '[rag]\nenabled = false'])(
  '%j: every call is a no-op and nothing is loaded',
  async (toml) => {
    const folder = await temporaryFolder({ 'quarry.toml': toml, 'a.md': '# A\n\ntext' });
    const modules = await modulesLoadedBy(useProject, folder);
    const loaded = (pattern: RegExp) => modules.filter((url) => pattern.test(url));
    expect(loaded(/\/src\/project\/open-project\.ts$/)).toHaveLength(1);
    const tables = /\/src\/(drivers\/manifest|indexing\/watching\/watch-timing)\.ts$/;
    // Settings and options are checked against two tables of names, which load nothing themselves.
    expect(loaded(/\/src\/(drivers|indexing|retrieval)\//).filter((url) => !tables.test(url))).toEqual([]);
    expect(loaded(/node:sqlite|onnxruntime|tree-sitter/)).toEqual([]);
    expect(existsSync(join(folder, '.quarry'))).toBe(false);
  },
);

test('asking a disabled project for its store says how to enable it', async () => {
  const project = await openProject(await temporaryFolder({ 'quarry.toml': 'enabled = false' }));
  await expect(project.store()).rejects.toMatchObject({
    code: 'project-disabled',
    remedy: 'Set enabled = true in quarry.toml.',
  });
});

const toml = 'enabled = false\n';
const enable = 'Set enabled = true in quarry.toml.';
const said = { code: 'project-disabled', remedy: enable };
const looksEmpty =
  /Nothing (relevant )?found|other words|sync:? *never|\b0 (files|documents)|documents +0|Sound|Added|not say|No added content|Nothing to remove|not indexed yet|relevant enough/;

test('every call of the library says that the project is disabled: as a warning or an event, else by failing', async () => {
  const project = await openProject(await temporaryFolder({ 'quarry.toml': toml, 'a.md': '# A\n\nA text.' }));
  for (const { warnings } of [
    await project.search('text'),
    await project.context('text'),
    await resultOf(project.ask('Which text?')),
    await project.add({ name: 'note', text: 'A note.' }),
  ])
    expect(warnings).toMatchObject([said]);
  const warnings: unknown[] = [];
  expect(await project.inject('prompt', 'text', { onWarning: (each) => warnings.push(each) })).toBe('prompt');
  expect(warnings).toMatchObject([said]);
  for (const events of [project.index(), project.watch()])
    expect(await allOf<QuarryEvent>(events)).toMatchObject([
      { type: 'project-disabled', error: said },
      { type: expect.stringMatching(/^(index|watch)-end$/) },
    ]);
  for (const refused of [
    project.manifest(),
    project.read({ path: 'a.md' }),
    project.remove('virtual:note'),
    project.clean(),
    allOf(project.verify()),
    resultOf(project.repair()),
  ])
    await expect(refused).rejects.toMatchObject(said);
});

test('every call of a working memory says that its project is disabled', async () => {
  const memory = workingMemory(await openProject(await temporaryFolder({ 'quarry.toml': toml })));
  for (const refused of [memory.updateIndex(), memory.indexFile('a.md'), memory.queryMemory('text')])
    await expect(refused).rejects.toMatchObject(said);
  const signal = AbortSignal.timeout(60_000);
  expect((await allOf(memory.follow({ signal })))[0]).toMatchObject({ error: said });
  const warnings: unknown[] = [];
  const onWarning = (warning: unknown) => warnings.push(warning);
  expect(await memory.onArrival({ subject: 'A', body: 'text' }, { onWarning })).toMatchObject({ block: '' });
  expect(warnings).toMatchObject([said]);
});

test('every command says that the project is disabled, and none that nothing is there', async () => {
  const folder = await temporaryFolder({
    'quarry.toml': toml,
    'a.md': '# A\n\nA text.',
    'questions.jsonl': '{"query":"Which text?","relevant":[{"path":"a.md"}]}\n',
  });
  for (const words of [
    'search text',
    'context text',
    'ask text',
    'memory text',
    'read a.md',
    'status',
    'overview',
    'index',
    'manifest',
    'verify',
    'repair',
    'watch',
    'map',
    'add a.md --uri virtual:note',
    'remove note --yes',
    'clean',
    'clean all --yes',
    'eval questions.jsonl',
    'store migrate --to memory',
    // Nothing is sent from it either: no server is asked.
    'push --server http://127.0.0.1:9',
    'doctor',
  ]) {
    const { stdout, stderr } = await callQuarry(folder, words.split(' '));
    expect([words, stdout + stderr]).toEqual([words, expect.stringMatching(/disabled.*enabled = true/is)]);
    expect([words, stdout + stderr]).toEqual([words, expect.not.stringMatching(looksEmpty)]);
  }
  const { stdout } = await callQuarry(folder, ['status', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ enabled: false, disabled: said });
});

test('over HTTP every operation on what is indexed says that the project is disabled, and so does the list of projects', async () => {
  const running = await startTestServer();
  const { id } = await running.client.openFolder(
    await running.folder({ 'quarry.toml': toml, 'a.md': '# A\n\nA text.' }),
  );
  // What concerns settings and kept evaluations is there all the same.
  const other = ['init', 'config show', 'report list', 'report show', 'report compare'];
  const operations = (await loadOperations()).filter(
    ({ name, reach }) => reach === 'project' && !other.includes(name),
  );
  expect(operations.map(({ name }) => name)).toEqual(expect.arrayContaining(['manifest', 'verify', 'watch']));
  for (const { name, examples } of operations) {
    const input = examples[0]?.input ?? {};
    const answer = await running.client
      .call(id, name, input, { confirmed: true })
      .catch((error: QuarryError) => errorToData(error));
    expect([name, JSON.stringify(answer)]).toEqual([
      name,
      expect.stringMatching(/enabled = true|is disabled/),
    ]);
  }
  expect(await running.client.request('GET', `/v1/projects/${id}`)).toMatchObject({ failure: said });
  await running.server.end();
});

test('every tool of MCP says that the project is disabled; its files are no resources, and keep no other from being listed', async () => {
  const folder = await temporaryFolder({ 'quarry.toml': toml, 'a.md': '# A\n\nA text.' });
  const engine = createEngine({
    environment: (name) => (name === 'HOME' ? folder : undefined),
    watch: false,
  });
  const { id } = await engine.register('off', folder);
  const operations = await loadOperations();
  const host = createEngineHost({ engine, operations, grant: grantOfOwner('owner'), log: () => undefined });
  const signal = AbortSignal.timeout(60_000);
  for (const tool of tools.filter(({ isOfProject }) => isOfProject)) {
    const [example] = operations.find(({ name }) => name === tool.operation)?.examples ?? [];
    const fields = Object.entries(example?.input ?? {}).filter(([name]) => name in tool.fields);
    const needed = { references: { what: 'refs' }, project: { action: 'ask', question: 'why?' } }[tool.name];
    const given = { ...needed, ...Object.fromEntries(fields), project: id };
    const { content } = await callTool(tool, given, host, { signal });
    expect([tool.name, JSON.stringify(content)]).toEqual([
      tool.name,
      expect.stringMatching(/enabled = false/),
    ]);
    expect([tool.name, JSON.stringify(content)]).toEqual([tool.name, expect.not.stringMatching(looksEmpty)]);
  }
  await expect(listResources(host, undefined, signal)).rejects.toMatchObject({ code: 'project-disabled' });
  const settings = '[embedder]\ndriver = "hashing"\n';
  await engine.register('on', await temporaryFolder({ 'quarry.toml': settings, 'b.md': 'B.' }));
  const search = { query: 'B', project: 'on' };
  await callTool(searchTool, search, host, { signal });
  expect(await listResources(host, undefined, signal)).toMatchObject({
    resources: expect.arrayContaining([expect.objectContaining({ name: 'b.md' })]),
  });
  await engine.close();
});

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
