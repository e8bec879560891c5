import type { Filter } from '../../../core/filter.ts';
import { pathExpressions } from '../../../core/globs/glob.ts';
import type { Names } from './names.ts';
import { writeText } from './rows.ts';

/** The values of a statement, each with the placeholder that stands for it. */
export class Values {
  readonly all: unknown[] = [];

  /** The placeholder of a value. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

/** The documents that a filter admits, or any content of, as a condition on `documents d`; `true` where it admits all. */
export function documentCondition(names: Names, filter: Filter, values: Values): string {
  const own = within('d.modified_at', filter, values);
  const parts = within('c.written_at', filter, values);
  return allOf([
    wholeCondition(filter, values),
    own &&
      `(${own} OR EXISTS (SELECT 1 FROM ${names.index}.chunks c WHERE c.document = d.number AND ${parts}))`,
  ]);
}

/** The whole filter as a condition on `chunks c JOIN documents d`; `true` where it admits all. */
export function chunkCondition(filter: Filter, values: Values): string {
  return allOf([
    oneOf('c.symbol_kind', filter.symbolKinds, values),
    wholeCondition(filter, values),
    within('coalesce(c.written_at, d.modified_at)', filter, values),
  ]);
}

/** The part of a filter that concerns all chunks of a document alike. */
function wholeCondition({ types, origins, languages, paths }: Filter, values: Values): string | undefined {
  const { admitted, excluded } = pathExpressions(paths ?? []);
  return allOf([
    oneOf('d.type', types, values),
    oneOf('d.origin', origins, values),
    oneOf('d.language', languages, values),
    admitted && `d.uri ~ ${values.add(admitted)}`,
    excluded && `d.uri !~ ${values.add(excluded)}`,
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
