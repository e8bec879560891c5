import type { StoreDefect, StoreRepair } from '../../../../contracts/store.ts';
import { QuarryError } from '../../../../core/errors.ts';
import type { Connection } from '../file/connection.ts';
import { textRenewal } from '../layout/text-table.ts';
import { removeDocument } from './documents.ts';
import { type Finding, structureFinding } from './finding.ts';
import { salvage } from './salvage.ts';
import { findings } from './verify.ts';

/**
 * One look for the file as a whole, one for what its loss took along, one for what the first repair brought to
 * light, and one to see that all is well.
 */
const maxLooks = 5;

/**
 * Repairs the index until nothing is wrong with it any more: in place, or in the candidate where the file as a whole is
 * damaged. Throws `store-corrupt` where that cannot be had.
 */
export async function repairIndex(
  connection: Connection,
  signal: AbortSignal | undefined,
  openCandidate: () => Promise<Connection | undefined>,
): Promise<StoreRepair> {
  const repaired = new Map<string, StoreDefect>();
  const removed = new Set<string>();
  let current = connection;
  let held: Connection | undefined;
  try {
    for (let look = 0; look < maxLooks; look += 1) {
      const found = await findAll(current, signal);
      if (found.length === 0) {
        const salvaged = held && { release: () => held?.close() };
        return {
          repaired: [...repaired.values()],
          removed: [...removed].sort(),
          ...(salvaged && { salvaged }),
        };
      }
      for (const { defect } of found) repaired.set(JSON.stringify(defect), defect);
      if (found.some(({ cure }) => cure.step === 'structure')) {
        const candidate = held ? undefined : await openCandidate();
        if (!candidate) break;
        held = await salvage(connection, candidate, signal);
        current = candidate;
      } else for (const uri of await repairRows(current, found)) removed.add(uri);
    }
    throw beyondRepair(connection.path);
  } catch (error) {
    held?.close();
    throw error;
  }
}

async function findAll(connection: Connection, signal: AbortSignal | undefined): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const finding of findings(connection, signal)) found.push(finding);
  if (found.length > 0) return found;
  try {
    // A header that forbids writing shows only when a write is tried.
    await connection.maintain(() => connection.run('UPDATE revision SET value = value'));
  } catch (error) {
    if (!(error instanceof QuarryError) || error.code !== 'store-corrupt') throw error;
    found.push(structureFinding(error.message));
  }
  return found;
}

/** The error for an index that cannot be repaired. */
function beyondRepair(path: string): QuarryError {
  return new QuarryError(
    'store-corrupt',
    `The index ${path} is damaged beyond repair.`,
    'Run: quarry repair',
  );
}

/** Applies every cure but that of the file as a whole in one step; returns the uris that were taken out. */
async function repairRows(connection: Connection, found: readonly Finding[]): Promise<string[]> {
  return connection.write(() => {
    const uris: string[] = [];
    for (const { cure } of found) {
      if (cure.step === 'rows') cure.apply(connection);
      if (cure.step !== 'document') continue;
      removeDocument(connection, cure.number, cure.uri);
      if (cure.uri !== '') uris.push(cure.uri);
    }
    connection.run(
      'DELETE FROM embeddings WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.embedding = embeddings.number)',
    );
    // The first vector fixes the length of a space: one that has lost all may be of another length than it says.
    connection.run('DELETE FROM spaces WHERE number NOT IN (SELECT space FROM vectors)');
    // What FTS5 has of a damaged chunk cannot be removed: it would have to be given the words that were there.
    if (found.some(({ cure }) => cure.step !== 'rows')) connection.execute(textRenewal());
    return uris;
  });
}
