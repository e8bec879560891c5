/** What one question cost on one way. */
export interface Cost {
  readonly tokens: number;
  readonly calls: number;
  readonly isFound: boolean;
}

const budgets = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

/** Tables of all ways: success within budgets, tokens by quartiles over all questions, and each way beside the first. */
export function tableOf(
  costs: ReadonlyMap<string, readonly Cost[]>,
  introductions: ReadonlyMap<string, number>,
  budget: number,
): string {
  const [[, first = []] = []] = costs;
  const lines = [
    `| way | found | ${budgets.map((each) => `within ${each / 1000}k`).join(' | ')} | tokens: quartile | median | quartile | calls | median ratio | tools |`,
    `|---|${'---|'.repeat(budgets.length + 7)}`,
  ];
  for (const [name, all] of costs) {
    // A question whose file was not found costs more than any that was.
    const tokens = all
      .map((cost) => (cost.isFound ? cost.tokens : Number.POSITIVE_INFINITY))
      .toSorted((one, other) => one - other);
    const within = budgets.map((each) => share(tokens.filter((cost) => cost <= each).length, all.length));
    const quartiles = [0.25, 0.5, 0.75].map((part) => shown(quantile(tokens, part), budget));
    const calls = all.filter(({ isFound }) => isFound).map((cost) => cost.calls);
    const ratios = all.flatMap((cost, at) => {
      const ours = first[at];
      return ours?.isFound && cost.isFound ? [cost.tokens / ours.tokens] : [];
    });
    const cells = [
      name,
      share(all.filter(({ isFound }) => isFound).length, all.length),
      ...within,
      ...quartiles,
      String(quantile(sorted(calls), 0.5)),
      quantile(sorted(ratios), 0.5).toFixed(1),
      String(introductions.get(name) ?? 0),
    ];
    lines.push(`| ${cells.join(' | ')} |`);
  }
  return `${lines.join('\n')}\n`;
}

function sorted(numbers: readonly number[]): number[] {
  return numbers.toSorted((one, other) => one - other);
}

function quantile(ascending: readonly number[], part: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * part))] ?? 0;
}

function share(some: number, all: number): string {
  return `${Math.round((100 * some) / all)} %`;
}

function shown(tokens: number, budget: number): string {
  return Number.isFinite(tokens) ? tokens.toLocaleString('en') : `over ${budget.toLocaleString('en')}`;
}
