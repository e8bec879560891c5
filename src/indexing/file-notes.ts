import type { ManifestEntry, Store } from '../contracts/store.ts';
import { interrupted } from '../core/errors.ts';
import { commit } from '../index/commit.ts';

/** What the manifest is to say of a file that gives the store no chunks. */
export interface FileNote {
  readonly entry: ManifestEntry;
  /** Whether what is stored of the file is removed. */
  readonly forgets: boolean;
}

/** Writes a note; resolves when it is written. */
export type NoteFile = (note: FileNote) => Promise<void>;

/** Writes these notes. */
export async function writeNotes(store: Store, notes: readonly FileNote[]): Promise<void> {
  const forgotten = notes.filter(({ forgets }) => forgets).map(({ entry }) => entry.uri);
  await commit(store, { removed: forgotten, manifest: notes.map(({ entry }) => entry) });
}

/**
 * Writes notes together: those that come while some are written wait, and go with the next ones. In some stores a write takes
 * as long as hundreds of notes, and a run that is stopped would wait for each. What still waits then is not written.
 */
export function notesTogether(store: Store, signal: AbortSignal | undefined): NoteFile {
  const waiting: { readonly note: FileNote; readonly outcome: PromiseWithResolvers<void> }[] = [];
  let isWriting = false;
  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0);
      try {
        if (signal?.aborted) throw interrupted(signal.reason);
        await writeNotes(
          store,
          group.map(({ note }) => note),
        );
        for (const { outcome } of group) outcome.resolve();
      } catch (thrown) {
        for (const { outcome } of group) outcome.reject(thrown);
      }
    }
    isWriting = false;
  };
  return (note) => {
    const outcome = Promise.withResolvers<void>();
    waiting.push({ note, outcome });
    if (!isWriting) void writeAll();
    return outcome.promise;
  };
}
