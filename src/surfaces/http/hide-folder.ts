/** Texts of documents are given as they are, whatever they begin with. */
const textKeys: ReadonlySet<string> = new Set(['text', 'context', 'block', 'answer']);

/** The value with the name of the project in place of its folder on the server, wherever a path begins with that. */
export function hideFolder(value: unknown, folder: string, name: string): unknown {
  const hidden = (part: unknown): unknown => {
    if (typeof part === 'string') return isBelow(part, folder) ? name + part.slice(folder.length) : part;
    if (Array.isArray(part)) return part.map(hidden);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [key, textKeys.has(key) ? inner : hidden(inner)]),
    );
  };
  return hidden(value);
}

function isBelow(path: string, folder: string): boolean {
  return (
    path.startsWith(folder) && (path.length === folder.length || /[\\/]/.test(path.charAt(folder.length)))
  );
}
