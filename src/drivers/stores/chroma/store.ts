import type { DriverContext } from '../../../contracts/driver.ts';
import type {
  ChunkEntry,
  ChunkRange,
  ChunkVector,
  IndexState,
  ManifestEntry,
  MissingVector,
  PatternSearch,
  PutOptions,
  SearchBounds,
  Store,
  StoreMatch,
  TextPattern,
  VectorEntry,
  VectorReading,
} from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import type { Filter } from '../../../core/filter.ts';
import { documentId } from '../../../core/identity.ts';
import { assertEntries } from '../admission.ts';
import { groupPuts } from '../group-puts.ts';
import { spacesByName } from '../spaces-by-name.ts';
import type { Condition } from './collection.ts';
import { admittedDocuments, all } from './filter.ts';
import type { Location } from './location.ts';
import { ChromaIndex } from './open-index.ts';
import type { Opened } from './opened.ts';
import { searchPattern } from './pattern.ts';
import { garbageRecord, replaceDocuments } from './replace-documents.ts';
import { indexRecord, keyOf, manifestRecord, readValue, type Space, spaceRecord } from './rows.ts';
import { searchText } from './text.ts';
import {
  assertVectors,
  findKeysWithVector,
  findMissingVectors,
  readChunkVectors,
  searchVector,
  storedVectors,
  vectorRecords,
} from './vectors.ts';
import type { View } from './view.ts';

/** Paths that are removed in one step. */
const pathsAtOnce = 500;

/** Documents in one commit: the records of so many fit one call to any server. */
const documentsAtOnce = 32;

/** Opens the index of this name, and makes it where there is none. */
export function openChromaStore(
  location: Location,
  name: string,
  context: DriverContext,
): Store & PatternSearch & VectorReading {
  return new ChromaStore(new ChromaIndex(location, context, name));
}

class ChromaStore implements Store, PatternSearch, VectorReading {
  /** With so many, the next commit is full when one is over. */
  readonly putsAtOnce = 2 * documentsAtOnce;
  /** No call of Chroma depends on a record that another call writes. */
  readonly admitsLateWrites = true;
  readonly #index: ChromaIndex;
  readonly #put = groupPuts(documentsAtOnce, (group) =>
    this.#index.write((opened, view, commit) => replaceDocuments(opened, view, commit, group)),
  );

  constructor(index: ChromaIndex) {
    this.#index = index;
  }

  async put(
    document: DocumentRecord,
    chunks: readonly ChunkEntry[],
    manifest?: ManifestEntry,
    options: PutOptions = {},
  ): Promise<boolean> {
    assertEntries(document, chunks);
    return this.#put({ document, chunks, manifest, ...options });
  }

  async deletePaths(uris: readonly string[]): Promise<number> {
    const distinct = [...new Set(uris)];
    let count = 0;
    for (let start = 0; start < distinct.length; start += pathsAtOnce) {
      const part = distinct.slice(start, start + pathsAtOnce);
      count += await this.#index.write(async (_, view, commit) => {
        const there = part.flatMap((uri) => view.byId.get(documentId(uri)) ?? []);
        await commit((at) => [
          ...part.map((uri) => indexRecord(keyOf.manifest(uri), 'gone', at)),
          ...there.map(({ document }) => indexRecord(keyOf.document(document.id), 'gone', at)),
          ...there.map(({ stamp }) => garbageRecord(stamp, at)),
        ]);
        return there.length;
      });
    }
    return count;
  }

  async addVectors(name: string, entries: readonly VectorEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.#index.write(async (opened, view, commit) => {
      const known = view.spaces.get(name);
      assertVectors(known, entries);
      const space = known ?? (await opened.makeSpace(name, entries[0]?.vector.length ?? 0));
      await insertVectors(opened, view, space, entries);
      await commit((at) => (known ? [] : [spaceRecord(space, at)]));
    });
  }

  async missingVectors(name: string, limit: number, after = 0): Promise<MissingVector[]> {
    return this.#index.read((opened, view) =>
      findMissingVectors(opened, view, view.spaces.get(name), limit, after),
    );
  }

  async keysWithVector(name: string, embeddingKeys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#inSpace(name, new Set<string>(), (opened, view, space) =>
      findKeysWithVector(opened, view, space, embeddingKeys),
    );
  }

  async vectorsOf(name: string, embeddingKeys: readonly string[]): Promise<VectorEntry[]> {
    return this.#inSpace(name, [], async (opened, view, space) => {
      const known = await storedVectors(opened, view, space, embeddingKeys);
      return [...known].map(([embeddingKey, vector]) => ({ embeddingKey, vector }));
    });
  }

  async dropSpace(name: string): Promise<void> {
    await this.#index.write(async (opened, view, commit) => {
      const space = view.spaces.get(name);
      await commit((at) => (space ? [indexRecord(keyOf.space(name), 'gone', at, space)] : []));
      if (space) await opened.removeSpace(space);
    });
  }

  async searchVector(name: string, vector: Float32Array, bounds: SearchBounds): Promise<StoreMatch[]> {
    return this.#inSpace(name, [], (opened, view, space) =>
      searchVector(opened, view, space, vector, bounds),
    );
  }

  async searchText(terms: readonly string[], bounds: SearchBounds): Promise<StoreMatch[]> {
    return this.#index.read((opened, view) => searchText(opened, view, terms, bounds));
  }

  async searchPattern(pattern: TextPattern, bounds: SearchBounds): Promise<StoreMatch[]> {
    return this.#index.read((opened, view) => searchPattern(opened, view, pattern, bounds));
  }

  async chunksIn(ranges: readonly ChunkRange[]): Promise<Chunk[][]> {
    return this.#index.read((opened, view) =>
      Promise.all(
        ranges.map(({ documentId: id, first, last }) =>
          chunksWhere(opened, view, id, [{ ordinal: { $gte: first } }, { ordinal: { $lte: last } }]),
        ),
      ),
    );
  }

  async documents(filter?: Filter): Promise<DocumentRecord[]> {
    return this.#index.read((opened, view) => admittedDocuments(opened, view, filter));
  }

  async paths(): Promise<readonly string[]> {
    return this.#index.read(async (_, view) =>
      [...view.byId.values()].map(({ document }) => document.uri).sort(),
    );
  }

  async manifest(): Promise<readonly ManifestEntry[]> {
    return this.#index.readRecords(async (records) => {
      const entries = new Map<string, ManifestEntry>();
      for await (const page of records.pages({ where: { kind: 'manifest' }, include: ['metadatas'] }))
        for (const record of page) entries.set(record.id, readValue<ManifestEntry>(record));
      return [...entries.values()];
    });
  }

  async putManifest(entries: readonly ManifestEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const latest = new Map(entries.map((entry) => [entry.uri, entry]));
    await this.#index.write((_opened, _view, commit) =>
      commit((at) => [...latest.values()].map((entry) => manifestRecord(entry, at))),
    );
  }

  async setFact(name: string, value: string | undefined): Promise<void> {
    const key = keyOf.fact(name);
    await this.#index.write((_opened, _view, commit) =>
      commit((at) => [
        value === undefined ? indexRecord(key, 'gone', at) : indexRecord(key, 'fact', at, { name, value }),
      ]),
    );
  }

  async state(): Promise<IndexState> {
    return this.#index.read(async (opened, view) => {
      const records = await this.#index.readRecords((found) =>
        found.get({ where: { kind: 'fact' }, include: ['metadatas'] }),
      );
      const spaces = [...view.spaces.values()].map(async (space) => {
        const embedded = (await opened.embedded(space, view)).count(view);
        return [space.name, { dimensions: space.dimensions, embedded }] as const;
      });
      return {
        revision: view.revision,
        isEmpty: view.byId.size === 0,
        chunks: view.chunks,
        spaces: spacesByName(await Promise.all(spaces)),
        facts: new Map(
          records.map((record) => readValue<Fact>(record)).map(({ name, value }) => [name, value]),
        ),
      };
    });
  }

  /** Chroma does not say how much it takes: what was sent there, but for the vectors. */
  async bytes(): Promise<number> {
    return this.#index.read(async (_, view) => view.bytes);
  }

  async *chunkVectors(name: string, limit: number): AsyncGenerator<ChunkVector> {
    const found = await this.#index.read(async (opened, view) => ({
      opened,
      view,
      space: view.spaces.get(name),
    }));
    if (!found.space || limit <= 0) return;
    found.view.users += 1;
    try {
      yield* readChunkVectors(found.opened, found.view, found.space, limit);
    } finally {
      found.view.users -= 1;
    }
  }

  async close(): Promise<void> {
    await this.#index.close();
  }

  async #inSpace<Result>(
    name: string,
    nothing: Result,
    work: (opened: Opened, view: View, space: Space) => Promise<Result>,
  ): Promise<Result> {
    return this.#index.read(async (opened, view) => {
      const space = view.spaces.get(name);
      return space ? work(opened, view, space) : nothing;
    });
  }
}

interface Fact {
  readonly name: string;
  readonly value: string;
}

async function insertVectors(
  opened: Opened,
  view: View,
  space: Space,
  entries: readonly VectorEntry[],
): Promise<void> {
  const records = await vectorRecords(opened, view, entries);
  if (records.length === 0) return;
  await opened.vectors(space).upsert(records);
  opened.noteVectors(space, records);
}

async function chunksWhere(
  { chunks }: Opened,
  view: View,
  document: string,
  conditions: readonly Condition[] = [],
): Promise<Chunk[]> {
  const stored = view.byId.get(document);
  if (!stored || stored.chunks === 0) return [];
  const where = all([{ stamp: stored.stamp }, ...conditions]);
  const found = await chunks.get({ where, include: ['metadatas'] });
  return found.map((record) => readValue<Chunk>(record)).sort((one, other) => one.ordinal - other.ordinal);
}
