// Joins chunks of esbuild, which makes one for each set of entries that share modules: a search would load 131 files, and to
// find, read and link a file costs more than what most of them hold.
import { dirname, resolve } from 'node:path';
import { rollup } from 'rollup';
import { withoutBuiltinImports } from './builtin-modules.mjs';
import { splitChunk } from './split-chunk.mjs';

/**
 * What is loaded together becomes one file; a module goes to the first group that needs it. What a browser can use comes
 * first and so stays without Node.js, then what runs before the cache of compiled code is in use.
 */
const groups = {
  client: ['client/index.ts'],
  start: ['surfaces/cli/main.ts'],
  front: [
    'surfaces/cli/command-line.ts',
    'surfaces/cli/terminal/progress.ts',
    'surfaces/cli/render/search.ts',
    'surfaces/cli/terminal/last-hits.ts',
    'surfaces/cli/run/run-through-resident.ts',
    'client/resident.ts',
    'user/receipts/note-receipt.ts',
  ],
  search: [
    'surfaces/cli/commands/flags.ts',
    'surfaces/cli/run/run-in-process.ts',
    'surfaces/cli/run/several.ts',
    'operations/find/search.ts',
    'runs/update/freshen-project.ts',
    'runs/update/first-look.ts',
    'graph/code-graph.ts',
    'opening/open-driver.ts',
    'sources/project-source.ts',
    'reading/reading-pool.ts',
    'reading/reading-threads.ts',
    'indexing/recipe.ts',
    'indexing/reading-order.ts',
    'indexing/run.ts',
    'retrieval/search.ts',
    'retrieval/query/asks-for-history.ts',
    'retrieval/search-warnings.ts',
    'retrieval/digest/digest.ts',
    'embedding/cache/vector-cache.ts',
    'embedding/retrying.ts',
    'embedding/with-consent.ts',
    'embedding/with-deadline.ts',
    'embedding/with-fallback.ts',
    'drivers/embedders/local/driver.ts',
    'drivers/rerankers/maxsim/driver.ts',
    'drivers/stores/sqlite/driver.ts',
    'drivers/stores/leases.ts',
    'drivers/stores/sqlite/sharing/shared-searches.ts',
    'drivers/stores/sqlite/store.ts',
    'drivers/stores/sqlite/vectors/nearest.ts',
  ],
};

/**
 * What an editor waits for until its first answer. It shares little with a search, above all the schemas: that is a file of its own, so that
 * neither loads what only the other needs.
 */
const editor = ['surfaces/cli/run/serve-editor.ts'];

/** The joined chunks of which compiled code is kept: all but what a browser loads, and what runs before code can be kept. */
const keptCompiled = /^chunks\/(front|search|everywhere|editor)-.{8}\.js$/;

/** Writes what a build of these entries with `splitting` and `metafile` has made, its chunks joined, to `dist`. */
export async function joinChunks({ outputFiles, metafile }, entryPoints) {
  const made = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [resolve(path), output]));
  const ofSource = new Map([...outputs].map(([path, { entryPoint }]) => [entryPoint, path]));
  const entries = new Map(
    entryPoints.map((source) => [source.slice('src/'.length, -'.ts'.length), ofSource.get(source)]),
  );
  const isEntry = new Set(entries.values());
  const groupOf = new Map();
  const join = (path, group, seen = new Set()) => {
    if (groupOf.has(path) || seen.has(path)) return;
    seen.add(path);
    if (!isEntry.has(path)) groupOf.set(path, typeof group === 'string' ? group : group(path));
    for (const { path: imported, kind } of outputs.get(path).imports)
      if (kind === 'import-statement' && made.has(resolve(imported))) join(resolve(imported), group, seen);
  };
  /** All that is loaded with these sources. */
  const loadedWith = (sources) => {
    const loaded = new Set();
    const add = (path) => {
      if (loaded.has(path)) return;
      loaded.add(path);
      for (const { path: imported, kind } of outputs.get(path).imports)
        if (kind === 'import-statement' && made.has(resolve(imported))) add(resolve(imported));
    };
    for (const source of sources) add(ofSource.get(`src/${source}`));
    return loaded;
  };
  const { client, start, ...others } = groups;
  const joinAll = (named) => {
    for (const [group, sources] of Object.entries(named))
      for (const source of sources) join(ofSource.get(`src/${source}`), group);
  };
  joinAll({ client, start });
  const elsewhere = loadedWith(Object.values(others).flat());
  for (const source of editor)
    join(ofSource.get(`src/${source}`), (path) => (elsewhere.has(path) ? 'everywhere' : 'editor'));
  joinAll(others);
  const bundle = await rollup({
    input: Object.fromEntries(entries),
    // esbuild has done so.
    treeshake: false,
    onLog: (level, log, handle) => log.code === 'UNUSED_EXTERNAL_IMPORT' || handle(level, log),
    plugins: [
      {
        name: 'made',
        resolveId(path, importer) {
          const file = importer ? resolve(dirname(importer), path) : path;
          return made.has(file) ? file : { id: path, external: true };
        },
        load: (path) => ({ code: made.get(path), map: made.get(`${path}.map`) }),
        renderChunk: (code) => ({ code: withoutBuiltinImports(code), map: null }),
        generateBundle(_, bundle) {
          for (const chunk of Object.values(bundle)) {
            if (!keptCompiled.test(chunk.fileName)) continue;
            const { module, script } = splitChunk(chunk.code, '../platform/kept-code.js');
            chunk.code = module;
            this.emitFile({ type: 'asset', fileName: chunk.fileName.replace(/js$/, 'cjs'), source: script });
          }
        },
      },
    ],
  });
  await bundle.write({
    dir: 'dist',
    chunkFileNames: ({ name }) => `chunks/${name.replace(/-[A-Z0-9]{8}$/, '')}-[hash].js`,
    manualChunks: (path) => groupOf.get(path),
    hoistTransitiveImports: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  await bundle.close();
}
