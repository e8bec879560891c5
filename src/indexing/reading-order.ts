import type { SourceFile } from '../contracts/source.ts';

/** Files that somebody waits for. */
interface Wish {
  readonly uris: Set<string>;
  readonly fulfilled: PromiseWithResolvers<void>;
}

/** The order in which a run reads its files: as they were found, but those first that an answer waits for. */
export class ReadingOrder {
  #wishes: Wish[] = [];
  #isOver = false;
  /** Files that the run has not dealt with; undefined until it knows them. */
  #left: Set<string> | undefined;

  /** Has these files read before all others, in this order. Resolves when the run has dealt with each of them, or has ended. */
  want(uris: readonly string[]): Promise<void> {
    const left = this.#left;
    const wish = {
      uris: new Set(left ? uris.filter((uri) => left.has(uri)) : uris),
      fulfilled: Promise.withResolvers<void>(),
    };
    if (this.#isOver || wish.uris.size === 0) wish.fulfilled.resolve();
    else this.#wishes.push(wish);
    return wish.fulfilled.promise;
  }

  /** Every file once; which is next is decided when it is asked for. */
  *of(files: readonly SourceFile[]): Generator<SourceFile> {
    const ahead = new Map(files.map((file) => [file.uri, file]));
    this.#left = new Set(ahead.keys());
    // What is not to be read has nothing to wait for.
    for (const wish of [...this.#wishes])
      for (const uri of [...wish.uris]) if (!ahead.has(uri)) this.#settle(wish, uri);
    for (const file of files) {
      for (let wanted = this.#next(ahead); wanted; wanted = this.#next(ahead)) {
        ahead.delete(wanted.uri);
        yield wanted;
      }
      if (ahead.delete(file.uri)) yield file;
    }
  }

  /** Notes that a file was read and committed, or passed over. */
  done(uri: string): void {
    this.#left?.delete(uri);
    for (const wish of [...this.#wishes]) this.#settle(wish, uri);
  }

  /** Notes that the run has ended, however: nobody waits for it any more. */
  end(): void {
    this.#isOver = true;
    for (const { fulfilled } of this.#wishes.splice(0)) fulfilled.resolve();
  }

  #next(ahead: ReadonlyMap<string, SourceFile>): SourceFile | undefined {
    for (const { uris } of this.#wishes)
      for (const uri of uris) {
        const file = ahead.get(uri);
        if (file) return file;
      }
    return undefined;
  }

  #settle(wish: Wish, uri: string): void {
    if (!wish.uris.delete(uri) || wish.uris.size > 0) return;
    this.#wishes = this.#wishes.filter((other) => other !== wish);
    wish.fulfilled.resolve();
  }
}
