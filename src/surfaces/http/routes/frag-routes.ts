import type { Hono } from 'hono';
import { z } from 'zod';
import type { StoreMatch } from '../../../contracts/store.ts';
import { QuarryError } from '../../../core/errors.ts';
import { filterSchema } from '../../../core/filter.ts';
import { topKSchema } from '../../../core/search-options.ts';
import type { Engine } from '../../../engine/engine.ts';
import { putDocument } from '../../../index/write.ts';
import type { ProjectEntry } from '../../../user/project-entry.ts';
import { readChecked } from '../requests/read-input.ts';
import { type RequestContext, type RequestOf, requireScope } from '../requests/request-context.ts';
import { documentsOf, storedChunkSchema } from './embedded-chunks.ts';
import { notRemote, requireRemote } from './index-routes.ts';

const projectFields = {
  project: z.string().optional().describe('The project; made known to the server where it is not.'),
  project_id: z.string().optional().describe('The same, as other services name it.'),
  model: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Names the vector space. Without it `default`, or the only space that there is.'),
};

/** What `/frag/store` takes. */
export const storeInput = z.strictObject({
  ...projectFields,
  chunks: z.array(storedChunkSchema).min(1).max(10_000),
});

/** What `/frag/search/embedding` takes. */
export const embeddingSearchInput = z.strictObject({
  ...projectFields,
  embedding: z.array(z.number()).min(1).max(65_536),
  top_k: topKSchema.default(5),
  filter: filterSchema.optional(),
});

/** Texts with their vectors: what takes some tens of milliseconds to read. */
const boundsOfStore = { bytes: 4 * 1024 * 1024, values: 50_000, numbers: 1_000_000 };
/** One vector. */
const boundsOfSearch = { bytes: 2 * 1024 * 1024, numbers: 70_000 };

/** Chunks that a client has embedded: kept, and searched by an embedding, with no model on this machine. */
export function addFragRoutes(app: Hono<RequestContext>, engine: Engine): void {
  const { clientIndexes } = engine;
  app.post('/frag/store', async (c) => {
    const { model = 'default', chunks, ...named } = await readChecked(c, storeInput, boundsOfStore);
    const entry = await entryOf(c, engine, named, 'project:write');
    const { current } = await clientIndexes.list(entry);
    const documents = documentsOf(chunks);
    await clientIndexes.use(entry, current, async (store) => {
      for (const { document, entries, vectors } of documents)
        await putDocument(store, { document, chunks: entries, vectors: new Map([[model, vectors]]) });
    });
    return c.json({ project: entry.id, documents: documents.length, chunks: chunks.length });
  });
  app.post('/frag/search/embedding', async (c) => {
    const input = await readChecked(c, embeddingSearchInput, boundsOfSearch);
    const entry = await entryOf(c, engine, input, 'project:read');
    const { current } = await clientIndexes.list(entry);
    const matches = await clientIndexes.use(entry, current, async (store) => {
      const space = input.model ?? onlySpace([...(await store.state()).spaces.keys()]);
      const bounds = { limit: input.top_k, ...(input.filter && { filter: input.filter }) };
      return store.searchVector(space, Float32Array.from(input.embedding), bounds);
    });
    return c.json({ results: matches.map(resultOf) });
  });
}

function resultOf({ chunk, document, score }: StoreMatch): object {
  const { id, text, metadata, span } = chunk;
  return {
    id,
    path: document.uri,
    text,
    score,
    start_line: span.firstLine,
    end_line: span.lastLine,
    metadata,
  };
}

function onlySpace(spaces: readonly string[]): string {
  if (spaces.length <= 1) return spaces[0] ?? 'default';
  throw new QuarryError(
    'usage-invalid',
    'The project has vectors of several models.',
    `Add "model": one of ${spaces.join(', ')}.`,
  );
}

/** The project that the request names; with the right to write it, one that is new is registered. */
async function entryOf(
  c: RequestOf,
  engine: Engine,
  named: { readonly project?: string | undefined; readonly project_id?: string | undefined },
  scope: 'project:read' | 'project:write',
): Promise<ProjectEntry> {
  const id = named.project ?? named.project_id;
  if (id === undefined)
    throw new QuarryError('usage-invalid', 'The request names no project.', 'Add "project": its id.');
  requireScope(c, scope, id);
  if (scope === 'project:read') return requireRemote(await engine.find(id));
  const known = await engine.find(id).catch((thrown: unknown) => {
    if (!(thrown instanceof QuarryError && thrown.code === 'project-not-found')) throw thrown;
  });
  if (known && known.files !== 'streamed') return requireRemote(known);
  return engine.register(id, undefined, 'remote').catch((thrown: unknown) => {
    const isTaken = known && thrown instanceof QuarryError && thrown.code === 'usage-invalid';
    throw isTaken ? notRemote(known) : thrown;
  });
}
