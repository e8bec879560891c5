import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { nativeFolder } from '../../../platform/native-package.ts';
import { packagePath } from '../../../platform/package-folder.ts';

/** A file of the page, ready to be sent. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer>;
  readonly tag: string;
}

/** The parser of PDFs with its decoders of what scanners pack, by their folders: the page draws with it what the server reads with it. */
const parserFiles: ReadonlyMap<string, string> = new Map([
  ['pdf.min.mjs', 'legacy/build'],
  ['pdf.worker.min.mjs', 'legacy/build'],
  ['jbig2.wasm', 'wasm'],
  ['openjpeg.wasm', 'wasm'],
]);

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** The files of the built page by their path in an address; empty where the program was not built. */
export async function readPageFiles(
  folder = packagePath('dist/web'),
): Promise<ReadonlyMap<string, PageFile>> {
  // The program was not built.
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const files = await Promise.all(
    names.map(
      async (name): Promise<[string, PageFile]> => [
        `/${relative(folder, name).split(sep).join('/')}`,
        await readPageFile(name),
      ],
    ),
  );
  return new Map(files);
}

/**
 * The files of the parser of PDFs by their path in an address, each read once; undefined for another path, of which nothing is kept
 * since anybody may ask for it, and where the parser is not there.
 */
export function openParserFiles(
  read = readParserFile,
): (path: string) => Promise<PageFile | undefined> | undefined {
  const kept = new Map<string, Promise<PageFile | undefined>>();
  return (path) => {
    const name = [...parserFiles.keys()].find((each) => path === `/assets/${each}`);
    if (name === undefined) return undefined;
    const file = kept.get(name) ?? read(name);
    kept.set(name, file);
    return file;
  };
}

async function readParserFile(name: string): Promise<PageFile | undefined> {
  try {
    return await readPageFile(join(nativeFolder('pdfjs-dist'), parserFiles.get(name) ?? '', name));
  } catch {
    // Without it pages of PDFs are shown as their text.
    return undefined;
  }
}

async function readPageFile(name: string): Promise<PageFile> {
  const bytes = new Uint8Array(await readFile(name));
  return {
    type: types[extname(name)] ?? 'application/octet-stream',
    bytes,
    zipped: new Uint8Array(await promisify(gzip)(bytes, { level: 9 })),
    tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  };
}
