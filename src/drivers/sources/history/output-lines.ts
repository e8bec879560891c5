import { beginningOf } from '../../../core/text/shortened.ts';

/** Characters of one line that are kept. */
const maxLine = 2000;
const newline = 10;

/** Cuts bytes into lines as they come; of a very long line only the beginning is kept. */
export class OutputLines {
  #parts: Buffer[] = [];
  #length = 0;
  readonly #take: (line: string) => void;

  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  add(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      this.#keep(bytes.subarray(start, end));
      this.end();
      start = end + 1;
    }
    this.#keep(bytes.subarray(start));
  }

  /** The line so far is whole. */
  end(): void {
    const line = Buffer.concat(this.#parts).toString('utf8').replace(/\r$/, '');
    this.#parts = [];
    this.#length = 0;
    this.#take(line.length > maxLine ? `${beginningOf(line, maxLine)}…` : line);
  }

  #keep(bytes: Buffer): void {
    // A character of UTF-8 has four bytes at most.
    const room = 4 * maxLine + 4 - this.#length;
    if (room <= 0 || bytes.length === 0) return;
    const part = bytes.subarray(0, room);
    this.#parts.push(Buffer.from(part));
    this.#length += part.length;
  }
}
