/** Beginnings of other names before a colon: added content, conversations, commits, addresses. */
const taken: readonly string[] = ['virtual', 'conversation', 'commit', 'http', 'https', 'file', 'mailto'];

/**
 * Whether a name may stand before a colon and a path. One letter there is a drive of Windows, and some words begin names of
 * documents.
 */
export function isCitable(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{1,63}$/i.test(name) && !taken.includes(name.toLowerCase());
}

/** The name of a project before a colon: its own, or one that cannot be mistaken. */
export function citableName(name: string): string {
  return isCitable(name) ? name : `project-${name}`.slice(0, 64);
}

/** The name of a document among several projects: `api:src/a.ts`. */
export function inProject(name: string, uri: string): string {
  return `${name}:${uri}`;
}

/** A place or path in parts, where it begins with one of these names of projects. */
export function splitProject(
  text: string,
  isName: (name: string) => boolean,
): { readonly name: string; readonly rest: string } | undefined {
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(at, 0));
  // `std::vector` is a name of code.
  return at > 0 && at < text.length - 1 && text[at + 1] !== ':' && isCitable(name) && isName(name)
    ? { name, rest: text.slice(at + 1) }
    : undefined;
}
