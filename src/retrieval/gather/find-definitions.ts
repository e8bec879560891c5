import type { Store, StoreMatch } from '../../contracts/store.ts';
import type { Chunk } from '../../core/chunk.ts';
import { chunkPasses, type Filter } from '../../core/filter.ts';
import { queryTerms } from '../../core/text/terms.ts';
import { declaresNamed, declaresOneOf, definesOneOf, isAskedFor } from '../definitions.ts';

/** Files that are looked into. */
const maxFiles = 5;
/** Chunks among which a name is looked for. */
const maxChunks = 200;
/** Chunks of a file before the found one that are looked through. */
const maxDistance = 400;

/**
 * The declarations of names that are asked for, in files where only something inside of the definition was found: the
 * methods of a large class have its name in their headers, and push its first lines out of the list.
 */
export async function findDefinitions(
  store: Store,
  names: ReadonlySet<string>,
  found: readonly StoreMatch[],
  filter: Filter = {},
): Promise<StoreMatch[]> {
  const inside = new Map<string, StoreMatch>();
  const declared = new Set<string>();
  for (const match of names.size === 0 ? [] : found) {
    const { documentId } = match.chunk;
    if (declaresOneOf(names, match.chunk)) declared.add(documentId);
    else if (!inside.has(documentId) && isInside(names, match.chunk)) inside.set(documentId, match);
  }
  const files = [...inside.values()]
    .filter(({ chunk }) => !declared.has(chunk.documentId))
    .slice(0, maxFiles);
  if (files.length === 0) return [];
  const before = await store.chunksIn(
    files.map(({ chunk: { documentId, ordinal } }) => ({
      documentId,
      first: Math.max(0, ordinal - maxDistance),
      last: ordinal,
    })),
  );
  return files.flatMap(({ document }, place) => {
    const chunk = before[place]?.find(
      (one) => declaresOneOf(names, one) && chunkPasses(filter, one, document),
    );
    return chunk ? [{ document, chunk, score: 1 }] : [];
  });
}

/** The declarations of a name, where none of them was found: many chunks may have its words. */
export async function findDefined(
  store: Store,
  name: string,
  found: readonly StoreMatch[],
  filter: Filter = {},
): Promise<StoreMatch[]> {
  const declares = ({ chunk }: StoreMatch) => declaresNamed(name, chunk);
  const isCode = ({ chunk }: StoreMatch) => chunk.symbol !== undefined;
  if (found.some(declares) || (found.length > 0 && !found.some(isCode))) return [];
  const matches = await store.searchText(queryTerms(name), { limit: maxChunks, filter });
  return matches.filter(declares).slice(0, maxFiles);
}

function isInside(names: ReadonlySet<string>, chunk: Chunk): boolean {
  const scope = chunk.symbol?.scope ?? [];
  return scope.some((name) => isAskedFor(names, name)) || definesOneOf(names, chunk);
}
