import { cosine } from '../../../core/cosine.ts';
import type { ChromaCall, ChromaServer } from './server.ts';
import { isGone, isTaken } from './server.ts';

/** Values that Chroma keeps beside a record; null removes one. */
export type Metadata = Readonly<Record<string, string | number | boolean | null>>;

/** A record as it is written. */
export interface NewRecord {
  readonly id: string;
  readonly metadata: Metadata;
  readonly embedding: readonly number[];
  readonly document?: string;
}

/** A record as it is read; what was not asked for is empty. */
export interface FoundRecord {
  readonly id: string;
  readonly metadata: Metadata;
  readonly document: string;
  readonly embedding: readonly number[];
}

/** A record with its distance from what was asked. */
export interface NearRecord {
  readonly id: string;
  readonly distance: number;
}

/** A condition over metadata or over the words of a record, in Chroma's own form. */
export type Condition = Readonly<Record<string, unknown>>;

/** Which records are meant, and what is wanted of them. */
export interface Selection {
  readonly ids?: readonly string[];
  readonly where?: Condition | undefined;
  readonly whereDocument?: Condition;
  readonly include?: readonly ('metadatas' | 'documents' | 'embeddings')[];
}

/** How the graph of a collection is built and searched. */
export interface GraphOptions {
  readonly space: 'cosine' | 'l2';
  readonly ef_construction: number;
  readonly ef_search: number;
  readonly max_neighbors: number;
}

const recordsAtOnce = 2_000;
/** Bytes in one call; servers take 40 MB by default. */
const mostBytes = 8_000_000;
/** Pages of a long answer begin before the end of the last one: records that vanish meanwhile move the others forward. */
const overlap = 200;

/** A collection of records, by the identity that it got when it was made: one that replaces it has another. */
export class Collection {
  readonly id: string;
  readonly name: string;
  readonly metadata: Metadata;
  readonly #server: ChromaServer;

  constructor(server: ChromaServer, { id, name, metadata }: CollectionInfo) {
    this.#server = server;
    this.id = id;
    this.name = name;
    this.metadata = metadata ?? {};
  }

  /** Inserts the records and replaces those with the same ids; those of one call in one step. */
  async upsert(records: readonly NewRecord[]): Promise<void> {
    for (const part of await this.#parts(records)) await this.#post('upsert', await this.#columns(part));
  }

  /** Inserts a record where there is none of its id. */
  async add(record: NewRecord): Promise<void> {
    await this.#post('add', await this.#columns([record]));
  }

  /** The records in one answer, in the order in which they came. */
  async get(selection: Selection): Promise<FoundRecord[]> {
    if (selection.ids?.length === 0) return [];
    return this.#get(selection);
  }

  /** The same in pages, for what may be long. */
  async *pages(selection: Selection): AsyncGenerator<FoundRecord[]> {
    const size = await this.#batch();
    let seen = new Set<string>();
    for (let offset = 0; ; offset += size - Math.min(overlap, size >> 1)) {
      const page = await this.#get(selection, { limit: size, offset });
      yield page.filter(({ id }) => !seen.has(id));
      if (page.length < size) return;
      seen = new Set(page.map(({ id }) => id));
    }
  }

  /**
   * The nearest records by rising cosine distance. Chroma's graph does not lead to every record: where it gives fewer than
   * were asked for, those that it has missed are compared one by one.
   */
  async nearest(vector: Float32Array, limit: number, where: Condition | undefined): Promise<NearRecord[]> {
    const { ids, distances } = (await this.#post('query', {
      query_embeddings: [[...vector]],
      n_results: limit,
      include: ['distances'],
      ...(where && { where }),
    })) as { ids: string[][]; distances: number[][] };
    const near = (ids[0] ?? []).map((id, place) => ({ id, distance: distances[0]?.[place] ?? 0 }));
    if (near.length >= limit) return near;
    const missed = await this.#compareOthers(near, vector, where);
    if (missed.length === 0) return near;
    return [...near, ...missed].sort((one, other) => one.distance - other.distance).slice(0, limit);
  }

  /** The records of a condition that are not among these, with their distances. */
  async #compareOthers(
    known: readonly NearRecord[],
    vector: Float32Array,
    where: Condition | undefined,
  ): Promise<NearRecord[]> {
    const ids = new Set(known.map(({ id }) => id));
    const others: string[] = [];
    for await (const page of this.pages({ where }))
      for (const { id } of page) if (!ids.has(id)) others.push(id);
    const near: NearRecord[] = [];
    for (let start = 0; start < others.length; start += recordsAtOnce) {
      const part = others.slice(start, start + recordsAtOnce);
      for (const { id, embedding } of await this.get({ ids: part, include: ['embeddings'] }))
        near.push({ id, distance: 1 - cosine(vector, embedding) });
    }
    return near;
  }

  async delete(selection: Pick<Selection, 'ids' | 'where'>): Promise<void> {
    await this.#post('delete', selection);
  }

  async #get(
    { include = [], whereDocument, ...selection }: Selection,
    page: { readonly limit?: number; readonly offset?: number } = {},
  ): Promise<FoundRecord[]> {
    const found = (await this.#post('get', {
      ...selection,
      ...page,
      ...(whereDocument && { where_document: whereDocument }),
      include,
    })) as FoundColumns;
    return found.ids.map((id, place) => ({
      id,
      metadata: found.metadatas?.[place] ?? {},
      document: found.documents?.[place] ?? '',
      embedding: found.embeddings?.[place] ?? [],
    }));
  }

  #post(action: string, body: object): Promise<unknown> {
    return this.#server.send({ method: 'POST', path: `/collections/${this.id}/${action}`, body });
  }

  async #batch(): Promise<number> {
    return Math.min(recordsAtOnce, (await this.#server.limits()).mostRecords);
  }

  /** Records as Chroma takes them; vectors as bytes where it reads those: numbers are five times as long. */
  async #columns(records: readonly NewRecord[]): Promise<object> {
    const { readsBytes } = await this.#server.limits();
    const bytesOf = (vector: readonly number[]) =>
      Buffer.from(Float32Array.from(vector).buffer).toString('base64');
    return {
      ids: records.map(({ id }) => id),
      metadatas: records.map(({ metadata }) => metadata),
      embeddings: records.map(({ embedding }) => (readsBytes ? bytesOf(embedding) : embedding)),
      documents: records.map(({ document }) => document ?? null),
    };
  }

  async #parts(records: readonly NewRecord[]): Promise<NewRecord[][]> {
    const most = await this.#batch();
    const parts: NewRecord[][] = [];
    let room = 0;
    for (const record of records) {
      const size = sizeOf(record);
      const part = parts.at(-1);
      if (part && part.length < most && size <= room) part.push(record);
      else {
        parts.push([record]);
        room = mostBytes;
      }
      room -= size;
    }
    return parts;
  }
}

interface CollectionInfo {
  readonly id: string;
  readonly name: string;
  readonly metadata?: Metadata | null;
}

interface FoundColumns {
  readonly ids: readonly string[];
  readonly metadatas?: readonly (Metadata | null)[] | null;
  readonly documents?: readonly (string | null)[] | null;
  readonly embeddings?: readonly (readonly number[])[] | null;
}

/** The collection of this name; undefined where there is none. */
export async function findCollection(server: ChromaServer, name: string): Promise<Collection | undefined> {
  try {
    return new Collection(server, await collectionCall(server, { method: 'GET', path: pathOf(name) }));
  } catch (thrown) {
    if (isGone(thrown)) return undefined;
    throw thrown;
  }
}

/** The collection of this name, made where there is none. */
export async function ensureCollection(
  server: ChromaServer,
  name: string,
  metadata: Metadata,
  hnsw: GraphOptions,
): Promise<Collection> {
  const present = await findCollection(server, name);
  if (present) return present;
  const body = { name, metadata, configuration: { hnsw } };
  try {
    return new Collection(
      server,
      await collectionCall(server, { method: 'POST', path: '/collections', body }),
    );
  } catch (thrown) {
    // Another process was quicker.
    const made = isTaken(thrown) ? await findCollection(server, name) : undefined;
    if (made) return made;
    throw thrown;
  }
}

/** The names of all collections that begin like this. */
export async function collectionNames(server: ChromaServer, prefix: string): Promise<string[]> {
  const names: string[] = [];
  const atOnce = 200;
  for (let offset = 0; ; offset += atOnce) {
    const path = `/collections?limit=${atOnce}&offset=${offset}`;
    const page = (await server.send({ method: 'GET', path })) as { name: string }[];
    for (const { name } of page) if (name.startsWith(prefix)) names.push(name);
    if (page.length < atOnce) return names;
  }
}

/** Removes a collection where it is there. */
export async function removeCollection(server: ChromaServer, name: string): Promise<void> {
  try {
    await server.send({ method: 'DELETE', path: pathOf(name) });
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
  }
}

/** Every record of Chroma has a vector; those that nobody looks for by it get any. */
export function anyVector(): number[] {
  return [Math.random()];
}

async function collectionCall(server: ChromaServer, call: ChromaCall): Promise<CollectionInfo> {
  return (await server.send(call)) as CollectionInfo;
}

function pathOf(name: string): string {
  return `/collections/${encodeURIComponent(name)}`;
}

/** Bytes of a record on its way, as near as a bound needs it. */
function sizeOf({ embedding, document = '', metadata }: NewRecord): number {
  const values = Object.values(metadata).map((value) => String(value).length);
  return 20 * embedding.length + 2 * document.length + 2 * values.reduce((sum, size) => sum + size, 500);
}
