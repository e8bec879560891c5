/** Adds one to a count. */
export function countInto(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Prints counts as a table, the largest first, each with an example where there is one. */
export function printCounts(
  title: string,
  counts: ReadonlyMap<string, number>,
  exampleOf: (name: string) => string,
): void {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(`\n${title}: ${total}`);
  for (const [name, count] of [...counts].sort((a, b) => b[1] - a[1])) {
    const example = exampleOf(name);
    console.log(`| ${count} | ${name} |${example === '' ? '' : ` ${example} |`}`);
  }
}
