/** Something that an outside searcher found. */
export interface OutsideMatch {
  /** What it calls the document: a path, an address, a name. */
  readonly name: string;
  readonly text: string;
  /** First and last line in its document, where it says so. */
  readonly lines?: readonly [first: number, last: number];
}

/** Answers queries from something that is not our index: its answers stand beside our hits. */
export interface OutsideSearcher {
  /** The name of the other side, for citations. */
  readonly name: string;
  /** Best first. Fails with a `QuarryError`; a search does without it then. */
  search(
    query: string,
    options: { readonly limit: number; readonly signal?: AbortSignal | undefined },
  ): Promise<OutsideMatch[]>;
  close(): Promise<void>;
}
