import { checkLayout } from '../check-layout.ts';
import {
  type Collection,
  collectionNames,
  ensureCollection,
  type GraphOptions,
  removeCollection,
} from './collection.ts';
import type { Location } from './location.ts';
import type { ChromaServer } from './server.ts';

/** The layout that this Quarry writes; an index of a later one is left alone. */
const layoutVersion = 1;
const layoutKey = 'quarry_layout';

/** Vectors that nobody looks for: as little work as Chroma lets us have. */
const idleGraph: GraphOptions = { space: 'l2', ef_construction: 2, ef_search: 2, max_neighbors: 2 };
/** Looks closer than Chroma would by itself, so that hardly anything near is missed. */
const vectorGraph: GraphOptions = {
  space: 'cosine',
  ef_construction: 150,
  ef_search: 1_000,
  max_neighbors: 24,
};

/** The collections of an index that every index has. */
export interface IndexCollections {
  /** Documents, manifest entries, facts and spaces: one call writes those that belong together. */
  readonly records: Collection;
  readonly chunks: Collection;
}

/** The name of a collection of a project. */
export function collectionName({ collection }: Location, ...parts: readonly string[]): string {
  return [collection, ...parts].join('--');
}

/** Opens the collections of an index, and makes them where there are none. */
export async function openCollections(
  server: ChromaServer,
  location: Location,
  index: string,
): Promise<IndexCollections> {
  return {
    records: await ownCollection(server, collectionName(location, index), idleGraph),
    chunks: await ownCollection(server, collectionName(location, index, 'chunks'), idleGraph),
  };
}

/** Makes the collection of a space; its name is used for no other. */
export function makeSpaceCollection(server: ChromaServer, name: string): Promise<Collection> {
  return ownCollection(server, name, vectorGraph);
}

/** The collection of what belongs to no index: locks, and which index answers. */
export function projectCollection(server: ChromaServer, location: Location): Promise<Collection> {
  return ownCollection(server, collectionName(location, 'project'), idleGraph);
}

/** Removes an index with its vectors; what others look for first goes last. */
export async function removeIndex(server: ChromaServer, location: Location, index: string): Promise<void> {
  const own = collectionName(location, index);
  const names = await collectionNames(server, `${own}--`);
  for (const name of [...names, own]) await removeCollection(server, name);
}

async function ownCollection(server: ChromaServer, name: string, graph: GraphOptions): Promise<Collection> {
  const collection = await ensureCollection(server, name, { [layoutKey]: layoutVersion }, graph);
  checkLayout(name, Number(collection.metadata[layoutKey] ?? Number.NaN), layoutVersion);
  return collection;
}
