import { isAbsolute, relative, sep } from 'node:path';
import type { Store } from '../../contracts/store.ts';
import type { Chunk } from '../../core/chunk.ts';
import { ageRemedy } from '../../core/documents/age-rule.ts';
import { commitMeant } from '../../core/documents/commit.ts';
import { QuarryError } from '../../core/errors.ts';
import { documentId } from '../../core/identity.ts';
import { nearestWords } from '../../core/text/nearest-words.ts';
import { neutraliseLine } from '../../core/text/neutralise.ts';
import { shownLine } from '../../core/text/shown-text.ts';
import { chunksOf } from '../../index/chunks-of.ts';
import { holdingsOf } from '../../index/holdings.ts';
import { outsideRoots } from '../../platform/contained-path.ts';

/** A document of the index, all of its chunks in order. */
export interface Found {
  readonly uri: string;
  readonly chunks: readonly [Chunk, ...Chunk[]];
}

/** Names that are given to a caller whose path is not known. */
const maxNames = 5;

/** The document of a path, or of the only path that ends with it; an error that names the nearest otherwise. */
export async function findDocument(store: Store, uri: string): Promise<Found> {
  const found = await lookUp(store, uri);
  if (found) return found;
  const { manifest, paths } = await holdingsOf(store);
  const entry = manifest.get(uri);
  if (entry && entry.status !== 'indexed')
    throw notFound(
      `"${uri}" is not in the index: ${entry.reason ?? entry.status}${entry.detail ? ` (${entry.detail})` : ''}.`,
      ageRemedy(entry.detail ?? '') ?? 'Look at quarry status --skipped for what is left out, and why.',
    );
  throw unknownPath(uri, nearestPaths(uri, paths));
}

/** The document of a path, of the only path that ends with it, or of one as it was shown; undefined where there is none. */
export async function lookUp(store: Store, uri: string): Promise<Found | undefined> {
  const own = await documentAt(store, uri);
  if (own) return own;
  const { paths } = await holdingsOf(store);
  const commit = commitMeant(uri, paths);
  if (commit !== undefined) return documentAt(store, commit);
  // A path that no line can show is named as it was shown.
  const meant = paths.find((path) => [shownLine(path), neutraliseLine(path)].includes(uri));
  if (meant !== undefined) return documentAt(store, meant);
  const [only, ...others] = paths.filter((path) => path.endsWith(`/${uri}`));
  return only !== undefined && others.length === 0 ? documentAt(store, only) : undefined;
}

async function documentAt(store: Store, uri: string): Promise<Found | undefined> {
  const [first, ...rest] = await chunksOf(store, documentId(uri));
  return first && { uri, chunks: [first, ...rest] };
}

/** The uri of a path as a caller may write it: relative to the project, or absolute within it. */
export function uriIn(folder: string, path: string): string {
  const way = isAbsolute(path) ? relative(folder, path) : path;
  const uri = way
    .split(sep)
    .join('/')
    .replace(/^(?:\.\/)+/, '');
  // It is looked up and never opened: added content may have a name that no file of Windows can have.
  const hostile = outsideRoots(uri, 'linux');
  // Told as the caller wrote it: the way there would tell where the project is.
  if (hostile) throw outsideRoots(path, 'linux') ?? hostile;
  return uri;
}

/** Paths that may be meant: those that end so, have this name, or nearly. */
export function nearestPaths(uri: string, paths: readonly string[]): string[] {
  const nameOf = (path: string): string => path.split('/').at(-1) ?? path;
  const ending = paths.filter((path) => path.endsWith(`/${uri}`));
  if (ending.length > 0) return ending.slice(0, maxNames);
  const named = paths.filter((path) => nameOf(path) === nameOf(uri));
  if (named.length > 0) return named.slice(0, maxNames);
  const names = new Set(nearestWords(nameOf(uri), [...new Set(paths.map(nameOf))]).slice(0, maxNames));
  return paths.filter((path) => names.has(nameOf(path))).slice(0, maxNames);
}

/** The error for a path that the index does not have. */
function unknownPath(uri: string, near: readonly string[]): QuarryError {
  return notFound(
    `There is no "${uri}" in the index.`,
    near.length > 0
      ? `Perhaps one of these is meant: ${near.join(', ')}.`
      : 'Name a path as a search shows it, relative to the project.',
  );
}

/** The error for what the index does not have. */
export function notFound(message: string, remedy: string): QuarryError {
  return new QuarryError('document-not-found', message, remedy);
}
