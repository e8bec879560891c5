import type { DocumentRecord } from '../../../core/document.ts';
import {
  asksForOwnFields,
  isByAny,
  messagesField,
  ownFieldsPass,
} from '../../../core/documents/own-fields.ts';
import { documentPasses, type Filter, isWithin } from '../../../core/filter.ts';
import { pathMatcher } from '../../../core/globs/glob.ts';
import { oneOf } from './rows.ts';
import type { Opened } from './table.ts';
import type { View } from './view.ts';

/**
 * The chunks that a filter admits, as a condition over rows, each of its fields compared by LanceDB itself; undefined where it
 * admits all. What only chunks have need not be asked for: without an index a condition is compared with every row.
 */
export async function filterCondition(filter: Filter | undefined, view: View): Promise<string | undefined> {
  const { types, origins, languages, symbolKinds, paths } = filter ?? {};
  const parts: string[] = [];
  if (types) parts.push(oneOf('type', types));
  if (origins) parts.push(oneOf('origin', origins));
  if (languages) parts.push(oneOf('language', languages));
  if (symbolKinds) parts.push(oneOf('symbol_kind', symbolKinds));
  parts.push(...within('moment', filter));
  if (paths && paths.length > 0) {
    const admits = pathMatcher(paths);
    parts.push(admittedDocuments(({ uri }) => admits(uri), await view.documents()));
  }
  if (filter && asksForOwnFields(filter))
    parts.push(admittedDocuments(({ metadata }) => ownFieldsPass(filter, metadata), await view.documents()));
  if (filter?.authors) parts.push(await writtenBy(filter.authors, view));
  return parts.length > 0 ? parts.join(' AND ') : undefined;
}

/** Globs and what documents say of themselves are compared here, with each document once; the shorter list goes to LanceDB. */
function admittedDocuments(
  admits: (document: DocumentRecord) => boolean,
  documents: readonly DocumentRecord[],
): string {
  const admitted: string[] = [];
  const excluded: string[] = [];
  for (const document of documents) (admits(document) ? admitted : excluded).push(document.id);
  return admitted.length <= excluded.length
    ? oneOf('document', admitted)
    : `NOT (${oneOf('document', excluded)})`;
}

/** What one of the authors wrote: whole documents, and chunks of documents that hold messages. */
async function writtenBy(authors: readonly string[], view: View): Promise<string> {
  const documents = (await view.documents()).filter(
    ({ metadata }) => !(messagesField in metadata) && isByAny(authors, metadata),
  );
  const messages = (await view.messages()).filter(({ document, own }) =>
    isByAny(authors, document.metadata, own),
  );
  const ids = oneOf(
    'document',
    documents.map(({ id }) => id),
  );
  return `(${ids} OR ${oneOf(
    'key',
    messages.map(({ key }) => key),
  )})`;
}

function within(column: string, { since, until }: Filter = {}): string[] {
  const bounds: string[] = [];
  if (since !== undefined && !Number.isNaN(since)) bounds.push(`${column} >= ${moment(since)}`);
  if (until !== undefined && !Number.isNaN(until)) bounds.push(`${column} < ${moment(until)}`);
  return bounds;
}

function moment(value: number): string {
  return `CAST('${value === Number.POSITIVE_INFINITY ? 'inf' : value === Number.NEGATIVE_INFINITY ? '-inf' : value}' AS DOUBLE)`;
}

/** The documents that a filter admits, or any content of. */
export async function admitted(
  { table }: Opened,
  view: View,
  filter: Filter = {},
): Promise<DocumentRecord[]> {
  const { authors } = filter;
  const isWrittenSo = authors ? await byAnyOf(authors, view) : () => true;
  const passing = (await view.documents()).filter(
    (document) => documentPasses(filter, document) && isWrittenSo(document),
  );
  const times = within('written_at', filter);
  if (times.length === 0) return passing;
  const rows = await table.query().where(times.join(' AND ')).select(['document']).toArray();
  const withParts = new Set(rows.map(({ document }) => String(document)));
  return passing.filter(({ id, modifiedAt }) => isWithin(filter, modifiedAt) || withParts.has(id));
}

async function byAnyOf(
  authors: readonly string[],
  view: View,
): Promise<(document: DocumentRecord) => boolean> {
  const boxes = new Set(
    (await view.messages())
      .filter(({ document, own }) => isByAny(authors, document.metadata, own))
      .map(({ document }) => document.id),
  );
  return ({ id, metadata }) => (messagesField in metadata ? boxes.has(id) : isByAny(authors, metadata));
}
