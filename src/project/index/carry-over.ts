import type { Store } from '../../contracts/store.ts';
import { embeddedText } from '../../core/chunk.ts';
import type { DocumentRecord } from '../../core/document.ts';
import { embeddingKey } from '../../core/identity.ts';

/** Content without a file, by its uri. */
export type Records = ReadonlyMap<string, DocumentRecord>;

/**
 * Brings content without a file that came or went in the former index into the new one, and returns what there was. With
 * what a former look found, only what has changed since: by then somebody may have added to the new one or removed from it.
 */
export async function carryOver(from: Store, to: Store, since?: Records): Promise<Records> {
  const [before, now] = [await addedTo(to), await addedTo(from)];
  const entries = new Map((await from.manifest()).map((entry) => [entry.uri, entry]));
  for (const document of now.values()) {
    const known = before.get(document.uri);
    if (isSame(known, document) || isSame(since?.get(document.uri), document)) continue;
    if (since && known && known.modifiedAt > document.modifiedAt) continue;
    const chunks = await from.chunksOf(document.id);
    const keyed = chunks.map((chunk) => ({ chunk, embeddingKey: embeddingKey(embeddedText(chunk)) }));
    await to.put(document, keyed, entries.get(document.uri));
  }
  const gone = [...(since ?? before).values()].filter(({ uri }) => !now.has(uri));
  const unchanged = gone.filter((document) => isSame(before.get(document.uri), document));
  await to.deletePaths(unchanged.map(({ uri }) => uri));
  return now;
}

async function addedTo(store: Store): Promise<Records> {
  return new Map((await store.documents({ origins: ['virtual'] })).map((record) => [record.uri, record]));
}

function isSame(one: DocumentRecord | undefined, other: DocumentRecord): boolean {
  if (!one) return false;
  const fields = ['revision', 'modifiedAt', 'title', 'type'] as const;
  return fields.every((field) => one[field] === other[field]);
}
