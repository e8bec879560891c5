import type { RootTrouble, Source } from '../contracts/source.ts';
import type { Store } from '../contracts/store.ts';
import { interrupted, QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { sha256 } from '../core/identity.ts';
import memoryDriver from '../drivers/stores/memory.ts';
import { chunkEntries, documentRecord } from '../testing/documents.ts';
import { driverContext } from '../testing/driver-context.ts';
import { compareWithFiles } from './compare.ts';
import type { Reading } from './read-document.ts';
import { syncText } from './run.ts';
import type { IndexOptions } from './run-options.ts';

/** A file whose times are set at will, that of its last change too. */
export interface ChangingFile {
  text: string;
  /** What a scan says of its size, where that is not the size of the text. */
  size?: number;
  modifiedAt: number;
  changedAt?: number;
}

/** An index over files in memory: what is read of them is counted. */
export interface ChangingTree {
  readonly files: Map<string, ChangingFile>;
  /** Paths that were read, in order; a test empties it after looking. */
  readonly reads: string[];
  /** Roots in trouble, which each scan reports. */
  readonly troubles: { readonly uri: string; readonly trouble: RootTrouble }[];
  /** Begins a run without stepping it. */
  begin(options?: IndexOptions): AsyncGenerator<IndexEvent>;
  /** What reading a document ends with, where it does not end well. */
  failing: ((uri: string) => QuarryError | undefined) | undefined;
  readonly source: { -readonly [Name in keyof Source]: Source[Name] };
  readonly store: Store;
  /** Scans that have begun and have neither ended nor been closed. */
  openScans: number;
  run(options?: IndexOptions): Promise<IndexEvent[]>;
  behind(): ReturnType<typeof compareWithFiles>;
}

/** An empty tree with an empty index. */
export async function changingTree(): Promise<ChangingTree> {
  const store = await memoryDriver.open({}, driverContext());
  const files = new Map<string, ChangingFile>();
  const reads: string[] = [];
  const tree: Pick<ChangingTree, 'troubles' | 'failing' | 'openScans'> = {
    troubles: [],
    failing: undefined,
    openScans: 0,
  };
  const source: Source = {
    async *scan({ signal } = {}) {
      tree.openScans += 1;
      try {
        for (const { uri, trouble } of tree.troubles)
          yield { kind: 'skipped', skipped: { uri, reason: 'empty', rule: 'nothing there' }, trouble };
        for (const [uri, { text, size = text.length, ...times }] of [...files]) {
          if (signal?.aborted) throw interrupted(signal.reason);
          yield { kind: 'file', file: { uri, size, ...times } };
        }
      } finally {
        tree.openScans -= 1;
      }
    },
    async read(uri) {
      reads.push(uri);
      const file = files.get(uri);
      if (file) return new TextEncoder().encode(file.text);
      const cause = Object.assign(new Error('not there'), { code: 'ENOENT' });
      throw new QuarryError('file-unreadable', `Cannot read ${uri}.`, 'Look for it.', { cause });
    },
  };
  const reading: Reading = {
    recipe: 'plain',
    concurrency: 2,
    bytesAtOnce: 1_000_000,
    maxAgeDays: {},
    async read({ file: { uri }, bytes }) {
      const error = tree.failing?.(uri);
      if (error) throw error;
      const text = new TextDecoder().decode(bytes);
      if (text.includes('\0')) return { kind: 'skipped', skipped: { uri, reason: 'binary', rule: 'a zero' } };
      const document = documentRecord(uri, { revision: sha256(bytes) });
      return { kind: 'document', document, chunks: chunkEntries(document, [text]), redacted: [] };
    },
    rest: async () => undefined,
    close: async () => undefined,
  };
  const begin = (options: IndexOptions = {}) => syncText({ source, store, reading, vectors: [] }, options);
  return Object.assign(tree, {
    files,
    reads,
    source,
    store,
    begin,
    async run(options: IndexOptions = {}) {
      const events: IndexEvent[] = [];
      for await (const event of begin(options)) events.push(event);
      return events;
    },
    behind: () => compareWithFiles({ source, store, recipe: reading.recipe }),
  });
}
