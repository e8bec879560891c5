import type { Store } from '../../contracts/store.ts';
import type { Chunk } from '../../core/chunk.ts';
import type { QuarryError } from '../../core/errors.ts';
import type { Definition } from '../../core/reading.ts';
import { citationOf } from '../../core/text/citation.ts';
import { nearestWords } from '../../core/text/nearest-words.ts';
import { identifierParts, queryTerms } from '../../core/text/terms.ts';
import { isNamed, partsOf } from '../definitions.ts';
import type { LineRange } from '../windows/read-stretch.ts';
import { symbolStretch } from '../windows/symbol-stretch.ts';
import { type Found, notFound } from './find-document.ts';

/** Chunks among which a definition is looked for where no path is named. */
const maxChunks = 1000;
/** How names near an unknown one are introduced. */
export const nearNames = 'Near it are:';
/** Names that are given to a caller whose name is not known. */
const maxNames = 5;

/** The chunks of a definition of a document, first and last position, members included. */
export function definitionIn({ uri, chunks }: Found, name: string): LineRange {
  const own = chunks.filter((chunk) => defines(chunk, name));
  const named = own.filter((chunk) => isNamed(chunk.symbol, name));
  const [seed] = [...named.filter((chunk) => !isAnnounced(chunk)), ...named, ...own];
  if (!seed) throw symbolUnknownIn(uri, chunks, name);
  const known = new Map(chunks.map((chunk) => [chunk.ordinal, chunk]));
  // A member that shares a chunk with others is in that one chunk.
  const stretch = (isNamed(seed.symbol, name) && symbolStretch(seed, known)) || [seed];
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

/** Where a name is defined, the best match of text search first; an error that lists the nearest where it is nowhere. */
export async function definitionsOf(store: Store, name: string): Promise<[Definition, ...Definition[]]> {
  const matches = await store.searchText(queryTerms(name), { limit: maxChunks });
  const seen = new Set<string>();
  const [first, ...others] = matches
    .filter(({ chunk }) => defines(chunk, name))
    .sort(
      (one, other) =>
        Number(isNamed(other.chunk.symbol, name)) - Number(isNamed(one.chunk.symbol, name)) ||
        Number(isAnnounced(one.chunk)) - Number(isAnnounced(other.chunk)),
    )
    .flatMap(({ chunk, document: { uri } }) => {
      const { symbol, place } = chunk;
      const key = `${uri}\n${symbol?.scope.join('.')}\n${symbol?.name}`;
      if (!symbol || seen.has(key)) return [];
      seen.add(key);
      return [{ uri, place, symbol }];
    });
  if (first) return [first, ...others];
  throw await symbolUnknown(store, name);
}

/** Whether a chunk holds a definition of this name; small ones share a chunk. */
function defines({ symbol, metadata }: Chunk, name: string): boolean {
  if (isNamed(symbol, name)) return true;
  const held = Array.isArray(metadata.symbols) ? metadata.symbols : [];
  const parts = partsOf(name);
  const around = new Set([...(symbol ? [...symbol.scope, symbol.name] : []), ...held]);
  // A method that stands in one chunk with its class, or with other methods of it.
  return held.includes(parts.at(-1) ?? '') && parts.every((part) => around.has(part));
}

/** Whether a chunk has no body, as headers of C that announce functions, and files above their definitions. */
function isAnnounced({ metadata, text }: Chunk): boolean {
  const ofC = ['c', 'cpp', 'objc'].includes(String(metadata.language));
  return ofC && metadata.part === undefined && !text.includes('{');
}

function symbolUnknownIn(uri: string, chunks: readonly Chunk[], name: string): QuarryError {
  const names = new Map(chunks.flatMap((chunk) => namesIn(chunk).map((each) => [each, chunk] as const)));
  const near = nearTo(name, [...names.keys()]);
  return notFound(
    `"${uri}" defines no "${name}".`,
    near.length > 0 ? `It defines: ${near.join(', ')}.` : 'Search for the name, or read the whole file.',
  );
}

async function symbolUnknown(store: Store, name: string): Promise<QuarryError> {
  const matches = await store.searchText(queryTerms(partsOf(name).join(' ')), { limit: maxChunks });
  const places = new Map<string, string>();
  for (const { chunk, document } of matches)
    for (const each of namesIn(chunk))
      if (!places.has(each)) places.set(each, citationOf(document.uri, chunk.place));
  const near = nearTo(name, [...places.keys()]).map((each) => `${each} (${places.get(each)})`);
  return notFound(
    `No file of the index defines "${name}".`,
    near.length > 0
      ? `${nearNames} ${near.join(', ')}.`
      : 'Search for the name: it may be used and not defined here.',
  );
}

function namesIn({ symbol, metadata }: Chunk): string[] {
  const held = Array.isArray(metadata.symbols) ? metadata.symbols.map(String) : [];
  return symbol ? [[...symbol.scope, symbol.name].join('.'), ...held] : held;
}

/** Known names like a wanted one: mistyped, or with parts of it, best first. */
function nearTo(name: string, known: readonly string[]): string[] {
  const own = partsOf(name).at(-1) ?? name;
  const parts = new Set(identifierParts(own));
  const sharing = known
    .map((each) => {
      const others = identifierParts(partsOf(each).at(-1) ?? each);
      const shared = others.filter((part) => parts.has(part)).length;
      return { each, share: shared / Math.max(parts.size, others.length) };
    })
    .filter(({ share }) => share > 0.3)
    .sort((one, other) => other.share - one.share)
    .map(({ each }) => each);
  return [...new Set([...nearestWords(own, known), ...sharing])].slice(0, maxNames);
}
