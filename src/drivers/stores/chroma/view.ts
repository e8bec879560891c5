import { documentId } from '../../../core/identity.ts';
import type { Collection, FoundRecord, NewRecord } from './collection.ts';
import { type Kind, readValue, type Space, type StoredDocument } from './rows.ts';
import { momentBefore } from './stamps.ts';

/** Milliseconds by which the clocks of two writers may differ, and a write be on its way. */
export const overlap = 30_000;
/** Milliseconds after which everything is read again. Records of what is gone stay for longer than that. */
const mostAge = 600_000;

/** The state of an index at one revision: which documents there are, and which chunks belong to each. */
export class View {
  /** The moment of the last write. */
  revision: number;
  /** Who wrote last: two writers may give one moment. */
  writer: string;
  readonly byId: Map<string, StoredDocument>;
  readonly byStamp: Map<string, StoredDocument>;
  readonly spaces: Map<string, Space>;
  /** Sums over all documents. */
  chunks = 0;
  words = 0;
  bytes = 0;
  /** When everything was read, in milliseconds. */
  readonly readAt: number;
  /** Chunks that hold a word, as far as they were counted. */
  readonly wordCounts = new Map<string, number>();
  /** How many calls work with it: such a view is not changed. */
  users = 0;

  constructor(from?: View) {
    this.revision = from?.revision ?? 0;
    this.writer = from?.writer ?? '';
    this.byId = new Map(from?.byId);
    this.byStamp = new Map(from?.byStamp);
    this.spaces = new Map(from?.spaces);
    this.chunks = from?.chunks ?? 0;
    this.words = from?.words ?? 0;
    this.bytes = from?.bytes ?? 0;
    this.readAt = from?.readAt ?? performance.now();
  }

  /** Documents in the order in which they came. */
  inOrder(): StoredDocument[] {
    return [...this.byId.values()].sort((one, other) => (one.stamp < other.stamp ? -1 : 1));
  }

  /** Takes in what a record of the index says. */
  apply({ id, metadata }: Pick<FoundRecord, 'id' | 'metadata'> | NewRecord): void {
    const kind = metadata.kind as Kind;
    if (kind === 'document') this.#set(readValue<StoredDocument>({ metadata }));
    if (kind === 'space') {
      const space = readValue<Space>({ metadata });
      this.spaces.set(space.name, space);
    }
    if (kind !== 'gone') return;
    if (id.startsWith('d:')) this.#remove(id.slice(2));
    if (id.startsWith('s:')) this.spaces.delete(readValue<Space>({ metadata }).name);
  }

  #set(stored: StoredDocument): void {
    const id = stored.document.id;
    this.#remove(id);
    this.byId.set(id, stored);
    this.byStamp.set(stored.stamp, stored);
    this.chunks += stored.chunks;
    this.words += stored.words;
    this.bytes += stored.bytes;
  }

  #remove(id: string): void {
    const stored = this.byId.get(id);
    if (!stored) return;
    this.byId.delete(id);
    this.byStamp.delete(stored.stamp);
    this.chunks -= stored.chunks;
    this.words -= stored.words;
    this.bytes -= stored.bytes;
  }

  /** The state after these changes; this one stays as it is where a call works with it. */
  after(changes: readonly NewRecord[], moment: number, writer: string): View {
    // The call that makes the changes is one of its users.
    const next = this.users > 1 ? new View(this) : this;
    for (const record of changes) next.apply(record);
    next.wordCounts.clear();
    next.revision = moment;
    next.writer = writer;
    return next;
  }

  /** The document of this uri. */
  ofUri(uri: string): StoredDocument | undefined {
    return this.byId.get(documentId(uri));
  }
}

/** Reads the state of the index: what has changed since a former view, or everything. */
export async function readView(records: Collection, former: View | undefined): Promise<View> {
  const [state] = await records.get({ ids: ['state'], include: ['metadatas'] });
  const revision = Number(state?.metadata.at ?? 0);
  const writer = String(state?.metadata.writer ?? '');
  if (former && former.revision === revision && former.writer === writer) return former;
  const isRecent =
    former && performance.now() - former.readAt < mostAge && former.revision <= revision + overlap * 1000;
  const view = new View(isRecent ? former : undefined);
  const kinds: Kind[] = isRecent ? ['document', 'space', 'gone'] : ['document', 'space'];
  const wanted = { kind: { $in: kinds } };
  const since = Math.min(view.revision, momentBefore(0)) - overlap * 1000;
  const where = isRecent ? { $and: [wanted, { at: { $gt: since } }] } : wanted;
  const found: FoundRecord[] = [];
  for await (const page of records.pages({ where, include: ['metadatas'] })) found.push(...page);
  for (const record of found) view.apply(record);
  view.revision = revision;
  view.writer = writer;
  return view;
}
