import type { StoreDefect } from '../../../../contracts/store.ts';
import type { Connection } from '../connection.ts';
import type { Finding } from './finding.ts';
import { inspectIndex } from './inspect.ts';
import { inTurns } from './turns.ts';

/** Tells what is wrong with the index, in the state it has when this begins. */
export async function* verifyIndex(
  connection: Connection,
  signal?: AbortSignal,
): AsyncGenerator<StoreDefect> {
  for await (const { defect } of findings(connection, signal)) yield defect;
}

/** What is wrong with the index, with how to mend it. */
export async function* findings(connection: Connection, signal?: AbortSignal): AsyncGenerator<Finding> {
  // A connection of its own: it keeps one state in sight for a long time, while this one goes on to serve.
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
