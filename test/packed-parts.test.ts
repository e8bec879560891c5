import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { msgOf } from '../src/drivers/extractors/msg/compound-file.fixture.ts';
import {
  epubOf,
  openDocumentOf,
  pptxOf,
  sampleCalendar,
  sampleContacts,
  shapeOf,
  textCell,
  xlsxOf,
} from '../src/drivers/extractors/office/office-files.fixture.ts';
import {
  docxOf,
  pdfOf,
  sampleMessage,
  sampleNotebook,
  samplePage,
  wordParagraph,
} from '../src/drivers/extractors/samples.fixture.ts';
import {
  embedders,
  generators,
  rerankers,
  searchers,
  stores,
  vectorEngines,
} from '../src/drivers/manifest.ts';
import { tinyCrossEncoder } from '../src/drivers/rerankers/cross-encoder/tiny-cross-encoder.fixture.ts';
import { noServer as noPostgres, sharedPostgres } from '../src/drivers/stores/postgres/server.fixture.ts';
import { noServer as noChroma, sharedChroma } from '../src/drivers/vector-engines/chroma/server.fixture.ts';
import { startTestServer } from '../src/surfaces/http/server.fixture.ts';
import { leanWasm } from './lean-wasm.ts';
import { type PackedInstall, packedInstallWithOptional, plainEnvironment } from './packed-install.ts';
import { sample } from './samples.ts';
import { startChatServer } from './servers/chat/chat-server.ts';
import { startGeminiServer } from './servers/embedding/gemini-server.ts';
import { startOpenAiServer } from './servers/embedding/openai-server.ts';
import { startTeiServer } from './servers/embedding/tei-server.ts';
import { startRerankServer } from './servers/rerank/rerank-server.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';
import type { Part } from './use-parts.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64');
const hashing = { 'embedder.driver': 'hashing' };

let packed: PackedInstall;
let server: Awaited<ReturnType<typeof startTestServer>>;
/** A project that the server has. */
let other: string;
let outcomes: Record<string, string>;
const ending: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(ending.map((end) => end())));

/** What a driver needs to be used, by the name of its part; undefined where the machine does not have it. */
async function settingsOf(): Promise<Record<string, Part['settings'] | undefined>> {
  const openai = await startOpenAiServer();
  const tei = await startTeiServer();
  const gemini = await startGeminiServer();
  const reranking = {
    cohere: await startRerankServer({ protocol: 'cohere' }),
    jina: await startRerankServer({ protocol: 'jina' }),
    tei: await startRerankServer({ protocol: 'tei' }),
  };
  server = await startTestServer();
  const elsewhere = await server.folder({ 'tea.md': '# Tea\n\nBlack tea is brewed at a hundred degrees.\n' });
  ({ id: other } = await server.client.openFolder(elsewhere));
  await server.client.call(other, 'index', {});
  const write = () => ['Green tea is brewed at eighty degrees [1].'];
  const chats = {
    openai: await startChatServer({ protocol: 'openai', write }),
    anthropic: await startChatServer({ protocol: 'anthropic', write }),
    gemini: await startChatServer({ protocol: 'gemini', write }),
  };
  const chroma = noChroma ? undefined : await sharedChroma();
  const postgres = noPostgres ? undefined : await sharedPostgres();
  for (const each of [openai, tei, gemini, ...Object.values(reranking), ...Object.values(chats)])
    ending.push(() => each.close());
  ending.push(() => server.server.end());

  const log = join(await temporaryFolder(), 'started.log');
  const generator = (driver: keyof typeof chats) => ({
    ...hashing,
    'generator.driver': driver,
    'generator.url': chats[driver].url,
    'generator.model': 'test-model',
  });
  const reranker = (driver: keyof typeof reranking) => ({
    ...hashing,
    'reranker.driver': driver,
    'reranker.url': reranking[driver].url,
    'reranker.model': 'test-reranker',
    'reranker.budget_ms': 10_000,
  });
  const embedder = (driver: string, url: string, model?: string) => ({
    'embedder.driver': driver,
    'embedder.url': url,
    ...(model && { 'embedder.model': model }),
  });
  const store = (driver: string, more: object = {}) => ({ ...hashing, 'store.driver': driver, ...more });
  return {
    'embedder local': { 'embedder.driver': 'local' },
    'embedder static': { 'embedder.driver': 'static' },
    'embedder hashing': hashing,
    'embedder openai': embedder('openai', openai.url, 'test-embedding'),
    'embedder tei': embedder('tei', tei.url),
    'embedder gemini': embedder('gemini', gemini.url, 'gemini-embedding-001'),
    'reranker maxsim': { 'reranker.driver': 'maxsim', 'reranker.budget_ms': 10_000 },
    'reranker cross-encoder': {
      ...hashing,
      'reranker.driver': 'cross-encoder',
      'reranker.model': await tinyCrossEncoder(),
      'reranker.budget_ms': 10_000,
    },
    'reranker cohere': reranker('cohere'),
    'reranker jina': reranker('jina'),
    'reranker tei': reranker('tei'),
    'generator openai': generator('openai'),
    'generator anthropic': generator('anthropic'),
    'generator gemini': generator('gemini'),
    'generator gguf': { ...hashing, 'generator.driver': 'gguf', 'generator.model': '/model.gguf' },
    'store sqlite': store('sqlite'),
    'store mock': store('mock'),
    'store memory': store('memory'),
    'store lancedb': store('lancedb'),
    'store remote': store('remote', { 'store.url': server.url, 'store.collection': 'packed-parts' }),
    'store chroma':
      chroma && store('chroma', { 'store.url': chroma.url, 'store.collection': 'packed-parts' }),
    'store postgres':
      postgres &&
      store('postgres', {
        'store.url': postgres.url,
        'store.collection': 'packed-parts',
        'store.api_key': postgres.password,
      }),
    'searcher mcp by address': store('mcp', {
      'store.mcp.server': `${server.url}/mcp`,
      'store.mcp.arguments': { query: '{query}', project: other },
    }),
    'searcher mcp': store('mcp', {
      'store.mcp.server': `"${process.execPath}" "${here('./outside-server.ts')}" "${log}"`,
    }),
  };
}

/** A file of every format, and one of every language that is cut by its syntax. */
function filesOfEveryFormat(): Record<string, string | Uint8Array> {
  const samples = here('../src/drivers/chunkers/code/fixtures/');
  const code = readdirSync(samples).map((name) => [
    `code/${name.replace(/\.txt$/, '')}`,
    readFileSync(join(samples, name), 'utf8'),
  ]);
  const today = new Date().toUTCString();
  const message = sampleMessage.replace(/^Date: .*$/m, `Date: ${today}`);
  return {
    ...Object.fromEntries(code),
    'plain.txt': 'Green tea is brewed at eighty degrees.\n',
    'old.txt': Buffer.from(
      'Grüner Tee wird bei achtzig Grad gebrüht, schwarzer Tee kochend heiß.\n',
      'latin1',
    ),
    'report.pdf': pdfOf([['Green tea is brewed at eighty degrees.']]),
    'letter.docx': docxOf(wordParagraph('Green tea is brewed at eighty degrees.')),
    'teas.xlsx': xlsxOf([
      { name: 'Teas', rows: `<row r="1">${textCell('A1', 'Green tea: eighty degrees')}</row>` },
    ]),
    'teas.ods': openDocumentOf(
      '<table:table table:name="Teas"><table:table-row><table:table-cell><text:p>Green tea</text:p></table:table-cell></table:table-row></table:table>',
    ),
    'teas.pptx': pptxOf([{ shapes: shapeOf('Green tea is brewed at eighty degrees.') }]),
    'teas.odp': openDocumentOf('<draw:page><text:p>Green tea</text:p></draw:page>'),
    'teas.odt': openDocumentOf(
      '<office:text><text:p>Green tea is brewed at eighty degrees.</text:p></office:text>',
    ),
    'teas.epub': epubOf([{ html: '<p>Green tea is brewed at eighty degrees.</p>' }]),
    'teas.rtf': '{\\rtf1\\ansi Green tea is brewed at eighty degrees.\\par}',
    'mail/two.msg': msgOf({}, new Date()),
    'team.ics': sampleCalendar,
    'people.vcf': sampleContacts,
    'mail/one.eml': message,
    'mail/box.mbox': `From bo@example.org ${today}\n${message.replaceAll('\r', '')}\n`,
    'page.html': samplePage,
    'churn.ipynb': sampleNotebook,
    'data.json': '{ "tea": { "green": { "degrees": 80 } } }',
    'data.yaml': 'tea:\n  green:\n    degrees: 80\n',
    'data.toml': '[tea.green]\ndegrees = 80\n',
    'rows.csv': 'tea,degrees\ngreen,80\nblack,100\n',
    'brew.log': '2026-03-01 10:00:00 INFO green tea brewed at 80 degrees\n',
  };
}

/** In place of the package that runs GGUF models, which is large: our driver is what is used here. */
const llama = `export const getLlama = async () => ({
  loadModel: async () => ({ createContext: async () => ({ getSequence: () => ({ clearHistory: async () => {} }) }) }),
  dispose: async () => {},
});
export class LlamaChatSession {
  setChatHistory() {}
  async prompt(text, { onTextChunk }) { onTextChunk('Green tea is brewed at eighty degrees [1].'); }
  dispose() {}
}`;

const adapters = ['quarry/ai-sdk', 'quarry/langchain', 'quarry/langgraph', 'quarry/llamaindex', 'RAGEngine'];
let settings: Awaited<ReturnType<typeof settingsOf>>;
let modules: string[];
let noise: string;
beforeAll(async () => {
  packed = await packedInstallWithOptional();
  settings = await settingsOf();
  await writeFiles(join(packed.package, '..', 'node-llama-cpp'), {
    'package.json': '{ "name": "node-llama-cpp", "type": "module", "exports": "./index.js" }',
    'index.js': llama,
  });
  const files = Object.entries(filesOfEveryFormat()).map(([path, content]) => [path, base64(content)]);
  const ofDrivers = Object.entries(settings).flatMap(([name, given]) =>
    given ? [{ name, settings: given }] : [],
  );
  const formats = { name: 'formats', settings: hashing, files: Object.fromEntries(files) };
  const parts: Part[] = [...ofDrivers, formats];
  modules = ['chunks', 'testing', 'client'].flatMap((folder) =>
    readdirSync(join(packed.package, 'dist', folder))
      .filter((name) => name.endsWith('.js'))
      .map((name) => pathToFileURL(join(packed.package, 'dist', folder, name)).href),
  );
  const folder = await packed.project({
    'use-parts.ts': await readFile(here('./use-parts.ts')),
    'parts.json': JSON.stringify({ parts, modules }),
  });
  const words = [...leanWasm, 'use-parts.ts', 'parts.json'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, {
    cwd: folder,
    env: {
      ...plainEnvironment,
      HOME: folder,
      QUARRY_EMBEDDER_API_KEY: 'key',
      QUARRY_GENERATOR_API_KEY: 'key',
    },
  });
  outcomes = JSON.parse(stdout);
  noise = stderr;
});

describe('what is shipped opens, is used once, and the program ends though it closes nothing:', () => {
  test.each([
    ['embedder', embedders],
    ['reranker', rerankers],
    ['generator', generators],
    ['store', { ...stores, ...vectorEngines }],
    ['searcher', searchers],
  ])('every %s', (kind, drivers) => {
    const names = Object.keys(drivers).map((name) => `${kind} ${name}`);
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(names));
    const used = Object.keys(settings).filter((name) => name.startsWith(kind) && settings[name]);
    expect(Object.fromEntries(used.map((name) => [name, outcomes[name]]))).toEqual(
      Object.fromEntries(used.map((name) => [name, 'used'])),
    );
  });

  test('every format of file, and every language', () => {
    expect(outcomes.formats).toBe('used');
  });

  test.each(adapters)('%s', (name) => {
    expect(outcomes[name]).toBe('used');
  });

  test('every file of the program can be loaded, and none prints anything', () => {
    expect(modules.filter((name) => outcomes[name] !== 'used')).toEqual([]);
    expect(modules.length).toBeGreaterThan(50);
    expect(noise).toBe('');
  });

  test('every thread starts, those that no part above has used among them', async () => {
    const folder = join(packed.package, 'dist', 'threads');
    const threads = readdirSync(folder).filter((name) => name.endsWith('-thread.js'));
    expect(threads).toHaveLength(globSync('src/**/*-thread.ts', { cwd: here('..') }).length);
    const used = /^(encoder|reading|request|scoring)-/;
    for (const name of threads.filter((each) => !used.test(each))) {
      const worker = new Worker(join(folder, name), { workerData: {} });
      expect([name, await once(worker, 'message')]).toEqual([name, [{ type: 'ready' }]]);
      await worker.terminate();
    }
  });

  test('nothing asks for a module in a way that is not there', () => {
    const files = globSync('**/*.{js,mjs}', { cwd: join(packed.package, 'dist') });
    const asking = files.filter((file) =>
      readFileSync(join(packed.package, 'dist', file), 'utf8').includes('Dynamic require of'),
    );
    expect(asking).toEqual([]);
  });
});

/** The blocks of a page that use the package. */
async function blocksOf(page: string): Promise<string[]> {
  const text = await readFile(here(`../${page}`), 'utf8');
  const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
  return blocks.filter((block) => /from 'quarry(\/(client|langchain|llamaindex))?'/.test(block));
}

const opened = "import { openProject } from 'quarry';\nconst project = await openProject('.');\n";

describe('a program that closes nothing ends when its work is done:', () => {
  const files = {
    'src/lock.ts': 'export function takeLock(): void {}\n',
    'explorations/otters.md': '# Otters\n\nOtters hold hands.\n',
    'state.json': '{ "mood": "good" }',
  };
  const run = async (program: string, more: Readonly<Record<string, string>> = {}) => {
    const folder = await packed.project({ ...files, 'program.ts': program });
    const env = { ...plainEnvironment, HOME: folder, QUARRY_GENERATOR_DRIVER: 'none', ...more };
    // The bound only ends what hangs.
    return promisify(execFile)(process.execPath, ['program.ts'], { cwd: folder, env, timeout: 240_000 });
  };

  const pages = [
    ['README.md', ''],
    ['docs/guide/frameworks.md', ''],
    ['docs/guide/working-memory.md', "const basePrompt = ''; const letter = 'The boiler is broken.';\n"],
    ['docs/guide/answers.md', ''],
    ['docs/guide/server.md', ''],
  ] as const;
  test.each([...pages.slice(0, 1), ...sample(4, pages.slice(1))])('as %s shows it', async (page, before) => {
    const blocks = await blocksOf(page);
    expect(blocks.length).toBeGreaterThan(0);
    // The model, whose threads idle too, is there as the README shows it, and in the test below.
    const more = page === 'README.md' ? {} : { QUARRY_EMBEDDER_DRIVER: 'hashing' };
    for (const block of blocks) {
      const isGiven = /\bproject\b/.test(block) && !block.includes('openProject');
      const written = block
        .replace(/await project\.close\(\);\n/, '')
        .replaceAll(/'(path\/to\/(folder|project)|\/home\/wren)'/g, "'.'")
        .replace('http://localhost:8001', server.url)
        .replace("'docs'", `'${other}'`);
      const program = before + (isGiven ? opened : '') + written;
      await expect(run(program, more)).resolves.toMatchObject({ stderr: '' });
    }
  });

  test('and not before, though nothing waits for it', async () => {
    const program = `import { openProject } from 'quarry';
      openProject('.').then((project) => project.search('otters')).then(({ hits }) => console.log(hits[0].document.uri));`;
    expect((await run(program)).stdout).toBe('explorations/otters.md\n');
  });
});
