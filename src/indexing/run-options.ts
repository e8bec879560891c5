import type { Source, SourceFile } from '../contracts/source.ts';
import type { IndexState, Store } from '../contracts/store.ts';
import type { VectorSource } from '../contracts/vector-source.ts';
import type { FileGraph } from '../core/code-graph.ts';
import type { Reading } from './read-document.ts';
import type { ReadingOrder } from './reading-order.ts';

/** What a run works with. */
export interface IndexingParts {
  readonly source: Source;
  readonly store: Store;
  /** The embedders whose vectors are kept up to date, the one in use first; opened when texts are there. */
  readonly vectors: readonly (() => Promise<VectorSource>)[];
  readonly reading: Reading;
  /** Takes what code defines and mentions, after its document is in the index; absent where nothing keeps it. */
  readonly graph?: GraphSink | undefined;
}

/** Keeps what the files of code define and mention. It never fails a run: what it has not kept is read again later. */
export interface GraphSink {
  note(uri: string, contentHash: string, graph: FileGraph): void;
  flush(): void;
}

/** How a run is meant. */
export interface IndexOptions {
  /** Read and cut every file again, whatever the index remembers; vectors of unchanged text are kept. */
  readonly full?: boolean | undefined;
  /**
   * Bring these paths, and what is below them, up to date and nothing else; the summary then speaks of them alone. A
   * file that moved keeps its vectors where both of its paths are among them.
   */
  readonly only?: readonly string[] | undefined;
  /** Keep the vectors of other embedders: this one is used for a while only. */
  readonly keepOtherVectors?: boolean;
  /**
   * Leave out the texts that a model has refused before, and unchanged files that took too much time or memory to read;
   * otherwise they are tried once more.
   */
  readonly passOverRefused?: boolean | undefined;
  /** Ends the making of vectors early, without an error: those that are missing are left for the next run. */
  readonly giveWay?: AbortSignal | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How the text of a run is meant. */
export type TextOptions = IndexOptions & {
  /** The index as it stands, where the caller knows it. */
  readonly state?: IndexState;
  /** Leave what previous settings cut as it is: only what has changed is cut as those of today say. */
  readonly leaveStale?: boolean;
  /** Read these files alone, in this order, and call nothing else in sync: for an answer that does not wait for the rest. */
  readonly chosen?: readonly SourceFile[] | undefined;
  /** Reads them, in place of what the project reads files with. */
  readonly reading?: Reading | undefined;
  /** Decides which file is read next. */
  readonly order?: ReadingOrder;
};
