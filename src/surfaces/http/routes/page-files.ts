import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { packagePath } from '../../../platform/package-folder.ts';

/** A file of the page, ready to be sent. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer>;
  readonly tag: string;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
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
    names.map(async (name): Promise<[string, PageFile]> => {
      const bytes = new Uint8Array(await readFile(name));
      return [
        `/${relative(folder, name).split(sep).join('/')}`,
        {
          type: types[extname(name)] ?? 'application/octet-stream',
          bytes,
          zipped: new Uint8Array(await promisify(gzip)(bytes, { level: 9 })),
          tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
        },
      ];
    }),
  );
  return new Map(files);
}
