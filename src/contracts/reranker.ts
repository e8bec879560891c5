/** Scores chunks by looking at query and text together. It sees texts only, so it can neither add nor lose a hit. */
export interface Reranker {
  /** What it runs on, for a person: the model and its hash, its threads or its address. */
  readonly facts: Readonly<Record<string, string>>;
  /** Share of its scores in the final order, from 0 to 1. */
  readonly weight: number;
  /**
   * Whether what it needs of a chunk is kept with the index, so that a query can ask about more than the best ones, for the
   * choice among the chunks of a document. Absent where each score costs the query time.
   */
  readonly looksFurther?: boolean;
  /** Loads what the first call would otherwise wait for. */
  load?(): Promise<void>;
  /**
   * Scores chunks in their order and yields scores as soon as they are known. A chunk is scored at most once. A higher
   * score means more relevant; only scores of one call may be compared. When the signal is aborted it ends early, without
   * an error, and the scores so far stay valid. Rejects when it cannot score. In both cases it can be called again.
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
  /** Milliseconds after the call in which scores are useful; work that would take longer need not begin. */
  readonly budgetMs: number;
  /** Aborted when the time is over or the caller stops. */
  readonly signal: AbortSignal;
}
