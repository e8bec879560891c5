import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  asksForOwnFields,
  isByAny,
  messagesField,
  type OwnFieldsFilter,
  ownFieldsPass,
} from '../../../../core/documents/own-fields.ts';
import type { Filter } from '../../../../core/filter.ts';
import { pathMatcher } from '../../../../core/globs/glob.ts';
import { readText } from './rows.ts';

/** A condition over the tables `documents` (as `d`) and `chunks` (as `c`), with the values it is bound to. */
export interface Condition {
  /** Empty where everything is admitted. */
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
}

/** The documents that a filter admits, or any content of, for a statement over `documents d`. */
export function documentCondition(filter: Filter = {}): Condition {
  const own = within('d.modified_at', filter);
  const parts = within('c.written_at', filter);
  return allOf([
    wholeCondition(filter),
    byAuthors(filter, 'd.number', 'm.document'),
    own && parts
      ? {
          sql: `(${own.sql} OR d.number IN (SELECT c.document FROM chunks c WHERE ${parts.sql}))`,
          parameters: [...own.parameters, ...parts.parameters],
        }
      : undefined,
  ]);
}

/** The part of a filter that concerns all chunks of a document alike. */
function wholeCondition({ types, origins, languages, paths, tags, fields }: Filter): Condition {
  const own = { tags, fields };
  return allOf([
    oneOf('d.type', types),
    oneOf('d.origin', origins),
    oneOf('d.language', languages),
    paths ? { sql: 'path_admitted(?, d.uri)', parameters: [JSON.stringify(paths)] } : undefined,
    asksForOwnFields(own)
      ? { sql: 'fields_admitted(?, d.metadata)', parameters: [JSON.stringify(own)] }
      : undefined,
  ]);
}

/**
 * What one of the authors wrote. Chunks are read one by one of the documents alone that hold messages: others have one author, and
 * what only looks like such a document is read like one, to the same end.
 */
function byAuthors(
  { authors }: Filter,
  asked: string,
  part: 'm.number' | 'm.document',
  document = asked,
): Condition | undefined {
  if (!authors) return undefined;
  const holdsMessages = `instr(d.metadata, '"${messagesField}"')`;
  const wanted = JSON.stringify(authors);
  return {
    sql: `(${document} IN (SELECT d.number FROM documents d WHERE NOT ${holdsMessages} AND written_by(?, d.metadata, '{}'))
      OR ${asked} IN (SELECT ${part} FROM documents d CROSS JOIN chunks m ON m.document = d.number
        WHERE ${holdsMessages} AND written_by(?, d.metadata, m.metadata)))`,
    parameters: [wanted, wanted],
  };
}

/** The time of a filter; undefined where it has none. */
function within(column: string, { since, until }: Filter): Condition | undefined {
  const time = allOf([
    isMoment(since) ? { sql: `${column} >= ?`, parameters: [since] } : undefined,
    isMoment(until) ? { sql: `${column} < ?`, parameters: [until] } : undefined,
  ]);
  return time.sql === '' ? undefined : time;
}

/** The whole filter, for a statement over `chunks c`. */
export function chunkCondition(filter: Filter = {}): Condition {
  const documents = wholeCondition(filter);
  const own = within('c.written_at', filter);
  const whole = within('d.modified_at', filter);
  return allOf([
    oneOf('c.symbol_kind', filter.symbolKinds),
    documents.sql === '' ? undefined : ofDocuments(documents),
    byAuthors(filter, 'c.number', 'm.number', 'c.document'),
    own && whole
      ? {
          sql: `CASE WHEN c.written_at IS NULL THEN ${ofDocuments(whole).sql} ELSE ${own.sql} END`,
          parameters: [...whole.parameters, ...own.parameters],
        }
      : undefined,
  ]);
}

/** A subquery rather than a join: each document is tested once, not once for each of its chunks. */
function ofDocuments({ sql, parameters }: Condition): Condition {
  return { sql: `c.document IN (SELECT d.number FROM documents d WHERE ${sql})`, parameters };
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

/**
 * Gives the database `fields_admitted(wanted, metadata)` and `written_by(authors, metadata, metadata of a chunk)`, with the
 * meaning that the core gives to tags, fields and authors.
 */
export function registerFieldsFilter(database: DatabaseSync): void {
  let known: { readonly text: unknown; readonly wanted: OwnFieldsFilter } = { text: '{}', wanted: {} };
  database.function('fields_admitted', { deterministic: true }, (text, metadata) => {
    // Only `wholeCondition` writes it.
    if (text !== known.text) known = { text, wanted: JSON.parse(String(text)) as OwnFieldsFilter };
    return saysSo(() => ownFieldsPass(known.wanted, JSON.parse(readText(metadata))));
  });
  database.function('written_by', { deterministic: true }, (authors, document, chunk) => {
    const wanted = JSON.parse(String(authors)) as readonly string[];
    return saysSo(() => isByAny(wanted, JSON.parse(readText(document)), JSON.parse(readText(chunk))));
  });
}

function saysSo(says: () => boolean): 0 | 1 {
  try {
    return says() ? 1 : 0;
  } catch {
    // A damaged row says nothing of itself, and ends no search; a check of the index reports it.
    return 0;
  }
}

function oneOf(column: string, values: readonly string[] | undefined): Condition | undefined {
  if (!values) return undefined;
  return { sql: `${column} IN (SELECT value FROM json_each(?))`, parameters: [JSON.stringify(values)] };
}

function isMoment(value: number | undefined): value is number {
  return value !== undefined && !Number.isNaN(value);
}

function allOf(conditions: readonly (Condition | undefined)[]): Condition {
  const present = conditions.flatMap((condition) => (condition && condition.sql !== '' ? [condition] : []));
  return {
    sql: present.map(({ sql }) => sql).join(' AND '),
    parameters: present.flatMap(({ parameters }) => parameters),
  };
}
