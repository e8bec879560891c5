/** A place that a query mentions: `src/store.ts`, `store.ts:42`. */
export interface PathMention {
  readonly path: string;
  readonly line?: number;
  /** The documents that are meant; absent until they are looked up. */
  readonly uris?: ReadonlySet<string>;
}

/** Looks up the documents that are meant: those whose uri ends with the path, or else the longest uri that the path ends with. */
export function lookUp(mentions: readonly PathMention[], uris: readonly string[]): PathMention[] {
  return mentions.map((mention) => ({ ...mention, uris: new Set(meantBy(mention.path, uris)) }));
}

/** Whether a mention means the document; before it is looked up, whether it may. */
export function isMentioned(uri: string, { path, uris }: PathMention): boolean {
  return uris ? uris.has(uri) : endsWithPath(uri, path) || endsWithPath(path, uri);
}

function meantBy(path: string, uris: readonly string[]): string[] {
  const named = uris.filter((uri) => endsWithPath(uri, path));
  if (named.length > 0) return named;
  // An absolute path of a stack trace: `/app/src/index.ts` is `src/index.ts`, though `index.ts` ends it too.
  const [longest] = uris
    .filter((uri) => endsWithPath(path, uri))
    .sort((one, other) => other.length - one.length);
  return longest === undefined ? [] : [longest];
}

/** Whether a path ends with another, folder by folder. */
function endsWithPath(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}
