import type { StoreDefect, StoreRepair } from '../../../../contracts/store.ts';
import type { Connection } from '../file/connection.ts';
import { textRenewal } from '../layout/text-table.ts';
import { removeDocument } from './documents.ts';
import type { Finding } from './finding.ts';
import { beyondMending, salvage } from './salvage.ts';
import { findings } from './verify.ts';

/**
 * One look for the file as a whole, one for what its loss took along, one for what the first mending brought to
 * light, and one to see that all is well.
 */
const mostLooks = 5;

/** Mends the index until nothing is wrong with it any more; throws `store-corrupt` where that cannot be had. */
export async function repairIndex(connection: Connection, signal?: AbortSignal): Promise<StoreRepair> {
  const mended = new Map<string, StoreDefect>();
  const removed = new Set<string>();
  for (let look = 0; look < mostLooks; look += 1) {
    const found: Finding[] = [];
    for await (const finding of findings(connection, signal)) found.push(finding);
    if (found.length === 0) {
      // A header that forbids writing shows only when a write is tried.
      await connection.maintain(() => connection.run('UPDATE revision SET value = value'));
      return { mended: [...mended.values()], removed: [...removed].sort() };
    }
    for (const { defect } of found) mended.set(JSON.stringify(defect), defect);
    if (found.some(({ cure }) => cure.step === 'structure')) await salvage(connection, signal);
    else for (const uri of await mendRows(connection, found)) removed.add(uri);
  }
  throw beyondMending(connection.path);
}

/** Applies every cure but that of the file as a whole in one step; returns the uris that were taken out. */
async function mendRows(connection: Connection, found: readonly Finding[]): Promise<string[]> {
  return connection.write(() => {
    const uris: string[] = [];
    for (const { cure } of found) {
      if (cure.step === 'rows') cure.mend(connection);
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
