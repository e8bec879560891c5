import type { ManifestEntry, Store } from '../contracts/store.ts';
import { embeddedText } from '../core/chunk.ts';
import { documentId, embeddingKey } from '../core/identity.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { copyMovedVectors } from '../index/moved-vectors.ts';
import type { PreparedFile } from './ingest.ts';
import type { Plan } from './plan.ts';

/** Paths that this run will take out, by the hash of their content. */
export function gonePaths(
  plan: Plan,
  manifest: ReadonlyMap<string, ManifestEntry>,
): ReadonlyMap<string, string> {
  const gone = new Map<string, string>();
  for (const uri of plan.toDelete) {
    const hash = manifest.get(uri)?.contentHash;
    if (hash) gone.set(hash, uri);
  }
  return gone;
}

/**
 * Lets a file that only moved keep its vectors. They were made with the old path as context; that is near enough, and
 * renaming a folder of a thousand files costs nothing.
 */
export async function keepVectors(
  store: Store,
  { entry, content }: PreparedFile,
  gone: ReadonlyMap<string, string>,
): Promise<void> {
  const previously = gone.get(entry.contentHash);
  if (previously === undefined || content.kind !== 'document') return;
  const before = new Map(
    (await chunksOf(store, documentId(previously))).map((chunk) => [chunk.ordinal, chunk]),
  );
  const moves = content.chunks.flatMap(({ chunk, embeddingKey: to }) => {
    const previous = before.get(chunk.ordinal);
    return previous?.text === chunk.text ? [{ from: embeddingKey(embeddedText(previous)), to }] : [];
  });
  await copyMovedVectors(store, moves);
}
