import { statSync } from 'node:fs';
import { Connection, type Elsewhere } from '../file/connection.ts';
import { fileGone } from '../file/file-identity.ts';
import { NearestSearch } from '../vectors/nearest.ts';

/** A file that is searched here, and what searches its vectors, which may keep all of them in memory. */
export interface OpenFile {
  readonly connection: Connection;
  readonly nearest: NearestSearch;
  readonly bytes: number;
}

/** The files of the second thread. Together they are no larger than a bound: their vectors are in memory once more here. */
export class OpenFiles {
  readonly #maxBytes: number;
  /** The one that was asked last at the end. */
  readonly #files = new Map<string, OpenFile>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** Opens a file, or gives the one that is open; closes those that were not asked for longest. Throws where it is too large, or another one took its place. */
  open({ path, identity, key }: Elsewhere): OpenFile {
    const known = this.#files.get(path);
    const isSame = known?.connection.elsewhere()?.identity === identity;
    if (known && !isSame) this.close(path);
    const bytes = statSync(path).size;
    if (bytes > this.#maxBytes) {
      this.close(path);
      throw new RangeError(`${path} is too large for a second copy of its vectors.`);
    }
    const connection = known && isSame ? known.connection : new Connection(path, { key });
    if (!isSame && connection.elsewhere()?.identity !== identity) {
      connection.close();
      throw fileGone(path);
    }
    const file = {
      connection,
      nearest: known && isSame ? known.nearest : new NearestSearch(connection),
      bytes,
    };
    this.#files.delete(path);
    this.#closeUntil(this.#maxBytes - bytes);
    this.#files.set(path, file);
    return file;
  }

  close(path: string): void {
    const file = this.#files.get(path);
    this.#files.delete(path);
    void file?.nearest.close();
    file?.connection.close();
  }

  #closeUntil(left: number): void {
    const held = () => [...this.#files.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const path of this.paths) {
      if (held() <= left) return;
      this.close(path);
    }
  }
}
