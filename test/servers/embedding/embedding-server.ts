import type { Fault } from './fault.ts';

/** A call for vectors, as a test sees it. */
export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Its bytes, which can also be read as text. */
  readonly body: Uint8Array & { toString(encoding?: 'utf8'): string };
}

/** A service on a free port of this machine that can be made to fail. */
export interface EmbeddingServer {
  /** The address as it goes into settings. */
  readonly url: string;
  /** Calls for vectors so far. */
  readonly calls: readonly SeenCall[];
  /** The next calls for vectors meet these faults, one each. */
  inject(...faults: readonly Fault[]): void;
  /** Settles once the server has got so many calls for vectors. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}
