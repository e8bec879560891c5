import { z } from 'zod';
import type { VectorEntry } from '../../../contracts/store.ts';
import type { NearKey, VectorEngine } from '../../../contracts/vector-engine.ts';
import { QuarryError } from '../../../core/errors.ts';
import { cosine } from '../../../core/vectors/cosine.ts';
import { type ChromaCall, type ChromaServer, isGone, isTaken } from './server.ts';

/** How Chroma builds and searches the graph: with an `ef_search` of 200, a third of the hundred nearest was missed. */
const hnsw = { space: 'cosine', ef_construction: 150, ef_search: 1000, max_neighbors: 24 };
/** Records in one call, where the server takes as many. */
const maxRecords = 2_000;
/** Bytes in one call; servers take 40 MB by default. */
const maxBytes = 8_000_000;
/** Pages of keys begin before the end of the last one: records that vanish meanwhile move the others forward. */
const overlap = 200;
/** Results of a search up to which nobody asks how many there are. */
const maxUncounted = 1_000;

/** Collections of a Chroma database, one for each space, named with a prefix before the name of the space. */
export function chromaEngine(server: ChromaServer, place: string, prefix: string): VectorEngine {
  /** The collections that are known by the names of their spaces: each has an identity of its own, which one that replaces it has not. */
  const known = new Map<string, string>();
  const nameOf = (space: string) => `${prefix}--${space}`;
  const pathOf = (space: string) => `/collections/${encodeURIComponent(nameOf(space))}`;
  /** The answer; undefined where it is asked of something that is not there. */
  const ask = async (call: ChromaCall): Promise<unknown> => {
    try {
      return await server.send(call);
    } catch (thrown) {
      if (isGone(thrown)) return undefined;
      throw thrown;
    }
  };
  /** What a collection answers; undefined where it is not there, or no more. */
  const inCollection = async <Schema extends z.ZodType>(
    space: string,
    action: string,
    schema: Schema,
    body?: object,
  ): Promise<z.output<Schema> | undefined> => {
    const before = known.get(space);
    const found = before ?? (await ask({ method: 'GET', path: pathOf(space) }));
    if (found === undefined) return undefined;
    const id = before ?? parse(collection, found).id;
    known.set(space, id);
    const call = body ? { method: 'POST' as const, body } : { method: 'GET' as const };
    const answer = await ask({ ...call, path: `/collections/${encodeURIComponent(id)}/${action}` });
    if (answer !== undefined) return parse(schema, answer);
    known.delete(space);
    // It may have been made again since it was known.
    return before === undefined ? undefined : inCollection(space, action, schema, body);
  };
  const batch = async () => Math.min(maxRecords, (await server.limits()).maxRecords);
  const count = (space: string) => inCollection(space, 'count', z.int().min(0));
  const keys = async function* (space: string): AsyncGenerator<readonly string[]> {
    const limit = await batch();
    let seen = new Set<string>();
    for (let offset = 0; ; offset += limit - Math.min(overlap, limit >> 1)) {
      const { ids } =
        (await inCollection(space, 'get', records, { limit, offset, include: [] })) ?? noRecords;
      yield ids.filter((id) => !seen.has(id));
      if (ids.length < limit) return;
      seen = new Set(ids);
    }
  };
  const read = async (space: string, wanted: readonly string[]): Promise<VectorEntry[] | undefined> => {
    const entries: VectorEntry[] = [];
    for (const ids of parts([...new Set(wanted)], await batch())) {
      const page = await inCollection(space, 'get', records, { ids, include: ['embeddings'] });
      if (!page) return undefined;
      for (const [at, embeddingKey] of page.ids.entries())
        entries.push({ embeddingKey, vector: Float32Array.from(page.embeddings?.[at] ?? []) });
    }
    return entries;
  };
  /** All that are not among these, compared one by one. */
  const others = async (
    space: string,
    vector: Float32Array,
    near: readonly NearKey[],
  ): Promise<NearKey[]> => {
    const found = new Set(near.map(({ embeddingKey }) => embeddingKey));
    const missed: string[] = [];
    for await (const page of keys(space)) missed.push(...page.filter((key) => !found.has(key)));
    const entries = (await read(space, missed)) ?? [];
    return entries.map((entry) => ({
      embeddingKey: entry.embeddingKey,
      score: cosine(vector, entry.vector),
    }));
  };

  return {
    place,
    async create(space) {
      const body = { name: nameOf(space), configuration: { hnsw } };
      try {
        await server.send({ method: 'POST', path: '/collections', body });
      } catch (thrown) {
        if (!isTaken(thrown)) throw thrown;
      }
    },
    async spaces(beginning) {
      const spaces: string[] = [];
      const atOnce = 200;
      for (let offset = 0; ; offset += atOnce) {
        const path = `/collections?limit=${atOnce}&offset=${offset}`;
        const page = parse(z.array(collection), await server.send({ method: 'GET', path }));
        for (const { name } of page)
          if (name.startsWith(nameOf(beginning))) spaces.push(name.slice(nameOf('').length));
        if (page.length < atOnce) return spaces;
      }
    },
    async upsert(space, entries) {
      const { maxRecords: max, readsBytes } = await server.limits();
      const size = Math.min(maxRecords, max, Math.ceil(maxBytes / (20 * (entries[0]?.vector.length ?? 1))));
      for (const part of parts(entries, size)) {
        const body = {
          ids: part.map(({ embeddingKey }) => embeddingKey),
          // As numbers they would be five times as long.
          embeddings: part.map(({ vector }) => (readsBytes ? bytesOf(vector) : [...vector])),
        };
        if ((await inCollection(space, 'upsert', z.unknown(), body)) === undefined) return false;
      }
      return true;
    },
    read,
    async nearest(space, vector, limit) {
      const max = limit > maxUncounted ? Math.min(limit, (await count(space)) ?? 0) : limit;
      const body = { query_embeddings: [[...vector]], n_results: Math.max(1, max), include: ['distances'] };
      const answer = await inCollection(space, 'query', nearRecords, body);
      if (!answer) return undefined;
      const [[ids = []], [distances = []]] = [answer.ids, answer.distances];
      const near = ids.map((embeddingKey, at) => ({ embeddingKey, score: 1 - (distances[at] ?? 0) }));
      // The graph does not lead to every record.
      const isWhole = near.length >= limit || near.length >= ((await count(space)) ?? 0);
      const all = isWhole ? near : [...near, ...(await others(space, vector, near))];
      return all.sort(nearestFirst).slice(0, limit);
    },
    count,
    keys,
    async delete(space, gone) {
      for (const ids of parts(gone, await batch())) await inCollection(space, 'delete', z.unknown(), { ids });
    },
    async drop(space) {
      known.delete(space);
      await ask({ method: 'DELETE', path: pathOf(space) });
    },
    async close() {
      server.close();
    },
  };
}

const collection = z.object({ id: z.string(), name: z.string() });
const records = z.object({ ids: z.array(z.string()), embeddings: z.array(z.array(z.number())).nullish() });
const noRecords: z.output<typeof records> = { ids: [] };
const nearRecords = z.object({
  ids: z.array(z.array(z.string())),
  distances: z.array(z.array(z.number().nullable())),
});

/** The answer as it must be: what listens there may say anything. */
function parse<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new QuarryError(
    'provider-refused',
    'The server that keeps the vectors does not answer as Chroma does.',
    'Check that store.url leads to a Chroma server of version 1 or later.',
  );
}

function nearestFirst(one: NearKey, other: NearKey): number {
  return other.score - one.score || (one.embeddingKey < other.embeddingKey ? -1 : 1);
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function* parts<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
