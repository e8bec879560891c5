import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openProject } from '../project/open-project.ts';
import { resolveSettings, variableName } from './config.ts';
import { editSettingsText } from './edit-settings-text.ts';
import { recipeOf } from './recipe.ts';
import { retiredSettings } from './retired-settings.ts';

const values: Readonly<Record<string, unknown>> = {
  'chunking.strategy': 'characters',
  'chunking.characters': 300,
  'search.fusion': 'rank',
  'reranker.protocol': 'tei',
  'store.tenant': 'team',
  'store.database': 'docs',
  'store.mcp_server': 'npx notes',
  'store.mcp_tool': 'find',
  'store.mcp_arguments': { text: '{query}' },
  'store.mcp_result': { list: 'pages' },
};
const sampleOf = (key: string): unknown => values[key] ?? 1;
const names = Object.keys(retiredSettings);

/** Resolves these settings in a folder of their own. */
async function resolve(given: { toml?: string; variables?: Record<string, string>; flags?: object }) {
  const folder = await temporaryFolder();
  if (given.toml !== undefined) await writeFile(join(folder, 'quarry.toml'), given.toml);
  const variables: Record<string, string> = { HOME: folder, ...given.variables };
  return resolveSettings({
    folder,
    environment: (name) => variables[name],
    variableNames: Object.keys(given.variables ?? {}),
    flags: { ...given.flags },
  });
}

describe('a setting of the version before', () => {
  test.each(names)('%s is accepted from the caller, and one sentence says what became of it', async (key) => {
    const { retired } = await resolve({ flags: { [key]: sampleOf(key) } });
    expect(retired).toHaveLength(1);
    expect(retired[0]).toContain(`sets ${key}, which `);
  });

  test.each(names)('%s is accepted from the environment, whose name it may still have', async (key) => {
    const value = sampleOf(key);
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    const { retired, settings } = await resolve({ variables: { [variableName(key)]: text } });
    if (key.startsWith('store.mcp_'))
      expect(settings.store.mcp).toEqual({ [key.slice('store.mcp_'.length)]: value });
    else expect(retired).toEqual([expect.stringContaining(variableName(key))]);
  });

  test('of two variables that are one number now the larger counts, and that of today wins', async () => {
    const old = { QUARRY_EMBEDDER_TIMEOUT_SECONDS: '90', QUARRY_GENERATOR_TIMEOUT_SECONDS: '30' };
    const timeoutOf = async (variables: Record<string, string>) =>
      (await resolve({ variables })).settings.resources.timeout_seconds;
    expect(await timeoutOf(old)).toBe(90);
    expect(await timeoutOf({ ...old, QUARRY_GENERATOR_TIMEOUT_SECONDS: '120' })).toBe(120);
    expect(await timeoutOf({ ...old, QUARRY_RESOURCES_TIMEOUT_SECONDS: '5' })).toBe(5);
  });

  test('gives its value to the one that takes its place, unless that is set too', async () => {
    const toml =
      '[index]\nthreads = 3\n[store]\ntenant = "team"\nmcp_server = "npx notes"\nmcp_tool = "find"\n';
    const { settings, origins, retired } = await resolve({ toml });
    expect(settings.resources.threads).toBe(3);
    expect(settings.store).toMatchObject({
      chroma: { tenant: 'team' },
      mcp: { server: 'npx notes', tool: 'find' },
    });
    expect(origins.get('resources.threads')?.place).toBe('quarry.toml (index.threads)');
    expect(origins.get('store.mcp.tool')).toMatchObject({ layer: 'project' });
    expect(retired[0]).toBe('quarry.toml sets index.threads, which is resources.threads now.');
    const both = await resolve({ toml: `[resources]\nthreads = 2\n${toml}` });
    expect(both.settings.resources.threads).toBe(2);
  });

  test('that cut by characters still does, with the recipe that existing indexes have', async () => {
    const { settings } = await resolve({
      toml: '[chunking]\nstrategy = "characters"\ncharacters = 300\noverlap_characters = 9\n',
    });
    expect(settings.chunking).toEqual({ sizes: 'characters', by_characters: { size: 300, overlap: 9 } });
    expect(recipeOf(settings)).toContain('[14,{"strategy":"characters","min_tokens":40,"target_tokens":128,');
    expect(recipeOf(settings)).toContain('"characters":300,"overlap_characters":9}');
    const structure = await resolve({ toml: '[chunking]\nstrategy = "structure"\n' });
    expect(structure.settings).toEqual((await resolve({})).settings);
    expect(recipeOf(structure.settings)).toContain('[14,{"strategy":"structure","min_tokens":40,');
    expect(structure.retired).toEqual(['quarry.toml sets chunking.strategy, which is chunking.sizes now.']);
  });

  test('that said how long a server of a model may take is one for all of them, which further embedders have too', async () => {
    const toml =
      '[generator]\ntimeout_seconds = 7\n[embedders.near]\ndriver = "openai"\nurl = "http://127.0.0.1:9/v1"\nmodel = "m"\ntimeout_seconds = 5\n';
    const { settings, retired } = await resolve({ toml });
    expect(settings.resources.timeout_seconds).toBe(7);
    expect(settings.embedders.near).toEqual({ driver: 'openai', url: 'http://127.0.0.1:9/v1', model: 'm' });
    expect([...retired].sort()).toEqual([
      'quarry.toml sets embedders.near.timeout_seconds, which no longer counts: resources.timeout_seconds holds for all models.',
      'quarry.toml sets generator.timeout_seconds, which is resources.timeout_seconds now.',
    ]);
  });

  test.each([
    ['[generator]\ntimeout_seconds = 300\n[embedder]\ntimeout_seconds = 5\n'],
    ['[embedder]\ntimeout_seconds = 300\n[generator]\ntimeout_seconds = 5\n'],
  ])('that is one number with another of them counts where it is the larger: %j', async (toml) => {
    expect((await resolve({ toml })).settings.resources.timeout_seconds).toBe(300);
  });

  test('changes nothing where it no longer counts', async () => {
    const { settings } = await resolve({ toml: '[chunking]\nmax_tokens = 500\n[search]\ndiversity = 0.5\n' });
    expect(settings).toEqual((await resolve({})).settings);
  });

  test.each([
    ['a file', { toml: '[reranker]\ndriver = "http"\nprotocol = "jina"\nurl = "http://host"\n' }],
    ['variables', { variables: { QUARRY_RERANKER_DRIVER: 'http', QUARRY_RERANKER_PROTOCOL: 'jina' } }],
    ['the caller', { flags: { 'reranker.driver': 'http', 'reranker.protocol': 'jina' } }],
  ])('that chose a reranking server together with another is one setting: from %s', async (_, given) => {
    const { settings, retired } = await resolve(given);
    expect(settings.reranker.driver).toBe('jina');
    expect(retired).toHaveLength(2);
    expect(retired.join(' ')).toContain('to "http", which is "cohere", "jina" or "tei" now.');
  });

  test('is left out of a table of a further embedder', async () => {
    const toml = '[embedders.near]\ndriver = "local"\nthreads = 2\n';
    const { settings, retired } = await resolve({ toml });
    expect(settings.embedders).toEqual({ near: { driver: 'local' } });
    expect(retired).toEqual([expect.stringContaining('embedders.near.threads')]);
  });

  test('that chose token numbers sends text to the same server, also in a table of a further embedder', async () => {
    const toml = `[embedder]\ndriver = "tokens"\nurl = "http://127.0.0.1:9/v1"\nmodel = "m"\nbinary = true
[embedders.near]\ndriver = "tokens"\nurl = "http://127.0.0.1:8/v1"\nmodel = "m"\nbinary = true\n`;
    const { settings, retired } = await resolve({ toml });
    expect(settings.embedder).toEqual({ driver: 'openai', url: 'http://127.0.0.1:9/v1', model: 'm' });
    expect(settings.embedders.near).toEqual({ driver: 'openai', url: 'http://127.0.0.1:8/v1', model: 'm' });
    expect(retired).toEqual([
      'quarry.toml sets embedder.driver to "tokens", which is "openai", with the same vectors, now.',
      'quarry.toml sets embedder.binary, which no longer counts: servers are sent text.',
      'quarry.toml sets embedders.near.driver to "tokens", which is "openai", with the same vectors, now.',
      'quarry.toml sets embedders.near.binary, which no longer counts: servers are sent text.',
    ]);
    const variables = { QUARRY_EMBEDDER_DRIVER: 'tokens', QUARRY_EMBEDDER_URL: 'http://127.0.0.1:9/v1' };
    expect((await resolve({ variables })).settings.embedder.driver).toBe('openai');
  });

  test('is a warning of every search', async () => {
    const folder = await temporaryFolder({ 'a.md': 'A page about anchors.' });
    const settings = { 'embedder.driver': 'hashing', 'search.fusion': 'rank' };
    const project = await openProject(folder, { settings });
    const { warnings } = await project.search('anchors');
    expect(warnings.filter(({ message }) => message.includes('search.fusion'))).toHaveLength(1);
    await project.close();
  });

  test('gives way in the file when the setting is changed', () => {
    const text = '[store]\n# ours\nmcp_server = "old"\ndriver = "mcp"\n';
    const changed = editSettingsText(text, new Map([['store.mcp.server', 'new']]));
    expect(changed).toContain('# ours');
    expect(changed).not.toContain('mcp_server');
    expect(changed).toMatch(/server = "new"/);
  });
});

test('one entry of a table can be set by its own name', async () => {
  const flags = { 'types.recipe': 'kitchen/**', 'max_age_days.log': '30', 'store.mcp.server': 'npx notes' };
  const { settings } = await resolve({ flags });
  expect(settings.types).toEqual({ recipe: ['kitchen/**'] });
  expect(settings.max_age_days).toEqual({ email: 60, log: 30 });
  expect(settings.store.mcp).toEqual({ server: 'npx notes' });
  await expect(resolve({ flags: { 'store.mcp.colour': 'red' } })).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('store.mcp.colour'),
  });
});
