/** Judges chunks by a closer look at query and text together. It sees texts alone: it can add and lose no hit. */
export interface Reranker {
  /** What it runs on, in words for a person: the model and its hash, its threads or its address. */
  readonly facts: Readonly<Record<string, string>>;
  /** Share of its scores in the final order, from 0 to 1, where the settings say nothing. */
  readonly weight: number;
  /** Makes ready what the first call would otherwise wait for. */
  load?(): Promise<void>;
  /**
   * Scores chunks, the first ones first, and hands scores over as soon as they are known. A chunk is scored at
   * most once; a higher score means more relevant, and only scores of one call may be compared. Ends early, without an
   * error, when the signal stops it: what it has handed over by then stands. Rejects when it cannot score, and can be
   * called again after either.
   */
  score(
    query: string,
    chunks: readonly string[],
    options: RerankOptions,
  ): AsyncIterable<readonly ChunkScore[]>;
  close(): Promise<void>;
}

/** The score of one of the chunks that a reranker was given. */
export interface ChunkScore {
  /** Its place among the chunks of the call, counted from 0. */
  readonly index: number;
  /** Finite. */
  readonly score: number;
}

/** The bounds of one reranking. */
export interface RerankOptions {
  /** Milliseconds from the call on in which a score is of use; nothing that would take longer needs to be begun. */
  readonly budgetMs: number;
  /** Aborted when the time is over or the caller stops. */
  readonly signal: AbortSignal;
}
