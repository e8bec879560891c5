// Real files for the measurements of reading and cutting.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A file in memory, so that the disk has no part in a measurement. */
export interface SourceText {
  readonly uri: string;
  readonly bytes: Uint8Array;
  readonly text: string;
}

const measured =
  /\.(?:d\.ts|[cm]?[jt]sx?|md|py|go|rs|java|c|h|cc|cpp|hpp|cs|rb|php|kt|swift|scala|sh|lua|exs?)$/i;
/** Larger files are bundles that nobody wrote; a few of them would decide the whole result. */
const maxFileSize = 300_000;

/** Files below a folder, spread evenly over it, up to so many bytes in all. */
export function sourceTexts(folder: string, wantedBytes: number): SourceText[] {
  const paths = (readdirSync(folder, { recursive: true }) as string[]).filter((path) => measured.test(path));
  const sizes = paths
    .sort()
    .map((path) => ({ path, stat: statSync(join(folder, path)) }))
    .filter(({ stat }) => stat.isFile() && stat.size > 0 && stat.size <= maxFileSize);
  const total = sizes.reduce((sum, { stat }) => sum + stat.size, 0);
  const keep = Math.min(1, wantedBytes / Math.max(1, total));
  const chosen = sizes.filter((_, index) => Math.floor((index + 1) * keep) > Math.floor(index * keep));
  return chosen.map(({ path }) => {
    const bytes = new Uint8Array(readFileSync(join(folder, path)));
    return { uri: path.split(sep).join('/'), bytes, text: new TextDecoder().decode(bytes) };
  });
}

/** Millions of bytes of some files. */
export function megabytesOf(files: readonly SourceText[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;
}
