import { setImmediate } from 'node:timers/promises';
import type { StoreDefect } from '../../../../contracts/store.ts';
import { interrupted } from '../../../../core/errors.ts';
import { isOwnEntry, isOwnFact, manifestColumns } from '../documents/manifest.ts';
import type { Connection } from '../file/connection.ts';
import { storeFailure } from '../file/failures.ts';
import { isOwnChunk, isOwnDocument, readText } from '../layout/rows.ts';
import { expectedSchema } from '../layout/schema.ts';
import { checkWords, type Inspection } from './check-words.ts';

/** Milliseconds that the check may keep the process for itself. */
const maxTurn = 20;

/** Emits what is wrong with the file in the state it has when this begins: what nobody sees who only asks the store. */
export async function* checkStructure(
  connection: Connection,
  signal: AbortSignal | undefined,
): AsyncGenerator<StoreDefect> {
  // A connection of its own: it keeps one state in sight for a long time, while this one continues to serve.
  const own = connection.sibling();
  try {
    own?.hold();
    const found = own ? inspect(own) : await connection.read(() => [...inspect(connection)]);
    let end = performance.now() + maxTurn;
    for (const defect of found) {
      if (signal?.aborted) throw interrupted(signal.reason);
      if (defect) yield defect;
      if (performance.now() < end) continue;
      await setImmediate();
      end = performance.now() + maxTurn;
    }
  } catch (thrown) {
    throw storeFailure(thrown, connection.path);
  } finally {
    own?.close();
  }
}

function* inspect(connection: Connection): Inspection {
  let isReadable = true;
  for (const defect of inspectPages(connection)) {
    isReadable = false;
    yield defect;
  }
  if (!isReadable) return;
  yield* inspectReferences(connection);
  yield* inspectProofs(connection);
  yield* checkWords(connection);
}

/** The file as SQLite and its text index see it, and the layout. */
function* inspectPages(connection: Connection): Generator<StoreDefect> {
  for (const row of connection.all('PRAGMA integrity_check')) {
    const detail = String(row.integrity_check);
    if (detail !== 'ok') yield { kind: /FTS5/.test(detail) ? 'text' : 'structure', detail: `${detail}.` };
  }
  // What is there was compared when the file was opened.
  const rows = connection.all("SELECT type || ' ' || name AS name FROM sqlite_schema");
  const names = new Set(rows.map(({ name }) => String(name)));
  for (const name of expectedSchema().keys())
    if (!names.has(name)) yield { kind: 'structure', detail: `The ${name} is missing.` };
  for (const table of ['revision', 'text_upkeep']) {
    const count = names.has(`table ${table}`) ? countOf(connection, `FROM ${table}`) : 1;
    if (count !== 1)
      yield { kind: 'structure', detail: `The table ${table} has ${count} rows where one is expected.` };
  }
}

/** Rows that refer to nothing, and keys that nothing refers to. */
function* inspectReferences(connection: Connection): Inspection {
  const broken = connection.all(
    'SELECT "table" AS child, parent, count(*) AS count FROM pragma_foreign_key_check GROUP BY 1, 2',
  );
  for (const { child, parent, count } of broken)
    yield { kind: 'orphan', detail: `${count} rows of ${child} belong to no row of ${parent}.` };
  const unused = countOf(
    connection,
    'FROM embeddings e WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE embedding = e.number)',
  );
  if (unused > 0) yield { kind: 'orphan', detail: `${unused} keys of vectors belong to no chunk.` };
  yield undefined;
}

/** Rows that are not as this user wrote them. */
function* inspectProofs(connection: Connection): Inspection {
  const { proof } = connection;
  for (const row of connection.each('SELECT * FROM documents'))
    yield isOwnDocument(proof, row)
      ? undefined
      : { kind: 'document', uri: readText(row.uri), detail: 'What is known of the document is damaged.' };
  const chunks = 'SELECT d.id AS owner, d.uri, c.* FROM chunks c JOIN documents d ON d.number = c.document';
  for (const row of connection.each(chunks))
    yield isOwnChunk(proof, row.owner, row)
      ? undefined
      : { kind: 'chunk', uri: readText(row.uri), detail: `Chunk ${readText(row.id)} is damaged.` };
  for (const row of connection.each(`SELECT ${manifestColumns} FROM manifest`))
    yield isOwnEntry(connection, Object.values(row))
      ? undefined
      : { kind: 'manifest', uri: readText(row.uri), detail: 'What the manifest notes of it is damaged.' };
  for (const row of connection.each('SELECT name, value, proof FROM facts'))
    yield isOwnFact(connection, row)
      ? undefined
      : { kind: 'manifest', detail: `The fact "${readText(row.name)}" is damaged.` };
}

function countOf(connection: Connection, rows: string): number {
  return Number(connection.get(`SELECT count(*) AS count ${rows}`)?.count);
}
