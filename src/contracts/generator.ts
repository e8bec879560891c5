/** One turn of a conversation with a language model. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A language model that writes. */
export interface Generator {
  /** Tokens of prompt and answer together that the model can hold. */
  readonly contextTokens: number;
  /** Streams the answer as pieces of text. */
  generate(messages: readonly Message[], options?: GenerateOptions): AsyncIterable<string>;
  close(): Promise<void>;
}

/** The bounds of one answer. */
export interface GenerateOptions {
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
}
