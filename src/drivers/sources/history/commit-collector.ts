import { unquoted } from './unquote.ts';

/** What a commit does to one file. */
export interface FileChange {
  /** Git's letter: added, copied, deleted, modified, renamed, another type. */
  readonly status: string;
  readonly path: string;
  /** Where it was before, of a renamed or copied file. */
  readonly from?: string;
  added: number;
  removed: number;
  isBinary: boolean;
  /** The changed lines with a little around them, as far as they were kept. */
  readonly lines: string[];
  /** Lines that were not kept. */
  dropped: number;
}

/** A commit as git tells it. */
export interface CommitRecord {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly authoredAt: number;
  readonly committedAt: number;
  readonly message: string;
  readonly files: readonly FileChange[];
  /** Files that are not in the list, since there are too many. */
  readonly furtherFiles: number;
}

/** What `CommitCollector` reads: each field begins a line with a NUL, which no field can hold. */
export const commitFormat = '--format=%x00%H%n%x00%P%n%x00%an%n%x00%ae%n%x00%at%n%x00%ct%n%x00%B%n%x00';
const fields = 8;

/** What is kept of one commit in memory, in characters, and of its files. */
const kept = { message: 64 * 1024, file: 16 * 1024, all: 512 * 1024, files: 2000 };

/** Takes what git writes of one commit, line by line, and keeps a bounded part of it. */
export class CommitCollector {
  readonly #head: string[] = [];
  #headLength = 0;
  #ends = 0;
  readonly #files: FileChange[] = [];
  #further = 0;
  #current = -1;
  #sections = 0;
  #inHunk = false;
  #keptLength = 0;
  readonly #lengths = new Map<FileChange, number>();

  line(text: string): void {
    if (this.#ends < fields) this.#takeHead(text);
    else if (this.#current < 0 && text.startsWith(':')) this.#takeFile(text);
    else if (text.startsWith('diff --git ')) this.#nextSection();
    else this.#takeChange(text);
  }

  /** The commit; undefined where git said nothing of it. */
  record(): CommitRecord | undefined {
    if (this.#ends < fields) return undefined;
    const [, hash = '', parents = '', author = '', email = '', at = '', committed = '', message = ''] =
      this.#head
        .join('\n')
        .split('\0')
        .map((field) => field.trim());
    return {
      hash,
      parents: parents.split(' ').filter(Boolean),
      author,
      email,
      authoredAt: Number(at),
      committedAt: Number(committed),
      message,
      files: this.#files,
      furtherFiles: this.#further,
    };
  }

  #takeHead(text: string): void {
    const before = this.#ends;
    for (const character of text) if (character === '\0') this.#ends += 1;
    // What is not kept of a message are whole lines; its end is.
    const isKept = this.#headLength < kept.message || this.#ends > before;
    this.#headLength += text.length;
    if (isKept) this.#head.push(text);
  }

  #takeFile(text: string): void {
    const [, status = '', names = ''] = /^:+[0-7 ]+[0-9a-f ]+ ([A-Z])\d*\t(.*)$/s.exec(text) ?? [];
    if (names === '') return;
    if (this.#files.length >= kept.files) {
      this.#further += 1;
      return;
    }
    const [first = '', second] = names.split('\t').map(unquoted);
    const change = { status, added: 0, removed: 0, isBinary: false, lines: [], dropped: 0 };
    this.#files.push(
      second === undefined ? { ...change, path: first } : { ...change, path: second, from: first },
    );
  }

  #nextSection(): void {
    this.#inHunk = false;
    // A file that becomes a link, or the other way round, is deleted and added.
    if (this.#files[this.#current]?.status === 'T' && this.#sections === 1) this.#sections = 2;
    else {
      this.#current += 1;
      this.#sections = 1;
    }
  }

  #takeChange(text: string): void {
    const file = this.#files[this.#current];
    if (!file) return;
    if (text.startsWith('@@ ')) this.#inHunk = true;
    else if (!this.#inHunk) {
      if (/^(?:Binary files |GIT binary patch)/.test(text)) file.isBinary = true;
      return;
    }
    if (text.startsWith('+')) file.added += 1;
    else if (text.startsWith('-')) file.removed += 1;
    const length = this.#lengths.get(file) ?? 0;
    if (length >= kept.file || this.#keptLength >= kept.all) file.dropped += 1;
    else {
      file.lines.push(text);
      this.#lengths.set(file, length + text.length + 1);
      this.#keptLength += text.length + 1;
    }
  }
}
