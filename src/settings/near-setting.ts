/** Letters by which a name may differ from the one that was meant. */
const maxDistance = 4;

/** An entry may have any name: there the name of its table has to be nearer. */
const maxTableDistance = 2;

/** The setting that somebody meant: one that is spelled alike, or has the same name in another table. */
export function nearSetting(
  key: string,
  known: readonly string[],
  /** Those whose entries have names of the user's. */
  tables: readonly string[] = [],
): string | undefined {
  const words = key.split('.');
  const name = words.at(-1);
  // Set in a table that it does not stand in.
  const inner = words.slice(1).join('.');
  if (known.includes(inner) || tables.includes(words.slice(1, -1).join('.'))) return inner;
  const entries = words.length > 1 ? tables.map((table) => `${table}.${name}`) : [];
  return (
    nearest(key, entries, maxTableDistance) ?? namesake(known, words) ?? nearest(key, known, maxDistance)
  );
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The only one of this name, in whichever table. */
function namesake(known: readonly string[], words: readonly string[]): string | undefined {
  if (words.length < 2) return undefined;
  const same = known.filter((candidate) => candidate.split('.').at(-1) === words.at(-1));
  return same.length === 1 ? same[0] : undefined;
}

function nearest(key: string, candidates: readonly string[], most: number): string | undefined {
  const best = candidates
    // No closer than their lengths are; a file of a stranger may have keys of any length.
    .filter((candidate) => Math.abs(candidate.length - key.length) <= most)
    .map((candidate) => ({ candidate, distance: editDistance(key, candidate) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= most ? best.candidate : undefined;
}
