// Joins what a reading thread mostly needs. With all that it may ever need in one file each thread compiles it, schemas included; in the
// chunks of esbuild, one for each set of modules that others share, it loads thirty files.
import { dirname, resolve } from 'node:path';
import { rollup } from 'rollup';
import { withoutBuiltinImports } from './builtin-modules.mjs';

/** Writes a thread that was built with `splitting` and `metafile` to `dist/threads`: what is loaded with these sources is one file. */
export async function joinThread({ outputFiles, metafile }, sources) {
  const made = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [resolve(path), output]));
  const placeOf = new Map([...outputs].map(([path, { entryPoint }]) => [entryPoint, path]));
  const together = new Set();
  const join = (path) => {
    if (together.has(path)) return;
    together.add(path);
    for (const { path: imported, kind } of outputs.get(path).imports)
      if (kind === 'import-statement' && made.has(resolve(imported))) join(resolve(imported));
  };
  for (const source of sources) join(placeOf.get(source));
  const bundle = await rollup({
    input: placeOf.get(sources[0]),
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
        load: (path) => made.get(path),
        renderChunk: (code) => ({ code: withoutBuiltinImports(code), map: null }),
      },
    ],
  });
  await bundle.write({
    dir: 'dist/threads',
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => `${name.replace(/-[A-Z0-9]{8}$/, '')}-[hash].js`,
    manualChunks: (path) => (together.has(path) ? 'reading' : undefined),
    hoistTransitiveImports: false,
  });
  await bundle.close();
}
