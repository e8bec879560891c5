import { QuarryError } from '../core/errors.ts';

/** Reads a stream of chunks as one sequence of bytes, holding one chunk at a time. */
export class ByteReader {
  /** Bytes taken, streamed or skipped so far. */
  position = 0;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** The next bytes, all of them; rejects where the stream ends before. */
  async take(bytes: number): Promise<Uint8Array> {
    const taken = Buffer.alloc(bytes);
    let filled = 0;
    for await (const part of this.stream(bytes)) {
      taken.set(part, filled);
      filled += part.length;
    }
    return taken;
  }

  /** The next bytes, or undefined where the stream is at its end. */
  async takeOrEnd(bytes: number): Promise<Uint8Array | undefined> {
    return (await this.#fill()) ? this.take(bytes) : undefined;
  }

  /** The next bytes in parts, as they come. */
  async *stream(bytes: number): AsyncGenerator<Uint8Array, void, void> {
    const end = this.position + bytes;
    while (this.position < end) {
      if (!(await this.#fill())) throw endsEarly();
      const part = this.#chunk.subarray(0, end - this.position);
      this.#chunk = this.#chunk.subarray(part.length);
      this.position += part.length;
      yield part;
    }
  }

  /** Passes over bytes. */
  async skip(bytes: number): Promise<void> {
    for await (const _ of this.stream(bytes));
  }

  /** Lets go of the stream, wherever it is. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Makes sure that there is a byte to read; false at the end. */
  async #fill(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done) return false;
      this.#chunk = value;
    }
    return true;
  }
}

function endsEarly(): QuarryError {
  return new QuarryError(
    'model-not-found',
    'The archive ends before its content does.',
    'Fetch the archive again; do not use the file.',
  );
}
