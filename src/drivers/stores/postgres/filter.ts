import type { Metadata } from '../../../core/document.ts';
import { asksForOwnFields, ownFieldNames, ownFieldsPass } from '../../../core/documents/own-fields.ts';
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

/** A filter whose tags, fields and authors have been compared: the numbers of the documents that say what it asks for. */
export type ComparedFilter = Filter & { readonly documents?: readonly number[] };

/**
 * Compares what documents say of themselves here, so that case means in each store what it means in the core. Only those that have
 * a field of the name travel.
 */
export async function compareOwnFields(
  ask: Ask,
  { index }: Names,
  filter: Filter | undefined,
): Promise<ComparedFilter | undefined> {
  if (!filter || !asksForOwnFields(filter)) return filter;
  const values = new Values();
  const present = ownFieldNames(filter).map((names) => {
    const patterns = names.map((name) => `%${escaped(JSON.stringify(name))}%`);
    return `metadata ILIKE ANY(${values.add(patterns)}::text[])`;
  });
  const rows = await ask(
    `SELECT number, metadata FROM ${index}.documents WHERE ${present.join(' AND ') || 'true'}`,
    values.all,
  );
  const documents = rows
    .filter(({ metadata }) => ownFieldsPass(filter, JSON.parse(readText(metadata)) as Metadata))
    .map(({ number }) => Number(number));
  return { ...filter, documents };
}

/** A text as a pattern that means only itself; letters that the server may fold in another way than we do stand for any. */
function escaped(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&').replace(/[^\x20-\x7e]/gu, '%');
}

/** The documents that a filter admits, or any content of, as a condition on `documents d`; `true` where it admits all. */
export function documentCondition(names: Names, filter: ComparedFilter, values: Values): string {
  const own = within('d.modified_at', filter, values);
  const parts = within('c.written_at', filter, values);
  return allOf([
    wholeCondition(filter, values),
    own &&
      `(${own} OR EXISTS (SELECT 1 FROM ${names.index}.chunks c WHERE c.document = d.number AND ${parts}))`,
  ]);
}

/** The whole filter as a condition on `chunks c JOIN documents d`; `true` where it admits all. */
export function chunkCondition(filter: ComparedFilter, values: Values): string {
  return allOf([
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
    documents && `d.number = ANY(${values.add(documents)}::bigint[])`,
  ]);
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
