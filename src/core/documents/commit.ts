/** The word that no path begins with. */
const prefix = 'commit:';

/** A hash of git, whole or its beginning, behind that word. */
const form = /^commit:([0-9a-f]{4,64})$/;

/** Digits of a hash that name a commit: as many as git itself shows of the largest repositories. */
const digits = 12;

/** The uri of a commit; with its whole hash where the short one is taken. */
export function commitUri(hash: string, isTaken: (uri: string) => boolean = () => false): string {
  const uri = `${prefix}${hash.slice(0, digits)}`;
  return isTaken(uri) ? `${prefix}${hash}` : uri;
}

/** Whether a uri names a commit. Files with such a name are left out, so that nothing can pass for one. */
export function isCommit(uri: string): boolean {
  return uri.startsWith(prefix) && form.test(uri);
}

/** The one of these that a uri means which has fewer or more digits; undefined where none is meant, or several. */
export function commitMeant(uri: string, paths: readonly string[]): string | undefined {
  if (!isCommit(uri)) return undefined;
  const [only, ...others] = paths.filter(
    (path) => isCommit(path) && (path.startsWith(uri) || uri.startsWith(path)),
  );
  return others.length === 0 ? only : undefined;
}

/** A place as people write it of a commit (`commit 1a2b3c4`) in the form of a uri; undefined for any other text. */
export function commitWritten(text: string): string | undefined {
  const [, hash] = /^commit\s+([0-9a-f]{4,64})$/i.exec(text.trim()) ?? [];
  return hash && `${prefix}${hash.toLowerCase()}`;
}
