import { z } from 'zod';
import { filterSchema } from '../core/filter.ts';
import { maxQueryLength } from '../core/query.ts';
import type { Fences } from './leases.ts';
import { defectKinds, type SpaceState, type Store, type StoreDefect, type VectorEntry } from './store.ts';
import {
  boundsSchema,
  chunkEntrySchema,
  chunkSchema,
  documentSchema,
  manifestEntrySchema,
  matchSchema,
  vectorEntrySchema,
  vectorSchema,
} from './store-records.ts';

/** One method of a store, as it is called on another machine. */
export interface StoreCall {
  readonly effect: 'reads' | 'writes';
  /** What the arguments are; those that may be left out are null on the way. */
  readonly input: z.ZodTuple;
  /** What it answers; nothing is null on the way. */
  readonly output: z.ZodType;
  /** How it is performed where the method takes a signal or answers with a stream; undefined where a store has no such method. */
  readonly run?: (
    store: Store,
    signal: AbortSignal,
    ...given: readonly unknown[]
  ) => Promise<unknown> | undefined;
}

const text = z.string();
const texts = z.array(text);
/** Terms of a search; a query of people has far fewer, and their time grows with their square. */
const maxTerms = 5_000;
/** Ranges of documents in one call: as many as a search shows, and more. */
const maxRanges = 1_000;
/** Vectors are written from memory of their own or shared; the bytes are the same. */
type Sent = z.output<typeof vectorEntrySchema>;
const keys = z.codec(texts, z.set(text), {
  decode: (list) => new Set(list),
  encode: (set) => [...set],
});
const facts = z.codec(
  z.array(z.tuple([text, text])),
  z.custom<ReadonlyMap<string, string>>((value) => value instanceof Map),
  { decode: (pairs) => new Map(pairs), encode: (map) => [...map] as [string, string][] },
);
const spaceState = z.object({ dimensions: z.int(), embedded: z.int() });
const spaces = z.codec(
  z.array(z.tuple([text, spaceState])),
  z.custom<ReadonlyMap<string, SpaceState>>((value) => value instanceof Map),
  { decode: (pairs) => new Map(pairs), encode: (map) => [...map] as [string, SpaceState][] },
);
const stateSchema = z.object({ revision: z.number(), isEmpty: z.boolean(), chunks: z.int(), spaces, facts });
const vectorsBySpace = z.codec(
  z.array(z.tuple([text, z.array(vectorEntrySchema)])),
  z.custom<ReadonlyMap<string, VectorEntry[]>>((value) => value instanceof Map),
  { decode: (pairs) => new Map(pairs), encode: (map) => [...map] as [string, Sent[]][] },
);
const changedFacts = z.codec(
  z.array(z.tuple([text, text.nullable()])),
  z.custom<ReadonlyMap<string, string | undefined>>((value) => value instanceof Map),
  {
    decode: (pairs) => new Map(pairs.map(([name, value]) => [name, value ?? undefined])),
    encode: (map) => [...map].map(([name, value]): [string, string | null] => [name, value ?? null]),
  },
);
/** Fences as they travel. */
export const fencesSchema = z.codec(
  z.array(z.tuple([text.max(100), z.int().min(0)])).max(10),
  z.custom<Fences>((value) => value instanceof Map),
  { decode: (pairs) => new Map(pairs), encode: (map) => [...map] as [string, number][] },
);
/** A lease as it travels. */
export const knownLeaseSchema = z.object({
  fence: z.int().min(0),
  state: z.enum(['free', 'held', 'over']),
  stamp: z.union([text, z.number()]),
  holder: text.max(300).optional(),
});
const documentChange = z.strictObject({
  document: documentSchema,
  chunks: z.array(chunkEntrySchema),
  manifest: manifestEntrySchema.optional(),
  vectors: vectorsBySpace.optional(),
  replaces: manifestEntrySchema.optional(),
});
const changes = z.strictObject({
  removed: texts.optional(),
  documents: z.array(documentChange).optional(),
  manifest: z.array(manifestEntrySchema).optional(),
  vectors: vectorsBySpace.optional(),
  facts: changedFacts.optional(),
  droppedSpaces: texts.optional(),
  fences: fencesSchema.optional(),
});

const call = (
  effect: StoreCall['effect'],
  input: readonly [] | readonly [z.ZodType, ...z.ZodType[]],
  output: z.ZodType,
): StoreCall => ({ effect, input: z.tuple(input as [z.ZodType]), output });

const defect = z.object({ kind: z.enum(defectKinds), uri: text.exactOptional(), detail: text });
/** Defects that travel; an index with more is beyond reading them. */
const maxDefects = 10_000;

async function firstDefects(
  found: AsyncIterable<StoreDefect> | readonly StoreDefect[],
): Promise<StoreDefect[]> {
  const defects: StoreDefect[] = [];
  for await (const each of found) {
    if (defects.length === maxDefects)
      return [...defects, { kind: 'structure', detail: `and more: only ${maxDefects} defects are listed` }];
    defects.push(each);
  }
  return defects;
}

/** How far a preparation is; its work continues after the answer. Undefined where there is nothing to do. */
async function firstOf<Value>(values: AsyncIterable<Value>): Promise<Value | undefined> {
  for await (const value of values) return value;
  return undefined;
}

/** The core of a store and what it can do besides, as calls from another machine. */
export const storeCalls = {
  commit: call('writes', [changes], z.object({ removed: z.int(), stored: z.array(z.boolean()) })),
  missingVectors: call(
    'reads',
    [text, z.int(), z.int().nullable()],
    z.array(z.object({ embeddingKey: text, text, position: z.number() })),
  ),
  keysWithVector: call('reads', [text, texts], keys),
  vectorsOf: call('reads', [text, texts], z.array(vectorEntrySchema)),
  searchVector: call('reads', [text, vectorSchema, boundsSchema], z.array(matchSchema)),
  searchText: call('reads', [texts.max(maxTerms), boundsSchema], z.array(matchSchema)),
  searchPattern: call(
    'reads',
    [
      z.strictObject({ text: text.max(maxQueryLength), isRegex: z.boolean(), ignoreCase: z.boolean() }),
      boundsSchema,
    ],
    z.array(matchSchema),
  ),
  chunksIn: call(
    'reads',
    [z.array(z.strictObject({ documentId: text, first: z.int(), last: z.int() })).max(maxRanges)],
    z.array(z.array(chunkSchema)),
  ),
  documents: call('reads', [filterSchema.nullable()], z.array(documentSchema)),
  paths: call('reads', [], texts),
  manifest: call('reads', [], z.array(manifestEntrySchema)),
  state: call('reads', [], stateSchema),
  bytes: call('reads', [], z.number()),
  checkStructure: {
    ...call('reads', [], z.array(defect)),
    run: (store, signal) => firstDefects(store.checkStructure?.({ signal }) ?? []),
  },
  prepareSearch: {
    ...call('writes', [text], z.object({ done: z.number(), total: z.number() }).nullable()),
    run: (store, _, space) => store.prepareSearch && firstOf(store.prepareSearch(String(space))),
  },
} as const satisfies Partial<Record<keyof Store, StoreCall>>;

/** A method that can be called on another machine. */
export type StoreCallName = keyof typeof storeCalls;

/** The names of all calls. */
export const storeCallNames = Object.keys(storeCalls) as readonly StoreCallName[];

/** Whether a word names a call. */
export function isStoreCall(name: string): name is StoreCallName {
  return Object.hasOwn(storeCalls, name);
}

/** The arguments as they travel: one for each that the method takes, null for those left out. */
export function encodeArguments(name: StoreCallName, given: readonly unknown[]): unknown[] {
  const { input } = storeCalls[name];
  return z.encode(
    input,
    input.def.items.map((_, index) => given[index] ?? null),
  );
}
