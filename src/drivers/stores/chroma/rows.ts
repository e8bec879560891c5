import type { ChunkEntry, ManifestEntry } from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import { documentId, sha256 } from '../../../core/identity.ts';
import { chunkWords } from '../words.ts';
import { anyVector, type FoundRecord, type Metadata, type NewRecord } from './collection.ts';
import { momentOf } from './stamps.ts';
import { wordTokens } from './tokens.ts';

/** Chroma's service takes no value of more bytes. */
const longestValue = 4_000;
/** So many characters are never more bytes; none is cut in two. */
const pieceOfText = /[\s\S]{1,1000}/gu;

/** What is known of a document without its chunks. */
export interface StoredDocument {
  readonly document: DocumentRecord;
  /** Names the chunks that belong to it: those of another stamp are of a former state, or of none yet. */
  readonly stamp: string;
  readonly chunks: number;
  /** Behind the ordinal of its last chunk. */
  readonly end: number;
  /** Words of all its chunks. */
  readonly words: number;
  readonly bytes: number;
}

/** A space of vectors and the collection that holds them. */
export interface Space {
  readonly name: string;
  /** Name and identity of the collection. */
  readonly collection: string;
  readonly id: string;
  readonly dimensions: number;
}

/** Where a chunk stands, as its id says it. */
export interface ChunkPlace {
  readonly stamp: string;
  readonly ordinal: number;
  /** Number of its words. */
  readonly length: number;
}

/** What the records of an index are. */
export type Kind = 'document' | 'manifest' | 'fact' | 'space' | 'garbage' | 'state' | 'gone';

export const keyOf = {
  document: (id: string) => `d:${id}`,
  manifest: (uri: string) => `m:${documentId(uri)}`,
  fact: (name: string) => `f:${sha256(name)}`,
  space: (name: string) => `s:${sha256(name)}`,
  garbage: (stamp: string) => `g:${stamp}`,
};

/** A record of an index. */
export function indexRecord(id: string, kind: Kind, at: number, value?: object): NewRecord {
  return { id, metadata: { kind, at, ...(value && pieces(value)) }, embedding: anyVector() };
}

/** The chunks of a document as records. */
export function chunkRecords(
  document: DocumentRecord,
  entries: readonly ChunkEntry[],
  stamp: string,
): NewRecord[] {
  return entries.map(({ chunk, embeddingKey }, place) => {
    const { lines, length } = chunkWords(chunk, document);
    return {
      id: `${stamp}-${chunk.ordinal}-${length}`,
      document: wordTokens(lines),
      embedding: anyVector(),
      metadata: {
        ...filterFields(chunk, document),
        stamp,
        // By the first one it is found out that no document names them.
        ...(place === 0 && { first: momentOf(stamp) }),
        ordinal: chunk.ordinal,
        key: embeddingKey,
        ...(chunk.writtenAt !== undefined && { written_at: chunk.writtenAt }),
        ...pieces(chunk),
      },
    };
  });
}

/** What a filter compares: beside the chunk, and beside each of its vectors. */
function filterFields(chunk: Chunk, { type, origin, metadata, modifiedAt }: DocumentRecord) {
  return {
    type,
    origin,
    language: String(metadata.language ?? ''),
    symbol_kind: chunk.symbol?.kind ?? '',
    moment: chunk.writtenAt ?? modifiedAt,
  };
}

/** The record of a vector for a chunk that is stored. */
export function vectorRecord(
  id: string,
  { type, origin, language, symbol_kind, moment, stamp, key }: Metadata,
  vector: Float32Array,
  at: number,
): NewRecord {
  const metadata = {
    type: type ?? '',
    origin: origin ?? '',
    language: language ?? '',
    symbol_kind: symbol_kind ?? '',
    moment: moment ?? 0,
    stamp: stamp ?? '',
    key: key ?? '',
    at,
  };
  return { id, metadata, embedding: [...vector] };
}

export function placeOf(id: string): ChunkPlace {
  const [stamp = '', ordinal, length] = id.split('-');
  return { stamp, ordinal: Number(ordinal), length: Number(length) };
}

/** The order in which chunks came into the index. */
export function positionOf({ stamp, ordinal }: ChunkPlace): number {
  return momentOf(stamp) + ordinal;
}

/** What a record holds; only this store writes there. */
export function readValue<Value>({ metadata }: Pick<FoundRecord, 'metadata'>): Value {
  let text = '';
  for (let number = 0; number < Number(metadata.pieces); number += 1) text += metadata[`piece${number}`];
  return JSON.parse(text) as Value;
}

/** A record that is replaced keeps values which the new one lacks, so that the number of pieces is one of them. */
function pieces(value: object): Metadata {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) <= longestValue) return { pieces: 1, piece0: text };
  const parts = text.match(pieceOfText) ?? [];
  return {
    pieces: parts.length,
    ...Object.fromEntries(parts.map((part, number) => [`piece${number}`, part])),
  };
}

export function manifestRecord(entry: ManifestEntry, at: number): NewRecord {
  return indexRecord(keyOf.manifest(entry.uri), 'manifest', at, entry);
}

/** The record that names a space. */
export function spaceRecord(space: Space, at: number): NewRecord {
  return indexRecord(keyOf.space(space.name), 'space', at, space);
}
