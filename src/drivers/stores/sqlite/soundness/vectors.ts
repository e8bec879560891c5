import type { Row } from '../../sql-rows.ts';
import type { Connection } from '../file/connection.ts';
import { countEmbedded } from '../layout/schema.ts';
import { type Finding, type Inspection, rowFinding } from './finding.ts';
import { rising, rowsPerStep } from './steps.ts';

/** How far the length of a stored vector may be from one: it is kept as doubles, so that this is rounding alone. */
const tolerance = 1e-9;

/** Every space and vector, and the keys that vectors are kept under. */
export function* inspectVectors(connection: Connection): Inspection {
  const spaces = new Map<number, number>();
  for (const { number, dimensions } of connection.all('SELECT number, dimensions FROM spaces')) {
    const usual = defaultLength(connection, Number(number));
    spaces.set(Number(number), usual ?? Number(dimensions));
    if (usual !== undefined && usual !== dimensions) yield wrongLength(Number(number), usual);
    else if (!(Number.isSafeInteger(dimensions) && Number(dimensions) > 0)) yield badSpace(Number(number));
  }
  yield* inspectCounts(connection);
  yield* inspectKeys(connection);
  for (let last = -1; ; ) {
    const rows = connection.all(
      `SELECT v.number, v.space, v.scale, v.components, e.number AS owner FROM vectors v
       LEFT JOIN embeddings e ON e.number = v.embedding WHERE v.number > ? ORDER BY v.number LIMIT ?`,
      last,
      rowsPerStep,
    );
    if (rows.length === 0) return;
    for (const row of rows) {
      const finding = vectorFinding(row, spaces.get(Number(row.space)));
      if (finding) yield finding;
    }
    last = rising(last, rows.at(-1)?.number);
    yield undefined;
  }
}

function vectorFinding(row: Row, dimensions: number | undefined): Finding | undefined {
  const number = Number(row.number);
  const remove = (connection: Connection) => connection.run('DELETE FROM vectors WHERE number = ?', number);
  if (row.owner === null || dimensions === undefined) {
    return rowFinding({ kind: 'orphan', detail: `Vector ${number} belongs to nothing.` }, remove);
  }
  const fault = vectorFault(row, dimensions);
  return fault === undefined
    ? undefined
    : rowFinding({ kind: 'vector', detail: `Vector ${number} ${fault}.` }, remove);
}

function vectorFault({ scale, components }: Row, dimensions: number): string | undefined {
  if (!(components instanceof Uint8Array) || components.length !== dimensions) return 'has the wrong length';
  if (!(typeof scale === 'number' && Number.isFinite(scale) && scale > 0)) return 'is not finite';
  let squares = 0;
  for (const byte of components) squares += (byte < 128 ? byte : byte - 256) ** 2;
  return Math.abs(Math.sqrt(squares) * scale - 1) <= tolerance ? undefined : 'is not of unit length';
}

function* inspectCounts(connection: Connection): Inspection {
  const wrong = connection.all(
    `SELECT number, embedded, (SELECT count(*) FROM vectors v JOIN chunks c ON c.embedding = v.embedding
       WHERE v.space = spaces.number) AS found FROM spaces WHERE embedded <> found`,
  );
  for (const { number, embedded, found } of wrong) {
    const detail = `Vector space ${number} counts ${embedded} chunks where there are ${found}.`;
    yield rowFinding({ kind: 'count', detail }, (own) => own.execute(countEmbedded));
  }
}

function* inspectKeys(connection: Connection): Inspection {
  const strays = connection.all(
    'SELECT number FROM embeddings e WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.embedding = e.number)',
  );
  for (const { number } of strays) {
    const detail = `A key of vectors (${number}) that no chunk has.`;
    // A chunk that was repaired before this one may have it again.
    yield rowFinding({ kind: 'orphan', detail }, (own) =>
      own.run(
        'DELETE FROM embeddings WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM chunks WHERE embedding = ?1)',
        Number(number),
      ),
    );
  }
}

/** The length that most vectors of a space have; undefined where there are none, or they do not agree. */
function defaultLength(connection: Connection, space: number): number | undefined {
  const row = connection.get(
    `SELECT length(components) AS length, count(*) * 2 > sum(count(*)) OVER () AS isUsual
     FROM vectors WHERE space = ? GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
    space,
  );
  const length = Number(row?.length);
  return row?.isUsual === 1 && Number.isSafeInteger(length) && length > 0 ? length : undefined;
}

function wrongLength(number: number, length: number): Finding {
  const detail = `A vector space (${number}) has not the length of its vectors.`;
  return rowFinding({ kind: 'vector', detail }, (connection) =>
    connection.run('UPDATE spaces SET dimensions = ? WHERE number = ?', length, number),
  );
}

function badSpace(number: number): Finding {
  return rowFinding({ kind: 'vector', detail: `A vector space (${number}) has no length.` }, (connection) => {
    connection.run('DELETE FROM vectors WHERE space = ?', number);
    connection.run('DELETE FROM spaces WHERE number = ?', number);
  });
}
