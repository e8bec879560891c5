import { chunkInspection, rightKey } from '../../../../contracts/record-faults.ts';
import type { StoreDefect } from '../../../../contracts/store.ts';
import { matchColumns, type Row } from '../../sql-rows.ts';
import { embeddingNumber } from '../documents/replace-document.ts';
import type { Connection } from '../file/connection.ts';
import { isOwnChunk, isOwnDocument, readAnyChunk, readText, writeText } from '../layout/rows.ts';
import { type Finding, type Inspection, rowFinding } from './finding.ts';
import { rising } from './steps.ts';

/** Every document with its chunks: what they hold, in which order they stand and under which keys. */
export function* inspectDocuments(connection: Connection): Inspection {
  // Not by a statement that stays open: what is read for each document would be in its way.
  for (let last = -1; ; ) {
    const row = connection.get('SELECT * FROM documents WHERE number > ? ORDER BY number LIMIT 1', last);
    if (!row) break;
    last = rising(last, row.number);
    yield* inspectDocument(connection, row);
    yield undefined;
  }
  yield* inspectStrayChunks(connection);
}

function* inspectDocument(connection: Connection, row: Row): Inspection {
  const number = Number(row.number);
  const uri = readText(row.uri);
  const cure = { step: 'document', number, uri } as const;
  const finding = (kind: StoreDefect['kind'], detail: string): Finding => ({
    defect: { kind, uri, detail },
    cure,
  });
  if (!isOwnDocument(connection.proof, row)) {
    yield finding('document', 'What is known of the document is damaged.');
    return;
  }
  const rows = connection.all('SELECT * FROM chunks WHERE document = ? ORDER BY ordinal', number);
  if (rows.length !== row.chunks) {
    yield finding('document', `The document has ${rows.length} of its ${row.chunks} chunks.`);
  }
  const damaged = rows.filter((chunk) => !isOwnChunk(connection.proof, row.id, chunk));
  for (const { id } of damaged) yield finding('chunk', `Chunk ${readText(id)} is damaged.`);
  if (damaged.length > 0) return;
  const entries = connection.all(
    `SELECT e.key, c.number, ${matchColumns} FROM chunks c JOIN documents d ON d.number = c.document
     LEFT JOIN embeddings e ON e.number = c.embedding WHERE c.document = ? ORDER BY c.ordinal`,
    number,
  );
  const faults = entries.map(readAnyChunk).flatMap(chunkInspection(uri));
  for (const detail of faults) yield finding('chunk', detail);
  for (const entry of entries) yield* inspectKey(uri, entry);
}

function* inspectKey(uri: string, row: Row): Inspection {
  const chunk = readAnyChunk(row);
  const key = rightKey(chunk);
  if (row.key !== null && readText(row.key) === key) return;
  const detail = `Chunk ${chunk.id} has the vector of another text.`;
  yield rowFinding({ kind: 'chunk', uri, detail }, (connection) => {
    const number = embeddingNumber(connection, key);
    connection.run('UPDATE chunks SET embedding = ? WHERE number = ?', number, Number(row.number));
  });
}

/** Chunks of no document; whatever finds them makes no sense of them. */
function* inspectStrayChunks(connection: Connection): Inspection {
  const strays = connection.all(
    'SELECT DISTINCT document FROM chunks WHERE document NOT IN (SELECT number FROM documents)',
  );
  for (const { document } of strays) {
    const number = Number(document);
    yield {
      defect: { kind: 'orphan', detail: `Chunks of a document ${number} that is not there.` },
      cure: { step: 'document', number, uri: '' },
    };
  }
}

/** Removes the document with this number from the index, with its manifest entry; the text index is left behind. */
export function removeDocument(connection: Connection, number: number, uri: string): void {
  connection.run('DELETE FROM chunks WHERE document = ?', number);
  connection.run('DELETE FROM documents WHERE number = ?', number);
  connection.run('DELETE FROM manifest WHERE uri = ?', writeText(uri));
}
