import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type Filter, pathMatcher } from '../../../../core/filter.ts';
import { readText } from './rows.ts';

/** A condition over the tables `documents` (as `d`) and `chunks` (as `c`), with the values it is bound to. */
export interface Condition {
  /** Empty where everything is admitted. */
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
}

/** The part of a filter that speaks of documents, for a statement over `documents d`. */
export function documentCondition(filter: Filter = {}): Condition {
  const { types, origins, languages, paths, since, until } = filter;
  return allOf([
    oneOf('d.type', types),
    oneOf('d.origin', origins),
    oneOf('d.language', languages),
    isMoment(since) ? { sql: 'd.modified_at >= ?', parameters: [since] } : undefined,
    isMoment(until) ? { sql: 'd.modified_at < ?', parameters: [until] } : undefined,
    paths ? { sql: 'path_admitted(?, d.uri)', parameters: [JSON.stringify(paths)] } : undefined,
  ]);
}

/** The whole filter, for a statement over `chunks c`. */
export function chunkCondition(filter: Filter = {}): Condition {
  const documents = documentCondition(filter);
  return allOf([
    oneOf('c.symbol_kind', filter.symbolKinds),
    // A subquery rather than a join: each document is tested once, not once for each of its chunks.
    documents.sql === ''
      ? undefined
      : {
          sql: `c.document IN (SELECT d.number FROM documents d WHERE ${documents.sql})`,
          parameters: documents.parameters,
        },
  ]);
}

/** A limit that SQLite takes: a whole number that is not negative (a negative one would mean no limit at all). */
export function rowLimit(limit: number): number {
  return Math.trunc(Math.max(0, Math.min(limit || 0, 2 ** 31 - 1)));
}

/** Gives the database `path_admitted(globs, uri)`, so that globs mean in SQL what they mean in the core. */
export function registerPathFilter(database: DatabaseSync): void {
  let compiled = { globs: '[]', admits: pathMatcher([]) };
  database.function('path_admitted', { deterministic: true }, (globs, uri) => {
    if (globs !== compiled.globs) {
      compiled = { globs: String(globs), admits: pathMatcher(JSON.parse(String(globs))) };
    }
    return compiled.admits(readText(uri)) ? 1 : 0;
  });
}

function oneOf(column: string, values: readonly string[] | undefined): Condition | undefined {
  if (!values) return undefined;
  return { sql: `${column} IN (SELECT value FROM json_each(?))`, parameters: [JSON.stringify(values)] };
}

function isMoment(value: number | undefined): value is number {
  return value !== undefined && !Number.isNaN(value);
}

function allOf(conditions: readonly (Condition | undefined)[]): Condition {
  const present = conditions.filter((condition) => condition !== undefined);
  return {
    sql: present.map(({ sql }) => sql).join(' AND '),
    parameters: present.flatMap(({ parameters }) => parameters),
  };
}
