/** A line of a text that was changed: kept, removed or added. */
export interface DiffLine {
  readonly kind: 'kept' | 'removed' | 'added';
  readonly text: string;
}

/** The shortest way from one text to another, line by line. For texts of a few thousand lines at most. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, young] = [linesOf(before), linesOf(after)];
  // How many lines the rests of both have in common, for each pair of beginnings.
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(young.length + 1));
  const shared = (a: number, b: number): number => common[a]?.[b] ?? 0;
  for (let a = old.length - 1; a >= 0; a -= 1)
    for (let b = young.length - 1; b >= 0; b -= 1) {
      const row = common[a] as Uint32Array;
      row[b] = old[a] === young[b] ? shared(a + 1, b + 1) + 1 : Math.max(shared(a + 1, b), shared(a, b + 1));
    }
  const lines: DiffLine[] = [];
  for (let a = 0, b = 0; a < old.length || b < young.length; ) {
    const text = old[a] ?? '';
    if (a < old.length && b < young.length && old[a] === young[b]) {
      lines.push({ kind: 'kept', text });
      a += 1;
      b += 1;
    } else if (a < old.length && (b >= young.length || shared(a + 1, b) >= shared(a, b + 1))) {
      lines.push({ kind: 'removed', text });
      a += 1;
    } else {
      lines.push({ kind: 'added', text: young[b] ?? '' });
      b += 1;
    }
  }
  return lines;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
