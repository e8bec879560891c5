import type { Metadata } from '../../../core/document.ts';
import {
  asksForOwnFields,
  isByAny,
  messagesField,
  ownFieldNames,
  ownFieldsPass,
} from '../../../core/documents/own-fields.ts';
import { meantWhole } from '../../../core/documents/people.ts';
import type { Filter } from '../../../core/filter.ts';
import { pathExpressions } from '../../../core/globs/glob.ts';
import type { Names } from './names.ts';
import type { Ask } from './pool.ts';
import { readText, writeText } from './rows.ts';

/** The values of a statement, each with the placeholder that stands for it. */
export class Values {
  readonly all: unknown[] = [];

  /** The placeholder of a value. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

/** A filter whose tags, fields and authors have been compared: the numbers of what says what it asks for. */
export type ComparedFilter = Filter & {
  readonly documents?: readonly number[];
  readonly written?: Written;
};

/** What the authors of a filter wrote: whole documents, and chunks of documents that hold messages. */
interface Written {
  readonly documents: readonly number[];
  readonly chunks: readonly number[];
  /** The documents of those chunks. */
  readonly boxes: readonly number[];
}

/**
 * Compares what documents say of themselves here, so that case means in each store what it means in the core. Only those that have
 * a field of the name travel.
 */
export async function compareOwnFields(
  ask: Ask,
  names: Names,
  filter: Filter | undefined,
): Promise<ComparedFilter | undefined> {
  if (!filter) return filter;
  return {
    ...filter,
    ...(asksForOwnFields(filter) && { documents: await documentsSaying(ask, names, filter) }),
    ...(filter.authors && { written: await writtenBy(ask, names, filter.authors) }),
  };
}

async function documentsSaying(ask: Ask, { index }: Names, filter: Filter): Promise<number[]> {
  const values = new Values();
  const present = ownFieldNames(filter).map((names) => {
    const patterns = names.map((name) => `%${escaped(JSON.stringify(name))}%`);
    return `metadata ILIKE ANY(${values.add(patterns)}::text[])`;
  });
  const rows = await ask(
    `SELECT number, metadata FROM ${index}.documents WHERE ${present.join(' AND ') || 'true'}`,
    values.all,
  );
  return rows
    .filter(({ metadata }) => ownFieldsPass(filter, metadataIn(metadata)))
    .map(({ number }) => Number(number));
}

async function writtenBy(ask: Ask, { index }: Names, authors: readonly string[]): Promise<Written> {
  const values = new Values();
  const named = values.add(authors.map(patternOf));
  const holdsMessages = `d.metadata LIKE ${values.add(`%"${messagesField}"%`)}`;
  const documents = await ask(
    `SELECT d.number, d.metadata FROM ${index}.documents d
     WHERE NOT ${holdsMessages} AND d.metadata ILIKE ANY(${named}::text[])`,
    values.all,
  );
  const chunks = await ask(
    `SELECT c.number, c.document, c.metadata AS own, d.metadata
     FROM ${index}.documents d JOIN ${index}.chunks c ON c.document = d.number
     WHERE ${holdsMessages} AND (c.metadata ILIKE ANY(${named}::text[]) OR d.metadata ILIKE ANY(${named}::text[]))`,
    values.all,
  );
  const passing = chunks.filter(({ metadata, own }) =>
    isByAny(authors, metadataIn(metadata), metadataIn(own)),
  );
  return {
    documents: documents
      .filter(({ metadata }) => isByAny(authors, metadataIn(metadata)))
      .map(({ number }) => Number(number)),
    chunks: passing.map(({ number }) => Number(number)),
    boxes: [...new Set(passing.map(({ document }) => Number(document)))],
  };
}

/** What the metadata of everything holds that this author wrote. */
function patternOf(author: string): string {
  const named = meantWhole(author.trim()) ?? author.trim();
  return `%${escaped(JSON.stringify(named).slice(1, -1))}%`;
}

function metadataIn(stored: unknown): Metadata {
  return JSON.parse(readText(stored)) as Metadata;
}

/** A text as a pattern that means only itself; letters that the server may fold in another way than we do stand for any. */
function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&').replace(/[^\x20-\x7e]/gu, '%');
}

/** The documents that a filter admits, or any content of, as a condition on `documents d`; `true` where it admits all. */
export function documentCondition(names: Names, filter: ComparedFilter, values: Values): string {
  const own = within('d.modified_at', filter, values);
  const parts = within('c.written_at', filter, values);
  const { written } = filter;
  return allOf([
    wholeCondition(filter, values),
    written && among('d.number', [...written.documents, ...written.boxes], values),
    own &&
      `(${own} OR EXISTS (SELECT 1 FROM ${names.index}.chunks c WHERE c.document = d.number AND ${parts}))`,
  ]);
}

/** The whole filter as a condition on `chunks c JOIN documents d`; `true` where it admits all. */
export function chunkCondition(filter: ComparedFilter, values: Values): string {
  const { written } = filter;
  return allOf([
    written &&
      `(${among('d.number', written.documents, values)} OR ${among('c.number', written.chunks, values)})`,
    oneOf('c.symbol_kind', filter.symbolKinds, values),
    wholeCondition(filter, values),
    within('coalesce(c.written_at, d.modified_at)', filter, values),
  ]);
}

/** The part of a filter that concerns all chunks of a document alike. */
function wholeCondition(
  { types, origins, languages, paths, documents }: ComparedFilter,
  values: Values,
): string | undefined {
  const { admitted, excluded } = pathExpressions(paths ?? []);
  return allOf([
    oneOf('d.type', types, values),
    oneOf('d.origin', origins, values),
    oneOf('d.language', languages, values),
    admitted && `d.uri ~ ${values.add(admitted)}`,
    excluded && `d.uri !~ ${values.add(excluded)}`,
    documents && among('d.number', documents, values),
  ]);
}

function among(column: string, numbers: readonly number[], values: Values): string {
  return `${column} = ANY(${values.add(numbers)}::bigint[])`;
}

function within(column: string, { since, until }: Filter, values: Values): string | undefined {
  const bounds = [
    isMoment(since) ? `${column} >= ${values.add(since)}::double precision` : undefined,
    isMoment(until) ? `${column} < ${values.add(until)}::double precision` : undefined,
  ].filter((bound) => bound !== undefined);
  return bounds.length === 0 ? undefined : `(${bounds.join(' AND ')})`;
}

function isMoment(value: number | undefined): value is number {
  return value !== undefined && !Number.isNaN(value);
}

function oneOf(column: string, admitted: readonly string[] | undefined, values: Values): string | undefined {
  return admitted && `${column} = ANY(${values.add(admitted.map(writeText))}::text[])`;
}

function allOf(conditions: readonly (string | undefined)[]): string {
  const present = conditions.filter((condition) => condition !== undefined && condition !== 'true');
  return present.length === 0 ? 'true' : present.join(' AND ');
}
