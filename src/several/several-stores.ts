import type { ChunkRange, Store } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import type { Hit } from '../core/hit.ts';
import { documentId } from '../core/identity.ts';
import type { AskedOfHits } from '../retrieval/digest/digest.ts';
import type { Member } from './member.ts';
import { chunkIn } from './relabel.ts';

/** The indexes of several projects as one, for what is looked up about these hits. */
export function severalStores(members: readonly Member[], hits: readonly Hit[]): AskedOfHits {
  const byName = new Map(members.map((member) => [member.name, member]));
  const all = hits.flatMap((hit) => [hit, ...(hit.more ?? [])]);
  const owners = new Map(
    all.flatMap(({ project = '', document }) => {
      const member = byName.get(project);
      return member ? [[document.id, { member, uri: document.uri.slice(project.length + 1) }] as const] : [];
    }),
  );
  const inStore = <Result>({ use }: Member, ask: (store: Store) => Promise<Result>): Promise<Result> =>
    use(async (project) => ask(await project.store()));
  const chunksOf = async (range: ChunkRange): Promise<Chunk[]> => {
    const owner = owners.get(range.documentId);
    if (!owner) return [];
    const { member, uri } = owner;
    const own = { ...range, documentId: documentId(uri) };
    const [chunks = []] = await inStore(member, (store) => store.chunksIn([own]));
    return chunks.map((chunk) => chunkIn(member.name, uri, chunk));
  };
  return {
    chunksIn: (ranges) => Promise.all(ranges.map(chunksOf)),
  };
}
