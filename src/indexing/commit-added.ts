import type { Store } from '../contracts/store.ts';
import { asQuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { sha256 } from '../core/identity.ts';
import { deletePaths } from '../index/write.ts';
import { commitFile, isGone, type PreparedFile, type PreparingParts, prepareFile } from './ingest.ts';

/** Changes of one document that are followed; what comes later is for the next run. */
const maxCommits = 100;

/**
 * Commits added content until the index says what is kept. Others add and remove content without a lock, so that what is
 * kept may have changed since it was read; each of them looks once more after its own commit, and the last one is right.
 */
export async function commitAdded(
  { store, ...parts }: PreparingParts & { readonly store: Store },
  prepared: PreparedFile,
): Promise<IndexEvent[]> {
  const { uri } = prepared.entry;
  let file = prepared;
  let events: IndexEvent[] = [];
  for (let commits = 0; commits < maxCommits; commits += 1) {
    events = await commitFile(store, file);
    const bytes = await parts.source.read(uri).catch(asQuarryError);
    if (!(bytes instanceof Uint8Array)) {
      if (!isGone(bytes)) throw bytes;
      await deletePaths(store, [uri]);
      return [];
    }
    if (file.content.kind === 'failed' || sha256(bytes) === file.entry.contentHash) break;
    file = await prepareFile(parts, { uri, size: bytes.length, modifiedAt: Date.now() }, undefined);
  }
  return events;
}
