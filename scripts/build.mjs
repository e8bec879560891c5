// Bundles the program into `dist`: a process that loads few files starts in half the time. Entries keep their paths, and
// what is imported when needed stays in a chunk of its own. Names and maps are kept, so that a stack trace can be read;
// with `node --enable-source-maps` it names file and line; the text of the sources stays out of the package.
import { chmodSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { build as buildPage } from 'vite';
import { withoutBuiltinImports } from './builtin-modules.mjs';
import { packagesInPage, packagesInProgram, writeNotices } from './bundled-packages.mjs';
import { joinChunks } from './join-chunks.mjs';
import { joinThread } from './join-thread.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
// The page is replaced at the end of a build: a server that shows it has one all the time.
for (const entry of globSync('dist/*')) if (basename(entry) !== 'web') rmSync(entry, { recursive: true });

/** Packages of many small files of which we need few. Others stay packages. */
const bundled = [
  '@decimalturn/toml-patch',
  '@hono/node-server',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/core',
  '@modelcontextprotocol/server',
  'hono',
  'jsonc-parser',
  'smol-toml',
  'stemmer',
  'zod',
];
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const external = Object.keys({
  ...manifest.dependencies,
  // Loaded where a user has installed it.
  '@huggingface/tokenizers': '',
  '@ai-sdk/provider': '',
  '@langchain/core': '',
  '@llamaindex/core': '',
  'onnxruntime-node': '',
  pg: '',
  usearch: '',
});
/** The schema library brings its messages in fifty languages; one is used. */
const oneLanguage = {
  name: 'one-language',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /locales\/index\.js$/ }, () => ({ path: 'locales', namespace: 'none' }));
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: '' }));
  },
};
/** A server of the protocol would check answers to its own questions; ours asks none, and starts twice as fast without. */
const noValidator = {
  name: 'no-validator',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, () => ({
      path: 'shims',
      namespace: 'shims',
    }));
    onLoad({ filter: /.*/, namespace: 'shims' }, () => ({
      contents:
        'export const process = globalThis.process; export class DefaultJsonSchemaValidator { getValidator() { throw new TypeError("no validator"); } }',
    }));
  },
};
/** To import this module reads every property of `process`, some of which take milliseconds. */
const globalProcess = {
  name: 'global-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:process$/ }, () => ({ path: 'process', namespace: 'process' }));
    onLoad({ filter: /.*/, namespace: 'process' }, () => ({
      contents: 'export default globalThis.process;',
    }));
  },
};
/** Packages of the older kind of module ask for modules of Node.js by `require`, which a module of today does not have. */
const requiredOfNode = {
  name: 'required-of-node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z:_/]+$/ }, ({ path, kind }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'required' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};
/**
 * Of what every start loads: no comments, whose characters beyond ASCII make the whole text take longer to decode, and no checks that
 * the schema library compiles from text: a command uses most schemas once.
 */
const leanPackages = {
  name: 'lean-packages',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules[\\/](zod|@modelcontextprotocol)[\\/].*\.m?js$/ }, async ({ path }) => {
      const text = readFileSync(path, 'utf8').replaceAll(/(?:core\.)?globalConfig\.jitless/g, 'true');
      const { code } = await transform(text, { minifyWhitespace: true });
      return { contents: code };
    });
  },
};
/** Of all drivers those of these folders alone: what is told to open no other one need not carry them. */
const only = (...folders) => ({
  name: 'only',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\// }, ({ path, importer }) =>
      /drivers[\\/]manifest\.ts$/.test(importer) && !folders.some((folder) => path.startsWith(`./${folder}/`))
        ? { path, external: true }
        : undefined,
    );
  },
});
const options = {
  plugins: [oneLanguage, noValidator, globalProcess, requiredOfNode, leanPackages],
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  sourcemap: 'linked',
  sourcesContent: false,
  external: external.filter((name) => !bundled.includes(name)),
  // Its main file loads the others in a way that cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  logLevel: 'warning',
  metafile: true,
};
const entryPoints = [
  'src/index.ts',
  'src/testing/index.ts',
  'src/client/index.ts',
  'src/surfaces/cli/main.ts',
  // What the joined chunks are run by.
  'src/platform/kept-code.ts',
  ...globSync('src/adapters/*/index.ts'),
];
const parts = await build({
  ...options,
  entryPoints,
  outbase: 'src',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  write: false,
});
await joinChunks(parts, entryPoints);
// A thread shares no objects with the process: as one file of its own it starts fastest. Its code is in the maps above.
const threads = globSync('src/**/*-thread.ts');
/** What a reader of files is built from; what other formats are read with, and what recognises pictures, stays apart. */
const reader = [
  'src/reading/reading-thread.ts',
  'src/drivers/extractors/text.ts',
  'src/drivers/extractors/markdown.ts',
  'src/drivers/chunkers/code/code.ts',
  'src/drivers/chunkers/markdown/markdown.ts',
];
/** Threads of models: the schemas that they need for a folder of the user's own are most of their code, and stay apart. */
const ofModels = threads.filter((file) => /(encoder|scoring)-thread\.ts$/.test(file));
const apart = [...ofModels, reader[0]];
const built = [parts];
const ofThreads = { ...options, entryNames: 'threads/[name]', sourcemap: false, write: false };
const divided = { ...ofThreads, chunkNames: 'threads/[name]-[hash]', splitting: true };
built.push(await build({ ...ofThreads, entryPoints: threads.filter((file) => !apart.includes(file)) }));
for (const file of ofModels) built.push(await build({ ...divided, entryPoints: [file] }));
mkdirSync('dist/threads');
for (const { path, text } of built.slice(1).flatMap(({ outputFiles }) => outputFiles))
  writeFileSync(path, withoutBuiltinImports(text));
const plugins = [...options.plugins, only('extractors', 'chunkers')];
const reading = await build({ ...divided, plugins, entryPoints: [reader[0]] });
await joinThread(reading, reader);
built.push(reading);
// The agent reads files and sends them: of all drivers it has only those that find secrets in files.
built.push(
  await build({
    ...options,
    plugins: [...options.plugins, only('extractors')],
    entryPoints: { 'quarry-agent': 'src/surfaces/agent/main.ts' },
    outExtension: { '.js': '.mjs' },
    outdir: 'dist/agent',
    external: [],
    define: {
      QUARRY_VERSION: JSON.stringify(manifest.version),
      // Packages that are nowhere beside the one file.
      'process.env.WS_NO_BUFFER_UTIL': '"1"',
      'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
    },
    sourcemap: false,
    minify: true,
    keepNames: true,
  }),
);
const page = await buildPage({ configFile: 'web/vite.config.ts' });
/** Packages whose grammars are copied into the build. */
const grammars = ['@cursorless/tree-sitter-wasms', '@lumis-sh/wasm-csharp'];
writeNotices([...built.flatMap(packagesInProgram), ...packagesInPage(page), ...grammars]);
// `npx` in a clone runs them as they lie here.
for (const file of Object.values(manifest.bin)) chmodSync(file, 0o755);
