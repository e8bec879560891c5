import { encodeKept, parseKept } from '../core/documents/kept-content.ts';
import { interrupted } from '../core/errors.ts';
import { keep, keptFiles, readKept } from './kept-folder.ts';
import { type KeptPlace, keptProof } from './kept-proof.ts';

/** Makes added content that came with the folder the user's own, and returns its uris. What is damaged stays as it is. */
export async function adoptContent(place: KeptPlace, signal?: AbortSignal): Promise<string[]> {
  const { folder } = place;
  const uris: string[] = [];
  const names = await keptFiles(folder);
  if (names.length === 0) return uris;
  const { isOwn, prove } = await keptProof(place);
  for (const name of names) {
    if (signal?.aborted) throw interrupted(signal.reason);
    const bytes = readKept(folder, name);
    if (!bytes || isOwn(bytes)) continue;
    const kept = parseKept(bytes, name);
    if (typeof kept === 'string') continue;
    await keep(folder, kept.uri, encodeKept(kept, prove));
    uris.push(kept.uri);
  }
  return uris;
}
