import { isAbsolute, relative, sep } from 'node:path';
import type { Store } from '../contracts/store.ts';
import type { Chunk, CodeSymbol } from '../core/chunk.ts';
import { QuarryError } from '../core/errors.ts';
import { documentId } from '../core/identity.ts';
import { neutraliseLine } from '../core/text/neutralise.ts';
import { shownLine } from '../core/text/shown-text.ts';
import { queryTerms } from '../core/text/terms.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { holdingsOf } from '../index/holdings.ts';
import { outsideRoots } from '../platform/contained-path.ts';
import { type LineRange, linesOfChunk, readStretch } from '../retrieval/windows/read-stretch.ts';
import { symbolStretch } from '../retrieval/windows/symbol-stretch.ts';
import type { Definition, Reading, ReadOptions } from './project.ts';

/** Tokens that are read where the caller names no limit: as much as a search shows. */
const defaultTokens = 4096;

/** Chunks among which a definition is looked for where no path is named. */
const maxChunks = 1000;

/** Names that are given to a caller whose path is not known. */
const maxNames = 5;

/** A document of the index, all of its chunks in order. */
interface Found {
  readonly uri: string;
  readonly chunks: readonly [Chunk, ...Chunk[]];
}

/** Reads a stretch of a document from the index: a chunk, a definition, lines, or all of it. */
export async function readFrom(store: Store, folder: string, options: ReadOptions): Promise<Reading> {
  const { path, symbol, neighbours = 0, maxTokens = defaultTokens } = options;
  const definitions = path === undefined && symbol !== undefined ? await definitionsOf(store, symbol) : [];
  const uri = path === undefined ? definitions[0]?.uri : uriIn(folder, path);
  if (uri === undefined) throw symbol === undefined ? nothingNamed() : symbolUnknown(symbol);
  const { bundledTokenizer } = await import('../models/tokenizers/bundled.ts');
  const tokenizer = await bundledTokenizer();
  const found = await find(store, uri);
  const [first, last] = stretchOf(found, options);
  const all = found.chunks;
  const shown = all.slice(Math.max(0, first - neighbours), last + neighbours + 1);
  const isExact = options.lines !== undefined && neighbours === 0;
  const { textLines, place, text, tokens, isCut, nextLine } = readStretch(nonEmpty(shown, found), {
    maxTokens,
    countTokens: (part) => tokenizer.encode(part).length,
    ...(isExact && options.lines && { lines: options.lines }),
  });
  return {
    uri: found.uri,
    place,
    textLines,
    totalLines: linesOfChunk(all.at(-1) ?? all[0])[1],
    text,
    tokens,
    isCut,
    ...(nextLine !== undefined && { nextLine }),
    section: shown[0]?.section ?? '',
    others: definitions.slice(1),
  };
}

/** First and last position of the chunks that are asked for. */
function stretchOf({ uri, chunks }: Found, { lines, symbol, chunk }: ReadOptions): LineRange {
  if (chunk !== undefined) {
    const at = chunks.findIndex(({ id }) => id === chunk);
    if (at < 0) throw notFound(`"${uri}" has no chunk ${chunk} now.`, 'Search again: the file has changed.');
    return [at, at];
  }
  if (symbol !== undefined) return definitionIn(uri, chunks, symbol);
  if (lines === undefined) return [0, chunks.length - 1];
  const [from, to] = lines;
  const holds = (each: Chunk): boolean => linesOfChunk(each)[0] <= to && linesOfChunk(each)[1] >= from;
  const [first, last] = [chunks.findIndex(holds), chunks.findLastIndex(holds)];
  if (first >= 0) return [first, last];
  const total = linesOfChunk(chunks.at(-1) ?? chunks[0])[1];
  throw notFound(
    `"${uri}" has no text in the lines ${from}-${to}.`,
    `Name lines between 1 and ${total}, the last one.`,
  );
}

/** The chunks of a definition, members included. */
function definitionIn(uri: string, chunks: readonly Chunk[], name: string): LineRange {
  const own = chunks.filter((chunk) => defines(chunk, name));
  const [seed] = own.filter((chunk) => isNamed(chunk.symbol, name)).concat(own);
  if (!seed) throw notFound(`"${uri}" defines no "${name}".`, 'Search for the name, or read the whole file.');
  const known = new Map(chunks.map((chunk) => [chunk.ordinal, chunk]));
  const stretch = symbolStretch(seed, known) ?? [seed];
  const position = (chunk: Chunk | undefined): number => chunks.findIndex(({ id }) => id === chunk?.id);
  let last = position(stretch.at(-1));
  // Members of a long class are chunks of their own, behind it.
  while (isNamed(seed.symbol, name) && belongsTo(chunks[last + 1], seed)) last += 1;
  return [position(stretch[0]), last];
}

function belongsTo(chunk: Chunk | undefined, { symbol: outer }: Chunk): boolean {
  if (!chunk?.symbol || !outer) return false;
  const [path, inner] = [
    [...outer.scope, outer.name],
    [...chunk.symbol.scope, chunk.symbol.name],
  ];
  return path.every((part, at) => part === inner[at]);
}

/** Where a name is defined, the best match of text search first. */
async function definitionsOf(store: Store, name: string): Promise<Definition[]> {
  const matches = await store.searchText(queryTerms(name), { limit: maxChunks });
  const seen = new Set<string>();
  return matches
    .filter(({ chunk }) => defines(chunk, name))
    .sort((one, other) => Number(isNamed(other.chunk.symbol, name)) - Number(isNamed(one.chunk.symbol, name)))
    .flatMap(({ chunk, document: { uri } }) => {
      const { symbol, place } = chunk;
      const key = `${uri}\n${symbol?.scope.join('.')}\n${symbol?.name}`;
      if (!symbol || seen.has(key)) return [];
      seen.add(key);
      return [{ uri, place, symbol }];
    });
}

/** Whether a chunk holds a definition of this name; small ones share a chunk. */
function defines({ symbol, metadata }: Chunk, name: string): boolean {
  if (isNamed(symbol, name)) return true;
  return Array.isArray(metadata.symbols) && metadata.symbols.includes(name);
}

/** `search`, or with its scope `Store.search`, `Store::search` or `Store#search`. */
function isNamed(symbol: CodeSymbol | undefined, name: string): boolean {
  if (!symbol) return false;
  const wanted = name.split(/::|[.#]/);
  const full = [...symbol.scope, symbol.name];
  return symbol.name === name || wanted.every((part, at) => part === full.at(at - wanted.length));
}

/** The document of a path, or of the only path that ends with it. */
async function find(store: Store, uri: string): Promise<Found> {
  const own = await documentAt(store, uri);
  if (own) return own;
  const entry = (await holdingsOf(store)).manifest.get(uri);
  if (entry && entry.status !== 'indexed')
    throw notFound(
      `"${uri}" is not in the index: ${entry.reason ?? entry.status}${entry.detail ? ` (${entry.detail})` : ''}.`,
      'Look at quarry status --skipped for what is left out, and why.',
    );
  const name = uri.split('/').at(-1) ?? uri;
  const { paths } = await holdingsOf(store);
  // A path that no line can show is named as it was shown.
  const meant = paths.find((path) => [shownLine(path), neutraliseLine(path)].includes(uri));
  if (meant !== undefined) return (await documentAt(store, meant)) ?? unknown(uri, []);
  const ending = paths.filter((path) => path.endsWith(`/${uri}`));
  const [only] = ending;
  if (only !== undefined && ending.length === 1) return (await documentAt(store, only)) ?? unknown(uri, []);
  const near =
    ending.length > 0 ? ending : paths.filter((path) => path.endsWith(`/${name}`) || path === name);
  return unknown(uri, near);
}

async function documentAt(store: Store, uri: string): Promise<Found | undefined> {
  const [first, ...rest] = await chunksOf(store, documentId(uri));
  return first && { uri, chunks: [first, ...rest] };
}

/** The uri of a path as a caller may write it: relative to the project, or absolute within it. */
function uriIn(folder: string, path: string): string {
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

function nonEmpty(chunks: readonly Chunk[], { chunks: all }: Found): readonly [Chunk, ...Chunk[]] {
  const [first = all[0], ...rest] = chunks;
  return [first, ...rest];
}

function unknown(uri: string, near: readonly string[]): never {
  throw notFound(
    `There is no "${uri}" in the index.`,
    near.length > 0
      ? `Perhaps one of these is meant: ${near.slice(0, maxNames).join(', ')}.`
      : 'Name a path as a search shows it, relative to the project.',
  );
}

function symbolUnknown(name: string): QuarryError {
  return notFound(
    `No file of the index defines "${name}".`,
    'Search for the name: it may be used and not defined here.',
  );
}

function nothingNamed(): QuarryError {
  return new QuarryError(
    'usage-invalid',
    'The call names nothing to read.',
    'Name a path, a symbol, or both.',
  );
}

function notFound(message: string, remedy: string): QuarryError {
  return new QuarryError('document-not-found', message, remedy);
}
