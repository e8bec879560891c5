import type { StoreDefect } from '../../../../contracts/store.ts';
import { QuarryError } from '../../../../core/errors.ts';
import type { Connection } from '../file/connection.ts';
import { storeFailure } from '../file/failures.ts';
import { inspectDocuments } from './documents.ts';
import { type Finding, type Inspection, structureFinding, textFinding } from './finding.ts';
import { inspectManifest } from './manifest.ts';
import { inTurns } from './steps.ts';
import { inspectStructure } from './structure.ts';
import { inspectText } from './text.ts';
import { inspectVectors } from './vectors.ts';

/** Reports what is wrong with the index, in the state it has when this begins. */
export async function* verifyIndex(
  connection: Connection,
  signal?: AbortSignal,
): AsyncGenerator<StoreDefect> {
  for await (const { defect } of findings(connection, signal)) yield defect;
}

/** What is wrong with the index, with how to repair it. */
export async function* findings(connection: Connection, signal?: AbortSignal): AsyncGenerator<Finding> {
  // A connection of its own: it keeps one state in sight for a long time, while this one continues to serve.
  const own = connection.sibling();
  if (!own) {
    yield* inTurns(await connection.read(() => [...inspectIndex(connection)]), signal);
    return;
  }
  try {
    own.hold();
    yield* inTurns(inspectIndex(own), signal);
  } finally {
    own.close();
  }
}

/** Looks at the whole index, piece by piece, in the state that the connection sees. */
function* inspectIndex(connection: Connection): Inspection {
  yield* readable(connection, 'The file', inspectStructure, structureFinding);
  yield* readable(connection, 'The documents', inspectDocuments, structureFinding);
  yield* readable(connection, 'The vectors', inspectVectors, structureFinding);
  yield* readable(connection, 'The manifest', inspectManifest, structureFinding);
  yield* readable(connection, 'The text index', inspectText, textFinding);
}

/** Reports a part that cannot be read rather than failing: the other parts are looked at all the same. */
function* readable(
  connection: Connection,
  part: string,
  inspect: (connection: Connection) => Inspection,
  finding: (detail: string) => Finding,
): Inspection {
  try {
    yield* inspect(connection);
  } catch (thrown) {
    const error = storeFailure(thrown, connection.path);
    if (!(error instanceof QuarryError) || !['store-corrupt', 'internal'].includes(error.code)) throw error;
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    yield finding(`${part} cannot be read: ${cause}.`);
  }
}
