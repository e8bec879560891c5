/** A commit that wrote a line as it stands, or changed a file. */
export interface LastCommit {
  readonly uri: string;
  readonly hash: string;
  readonly subject: string;
  readonly author: string;
  /** In milliseconds since 1970. */
  readonly committedAt: number;
  /** Lines of the file, as it is now, that it wrote; absent where a whole file was asked for. */
  readonly lines?: readonly number[];
}

/** The last commits of a place, newest first. */
export interface LastCommits {
  readonly commits: readonly LastCommit[];
  /** Lines that no commit holds yet. */
  readonly uncommitted: readonly number[];
}
