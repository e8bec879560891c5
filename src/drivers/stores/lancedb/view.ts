import type { Table } from '@lancedb/lancedb';
import type { IndexState } from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import type { DocumentRecord, Metadata } from '../../../core/document.ts';
import { messagesField } from '../../../core/documents/own-fields.ts';
import { once } from '../../../platform/once.ts';
import { spacesByName } from '../spaces-by-name.ts';
import type { Collection } from '../words.ts';
import { isChunk, isEmpty, oneOf, readRecord } from './rows.ts';
import type { Seal } from './seal.ts';

/** Where the column of a space says its name. */
export const spaceName = 'quarry:space';

/** A space of vectors and the column that holds them. */
export interface Space {
  readonly name: string;
  readonly column: string;
  readonly dimensions: number;
}

interface Message {
  readonly key: string;
  readonly document: DocumentRecord;
  readonly own: Metadata;
}

/** What many calls ask of one version of the table, read once. */
export class View {
  readonly version: number;
  readonly #table: Table;
  readonly #seal: Seal;
  /** Chunks that hold a word, as far as they were counted. */
  readonly wordCounts = new Map<string, number>();

  constructor({ table, seal }: { readonly table: Table; readonly seal: Seal }, version: number) {
    this.#table = table;
    this.#seal = seal;
    this.version = version;
  }

  /** All documents, by the order in which their rows stand. */
  readonly documents = once(async (): Promise<readonly DocumentRecord[]> => {
    const rows = await this.#table.query().where("kind = 'document'").select(['record']).toArray();
    return rows.map((row) => readRecord<DocumentRecord>(this.#seal, 'document', row));
  });

  /** The chunks of documents that hold messages, each with what it says of itself. */
  readonly messages = once(async (): Promise<readonly Message[]> => {
    const holders = (await this.documents()).filter(({ metadata }) => messagesField in metadata);
    const byId = new Map(holders.map((document) => [document.id, document]));
    if (byId.size === 0) return [];
    const within = oneOf('document', [...byId.keys()]);
    const rows = await this.#table
      .query()
      .where(`${isChunk} AND ${within}`)
      .select(['key', 'record'])
      .toArray();
    return rows.flatMap((row) => {
      const { documentId, metadata } = readRecord<Chunk>(this.#seal, 'chunk', row);
      const document = byId.get(documentId);
      return document ? [{ key: String(row.key), document, own: metadata }] : [];
    });
  });

  readonly spaces = once(async (): Promise<ReadonlyMap<string, Space>> => {
    const { fields } = await this.#table.schema();
    return new Map(
      fields.flatMap(({ name: column, metadata, type }) => {
        const name = metadata.get(spaceName);
        return name === undefined ? [] : [[name, { name, column, dimensions: Number(type.listSize) }]];
      }),
    );
  });

  /** Rows that hold nothing any more, until the table is tidied; a vector of theirs may still be found. */
  readonly emptyRows = once(() => this.#table.countRows(isEmpty));

  readonly collection = once(async (): Promise<Collection> => {
    const chunks = await this.#table.countRows(isChunk);
    const found = await this.#table.query().where("kind = 'document'").select(['length']).toArrow();
    let words = 0;
    for (const length of found.getChild('length') ?? []) words += Number(length ?? 0);
    return { chunks, averageLength: Math.max(1, words) / Math.max(1, chunks) };
  });

  /** The index as a whole. */
  readonly state = once(async (): Promise<IndexState> => {
    const embedded = [...(await this.spaces()).values()].map(async ({ name, column, dimensions }) => {
      const count = await this.#table.countRows(`has_${column}`);
      return [name, { dimensions, embedded: count }] as const;
    });
    const facts = await this.#table.query().where("kind = 'fact'").select(['record']).toArray();
    return {
      revision: this.version,
      isEmpty: (await this.#table.countRows("kind = 'document'")) === 0,
      chunks: (await this.collection()).chunks,
      spaces: spacesByName(await Promise.all(embedded)),
      facts: new Map(
        facts.map((row) => {
          const { name, value } = readRecord<{ name: string; value: string }>(this.#seal, 'fact', row);
          return [name, value];
        }),
      ),
    };
  });
}
