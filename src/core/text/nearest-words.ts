/** The known word that a mistyped one most likely means; undefined where none is near. */
export function nearestWord(written: string, known: readonly string[]): string | undefined {
  return nearestWords(written, known)[0];
}

/** The known words that a mistyped one may mean, nearest first. */
export function nearestWords(written: string, known: readonly string[]): string[] {
  const farthest = Math.max(1, Math.floor(written.length / 3));
  return known
    .filter((word) => Math.abs(word.length - written.length) <= farthest)
    .map((word) => ({ word, distance: distanceOf(written, word) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((one, other) => one.distance - other.distance)
    .map(({ word }) => word);
}

/** Letters to add, leave out, change or swap with the next one, until one word is the other. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row += 1) {
    rows[row] = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
}
