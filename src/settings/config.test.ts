import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { QuarryError } from '../core/errors.ts';
import { resolveSettings } from './config.ts';

const folderWith = (toml?: string): Promise<string> =>
  temporaryFolder(toml === undefined ? {} : { 'quarry.toml': toml });

/** Resolves with an empty home, so that the user's own file plays no part. */
async function resolve(
  toml: string | undefined,
  variables: Record<string, string> = {},
  flags: Record<string, unknown> = {},
) {
  const folder = await folderWith(toml);
  const home = variables.HOME ?? folder;
  const environment = (name: string) => ({ ...variables, HOME: home })[name];
  return resolveSettings({
    folder,
    environment,
    variableNames: Object.keys(variables).filter((name) => name.startsWith('QUARRY_')),
    flags,
  });
}

async function failure(promise: Promise<unknown>): Promise<QuarryError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(QuarryError);
  return thrown as QuarryError;
}

test('works with no file at all and says that everything is a default', async () => {
  const { settings, origins } = await resolve(undefined);
  expect(settings.search.top_k).toBe(5);
  expect(settings.embedder.driver).toBe('local');
  expect(new Set([...origins.values()].map((origin) => origin.layer))).toEqual(new Set(['default']));
});

test('lets each layer win over the one before and remembers which did', async () => {
  const home = await folderWith();
  const { mkdir } = await import('node:fs/promises');
  await mkdir(join(home, 'quarry'), { recursive: true });
  await writeFile(
    join(home, 'quarry', 'quarry.toml'),
    '[search]\ntop_k = 2\nthreshold = 0.1\nper_document = 7\n',
  );
  const folder = await folderWith('[search]\ntop_k = 3\nthreshold = 0.2\n');
  const variables: Record<string, string> = {
    XDG_CONFIG_HOME: home,
    APPDATA: home,
    HOME: home,
    QUARRY_SEARCH_TOP_K: '4',
  };
  const environment = (name: string) => variables[name];
  const resolved = await resolveSettings({ folder, environment, flags: { 'search.dense_weight': 0.9 } });
  expect(resolved.settings.search).toMatchObject({ top_k: 4, threshold: 0.2, dense_weight: 0.9 });
  if (process.platform === 'linux') expect(resolved.settings.search.per_document).toBe(7);
  expect(resolved.origins.get('search.top_k')).toEqual({
    layer: 'environment',
    place: 'QUARRY_SEARCH_TOP_K',
  });
  expect(resolved.origins.get('search.threshold')).toEqual({ layer: 'project', place: 'quarry.toml' });
  expect(resolved.origins.get('search.dense_weight')?.layer).toBe('flag');
  expect(resolved.origins.get('store.driver')?.layer).toBe('default');
});

test('takes settings of a caller as a file has them, in tables, or by dotted key', async () => {
  const flags = {
    store: { driver: 'mock' },
    search: { top_k: 3 },
    'search.threshold': 0.2,
    types: { adr: ['adr/**'] },
  };
  const { settings } = await resolveSettings({
    folder: await temporaryFolder(),
    environment: () => undefined,
    flags,
  });
  expect(settings).toMatchObject({
    store: { driver: 'mock' },
    search: { top_k: 3, threshold: 0.2 },
    types: { adr: ['adr/**'] },
  });
});

test('names an unknown key of a caller with its table, and the nearest known one', async () => {
  const flags = { search: { topk: 3 } };
  const sources = { folder: await temporaryFolder(), environment: () => undefined, flags };
  const error = await failure(resolveSettings(sources));
  expect(error.message).toBe('--set or the caller sets search.topk to 3, which is not a setting.');
  expect(error.remedy).toContain('Did you mean search.top_k?');
});

test.each([
  ['index.max_age_days.email', 'max_age_days.email'],
  ['max_age_dys.email', 'max_age_days.email'],
  ['index.top_k', 'search.top_k'],
])('for %s, which is in no such table, names %s', async (key, meant) => {
  const flags = { [key]: '1' };
  const sources = { folder: await temporaryFolder(), environment: () => undefined, flags };
  expect((await failure(resolveSettings(sources))).remedy).toContain(`Did you mean ${meant}?`);
});

test('names the file, the unknown key and the nearest known one', async () => {
  const error = await failure(resolve('[search]\ntopk = 3\n'));
  expect(error.code).toBe('config-invalid');
  expect(error.message).toBe('quarry.toml sets search.topk to 3, which is not a setting.');
  expect(error.remedy).toContain('Did you mean search.top_k?');
});

test('names the file, the key, the value and the range of a bad value', async () => {
  const error = await failure(resolve('[search]\ntop_k = "many"\n'));
  expect(error.message).toBe(
    'search.top_k is "many"; it has to be a whole number from 1 to 1000 (quarry.toml).',
  );
  expect(error.remedy).toBe(
    'Write a whole number from 1 to 1000: how many hits a search gives. It is set in line 2.',
  );
});

test.each([
  ['[search]\ntop_k = 5000\n', 'search.top_k is 5000; the most is 1000'],
  ['[search]\ntop_k = 0\n', 'search.top_k is 0; the least is 1'],
  ['[search]\ntop_k = 2.5\n', 'search.top_k is 2.5; it has to be a whole number from 1 to 1000'],
  ['preset = "codes"\n', 'preset is "codes"; it has to be one of code, knowledge, governance, memory'],
  ['enabled = 3\n', 'enabled is 3; it has to be true or false'],
  ['[index]\nroots = []\n', 'index.roots is []; it must not be empty'],
  ['[max_age_days]\nemail = "x"\n', 'max_age_days.email is "x"; it has to be a number'],
])('says what is wrong with a value in plain words: %j', async (text, message) => {
  expect((await failure(resolve(text))).message).toBe(`${message} (quarry.toml).`);
});

test('names the line of a file that is not TOML', async () => {
  const error = await failure(resolve('search = [\n'));
  expect(error.message).toMatch(/quarry\.toml is not valid TOML in line \d+: /);
});

test('refuses a file whose tables are nested beyond any setting', async () => {
  for (const levels of [20, 100_000]) {
    const error = await failure(resolve(`${'a.'.repeat(levels)}a = 1\n`));
    expect([error.code, error.message]).toEqual(['config-invalid', expect.stringContaining('quarry.toml')]);
  }
});

test('refuses an unknown variable of its own and a bad value in a known one', async () => {
  expect((await failure(resolve(undefined, { QUARRY_SERACH_TOP_K: '3' }))).remedy).toContain(
    'QUARRY_SEARCH_TOP_K',
  );
  const error = await failure(resolve(undefined, { QUARRY_ENABLED: 'perhaps' }));
  expect(error.message).toContain('enabled is "perhaps"');
});

test('reads lists, numbers and truth values from variables', async () => {
  const { settings } = await resolve(undefined, {
    QUARRY_INDEX_EXCLUDE: 'a/**, *.tmp',
    QUARRY_ENABLED: 'no',
    QUARRY_SEARCH_THRESHOLD: '0.25',
    QUARRY_TYPES: '{"adr": ["docs/adr/**"]}',
  });
  expect(settings.index.exclude).toEqual(['a/**', '*.tmp']);
  expect(settings.enabled).toBe(false);
  expect(settings.search.threshold).toBe(0.25);
  expect(settings.types).toEqual({ adr: ['docs/adr/**'] });
});

test('accepts the names of existing [rag] tables and variables', async () => {
  const toml = `
[rag]
enabled = true
embedding_provider = "local"
chunk_size = 500
chunk_overlap = 50
auto_index_on_load = false
auto_sync_interval_seconds = 30
top_k = 7
[rag.vector_store]
provider = "chroma"
collection_name = "manual_slop"
url = ""
api_key = ""
mcp_server = ""
mcp_tool = "rag_search"
`;
  const { settings, origins } = await resolve(toml, {
    AGENTOS_RAG_THRESHOLD: '0.7',
    AGENTOS_RAG_MODEL: 'all-MiniLM-L6-v2',
  });
  expect(settings.chunking).toMatchObject({
    sizes: 'characters',
    by_characters: { size: 500, overlap: 50 },
  });
  expect(settings.index.on_search).toBe(false);
  expect(settings.watch.interval_seconds).toBe(30);
  expect(settings.search).toMatchObject({ top_k: 7, threshold: 0.7 });
  expect(settings.store).toMatchObject({
    driver: 'sqlite',
    collection: 'manual_slop',
    mcp: { tool: 'rag_search' },
  });
  expect(settings.store.mcp.server).toBeUndefined();
  expect(origins.get('search.top_k')?.place).toBe('quarry.toml (rag.top_k)');
});

test('takes an existing "chroma" with an address for the server there, wherever the address is written', async () => {
  const toml = '[rag.vector_store]\nprovider = "chroma"\ncollection_name = "notes"\n';
  const address = 'http://chroma.example.com:8000';
  const server = { driver: 'chroma', url: address, collection: 'notes' };
  expect((await resolve(`${toml}url = "${address}"\n`)).settings.store).toMatchObject(server);
  expect((await resolve(toml, { QUARRY_STORE_URL: address })).settings.store).toMatchObject(server);
  expect((await resolve(toml)).settings.store.driver).toBe('sqlite');
  expect((await resolve('[store]\ndriver = "chroma"\n')).settings.store.driver).toBe('chroma');
});

test('names the entry that a table does not have', async () => {
  const { message } = await failure(resolve('[chunking]\nby_characters = { siez = 3 }\n'));
  expect(message).toBe('chunking.by_characters is {"siez":3}; it has no entry "siez" (quarry.toml).');
});

test('refuses sizes that contradict each other and names the place', async () => {
  const error = await failure(resolve('[chunking]\nby_characters = { overlap = 1000 }\n'));
  expect(error.message).toContain(
    'quarry.toml: chunking.by_characters.overlap must be smaller than its size (1000)',
  );
});

test('a preset gives starting values above the defaults, and every layer wins over it', async () => {
  const { settings, origins } = await resolve('preset = "governance"\n[search]\ntop_k = 4\n');
  expect(settings.search).toMatchObject({ top_k: 4, threshold: 0.3 });
  expect(settings.types.adr).toContain('**/adrs/**');
  expect(origins.get('search.threshold')).toEqual({ layer: 'preset', place: 'preset governance' });
  expect(origins.get('search.top_k')?.layer).toBe('project');
  expect(
    (await resolve('preset = "governance"', { QUARRY_PRESET: 'knowledge' })).settings.search.threshold,
  ).toBe(0.3);
  expect((await failure(resolve('preset = "mail"'))).message).toContain(
    'preset is "mail"; it has to be one of code',
  );
});

test('every preset is made of valid settings', async () => {
  for (const preset of ['code', 'knowledge', 'governance', 'memory']) {
    expect((await resolve(`preset = "${preset}"`)).settings.preset).toBe(preset);
  }
});

test.each([
  ['[embedder]\nmodel = "./weights"\n', 'may only name models'],
  ['[embedders.x]\nmodel = "../weights"\n', 'may only name models'],
  ['[cache]\nmax_bytes = 1\n', 'about all projects'],
  ['[store]\ndriver = "lancedb"\nurl = "/etc/index"\n', 'may only name a folder inside it'],
  ['[store]\ndriver = "lancedb"\nurl = "a/../../index"\n', 'may only name a folder inside it'],
])('a project file that says %j is refused', async (toml, message) => {
  const folder = await temporaryFolder({ 'quarry.toml': toml });
  const { openProject } = await import('../project/open-project.ts');
  const environment = (name: string) =>
    ({ HOME: folder, QUARRY_EMBEDDERS: '{"mine":{"driver":"hashing"}}' })[name];
  await expect(openProject(folder, { environment })).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining(message),
  });
});

test.each(['a', '://', 'a://', '?', '://a?'])(
  'a setting of a megabyte of %j is shown in time linear in its length',
  async (part) => {
    const { settingToText } = await import('../core/settings/setting-text.ts');
    expect(settingToText(part.repeat(1_000_000 / part.length)).length).toBeGreaterThan(10);
  },
  60_000,
);

test('addresses are shown without what people hide in them', async () => {
  const { settingToText } = await import('../core/settings/setting-text.ts');
  expect(settingToText('https://bob:secret@host/v1?key=secret')).toBe('"https://(hidden)@host/v1?(hidden)"');
  expect(settingToText('postgres://bob:secret@host/db')).toBe('"postgres://(hidden)@host/db"');
  expect(settingToText({ a: { url: 'http://host/v1' } })).toBe('{"a":{"url":"http://host/v1"}}');
  expect(settingToText('http://a:b@h,http://c:d@i?k x')).toBe(
    '"http://(hidden)@h,http://(hidden)@i?(hidden) x"',
  );
});

test.each([
  [
    '[chunkers]\nsemantic = ["*.md"]',
    'quarry.toml sets chunkers.semantic, but there is no chunker named "semantic".',
    'prose',
  ],
  ['[chunkers]\ntoString = ["*.md"]', 'quarry.toml sets chunkers.toString, but there is no chunker', 'prose'],
  ['[embedder]\ndriver = "word2vec"', 'quarry.toml sets embedder.driver, but there is no embedder', 'local'],
  [
    '[embedder]\nfallback = "near"\n[embedders.far]\ndriver = "tei"',
    'sets embedder.fallback, but there is no',
    'far',
  ],
  [
    '[embedders.second]\ndriver = "constructor"',
    'sets embedders.second, but there is no embedder named "con',
    'tei',
  ],
  ['[reranker]\ndriver = "judge"', 'sets reranker.driver, but there is no reranker named "judge".', 'maxsim'],
  [
    '[rag.vector_store]\nprovider = "constructor"',
    'quarry.toml (rag.vector_store.provider) sets store',
    'sqlite',
  ],
])('refuses a name that stands for no part of the program: %s', async (toml, message, known) => {
  const error = await failure(resolve(toml));
  expect(error.code).toBe('config-invalid');
  expect(error.message).toContain(message);
  expect(error.remedy).toContain(known);
});

test('takes names that every object has for names like others', async () => {
  const toml = '[types]\ntoString = ["*.md"]\nconstructor = ["*.txt"]\n[max_age_days]\nvalueOf = 3\n';
  const { settings } = await resolve(toml);
  expect(Object.keys(settings.types)).toEqual(['toString', 'constructor']);
  expect(settings.max_age_days).toEqual({ email: 60, valueOf: 3 });
  for (const key of ['toString', '__proto__', 'constructor'])
    expect((await failure(resolve(`${key} = 1\n`))).message).toBe(
      `quarry.toml sets ${key} to 1, which is not a setting.`,
    );
});

test.each(['types', 'chunkers', 'max_age_days', 'embedders'])('refuses __proto__ in %s', async (table) => {
  const value = { max_age_days: '3', embedders: '{ driver = "local" }' }[table] ?? '["*.md"]';
  const error = await failure(resolve(`[${table}]\n__proto__ = ${value}\n`));
  expect(error.code).toBe('config-invalid');
  expect(error.message).toMatch(new RegExp(`^${table}.*\\(quarry\\.toml\\)\\.$`, 's'));
  expect(error.message).toContain('"__proto__"');
});

test.each(['abc', 'NaN', 'Infinity', '1e999', 'null'])(
  'shows a bad number as it was written: %s',
  async (text) => {
    const error = await failure(resolve(undefined, { QUARRY_SEARCH_TOP_K: text }));
    expect(error.message).toMatch(new RegExp(`^search\\.top_k is "${text}"; .*\\(QUARRY_SEARCH_TOP_K\\)`));
    for (const written of ['nan', 'inf'])
      expect((await failure(resolve(`[search]\ntop_k = ${written}\n`))).message).toMatch(
        /^search\.top_k is (NaN|Infinity); it has to be/,
      );
  },
);

test.each([
  [
    '[index]\ninclude = ["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"]',
    'index.include',
    'more than 200 patterns',
  ],
  ['[types]\nlog = ["{1..100000000}.log"]', 'types', 'more than 200 patterns'],
  ['[origins]\nnotes = ["+(a|+(b|+(c)))"]', 'origins', 'holds +('],
  [`[chunkers]\nprose = ["${'x'.repeat(5000)}"]`, 'chunkers', 'longer than 1000 characters'],
  [
    `[index]\ninclude = [${'"{1..100}/*",'.repeat(200)}]`,
    'index.include',
    '200 globs stand for 20000 patterns',
  ],
])('refuses globs that would hold a run ($1)', async (toml, key, message) => {
  const error = await failure(resolve(toml));
  expect(error.code).toBe('config-invalid');
  expect(error.message.startsWith(key) && error.message.endsWith('(quarry.toml).')).toBe(true);
  expect(error.message).toContain(message);
  expect(error.message.length).toBeLessThan(700);
  expect(error.remedy).not.toBe('');
});

test('a long value in an error is cut between characters', async () => {
  const { message } = await failure(resolve(`[search]\ntop_k = "${'a'.repeat(297)}${'😀'.repeat(9)}"\n`));
  expect(message.isWellFormed()).toBe(true);
  expect(message).toContain('…');
});

test.each([
  ['no setting has', (name: string) => `${name}.b = 1\n`],
  ['an entry of a table has', (name: string) => `[max_age_days]\n${name} = "x"\n`],
])(
  'a name of half a megabyte that %s is shown by its beginning, and compared with none',
  async (_, written) => {
    const error = await failure(resolve(written('a'.repeat(500_000))));
    expect(error.code).toBe('config-invalid');
    expect(error.message.length).toBeLessThan(500);
    expect(error.remedy.length).toBeLessThan(1000);
  },
);
