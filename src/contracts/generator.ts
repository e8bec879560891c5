/** One turn of a conversation. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Writes text from messages. */
export interface Generator {
  /** What it runs on, for a person: the model, its address, where its key comes from. */
  readonly facts: Readonly<Record<string, string>>;
  /** What the model is called. */
  readonly model: string;
  /**
   * Streams the text as it is written; pieces are never empty. Ends normally only where the model has ended or reached
   * `maxTokens`. An answer that is cut off rejects after the pieces that came. Aborting the signal rejects with
   * `interrupted`. In all cases it can be called again.
   */
  generate(messages: readonly Message[], options: GenerateOptions): AsyncIterable<string>;
  close(): Promise<void>;
}

/** The bounds of one text. */
export interface GenerateOptions {
  /** Longest text, in the model's own tokens. */
  readonly maxTokens: number;
  /** 0 is the likeliest text each time. */
  readonly temperature: number;
  readonly signal?: AbortSignal | undefined;
}
