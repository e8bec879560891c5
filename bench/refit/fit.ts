import { compare } from '../../src/evaluation/measures/comparison.ts';
import { mean } from '../../src/evaluation/measures/metrics.ts';
import { keptParts, readPart, readSpace } from './kept.ts';
import { type Measured, orderingsOf, type Shares } from './order.ts';

/** What is shipped for the bundled model. */
export const shipped: Shares = { dense: 0.5, said: 0.5, power: 1 };

/** What is tried: first both shares with each other, then the power with the best of them. */
const tried = { dense: [0.35, 0.5, 0.65], said: [0.3, 0.5, 0.7], power: [0.7, 1.4] };

/** Which sets choose and which judge; of all others every other question does either. */
export interface Split {
  readonly fitted: readonly string[];
  readonly judged: readonly string[];
  /** Of so many questions that may choose, two do. */
  readonly every: number;
}

/** What one question came to with each of some shares. */
interface Row {
  readonly set: string;
  readonly values: readonly Measured[];
}

/** Chooses the shares of each space, and says what they are worth on what did not choose them, against the first space with its own. */
export function* fitSpaces(folder: string, spaces: readonly string[], split: Split): Generator<string> {
  const parts = keptParts(folder, spaces);
  let base: { readonly space: string; readonly rows: readonly Row[] } | undefined;
  for (const space of spaces) {
    const source = { folder, space, parts };
    const grid = tried.dense.flatMap((dense) => tried.said.map((said) => ({ dense, said, power: 1 })));
    const first = bestOf(source, grid, split);
    const bends = tried.power.map((power) => ({ ...first.shares, power }));
    const { shares, report } = bestOf(source, [first.shares, ...bends], split);
    const rows = rowsOf(source, [shipped, shares], split, false);
    yield `${space}: chosen ${JSON.stringify(shares)}\n${first.report}\n${report}`;
    yield `${space}: chosen against shipped shares\n${tableOf(rows, 0, rows, 1)}`;
    if (base) {
      yield `${base.space} and ${space}, both with the shipped shares\n${tableOf(base.rows, 0, rows, 0)}`;
      yield `${base.space} and ${space}, each with its own shares\n${tableOf(base.rows, 1, rows, 1)}`;
    }
    base ??= { space, rows };
  }
}

/** What is read: the candidates of some parts, by one space. */
interface Source {
  readonly folder: string;
  readonly space: string;
  readonly parts: readonly string[];
}

function bestOf(source: Source, grid: readonly Shares[], split: Split) {
  const rows = rowsOf(source, grid, split, true);
  const sets = [...Map.groupBy(rows, ({ set }) => set).values()];
  const worth = grid.map((_, at) =>
    mean(sets.map((own) => mean(own.map(({ values }) => worthOf(values[at]))))),
  );
  const best = worth.indexOf(Math.max(...worth));
  const lines = grid.map((shares, at) => `  ${JSON.stringify(shares)} ${(worth[at] ?? 0).toFixed(4)}`);
  return { shares: grid[best] ?? shipped, report: lines.join('\n') };
}

/** Files and chunks count equally. */
function worthOf(measured: Measured | undefined): number {
  return measured ? (measured.file + measured.chunk) / 2 : 0;
}

/** Every question of one half, in the order of the parts. */
function rowsOf(
  { folder, space, parts }: Source,
  grid: readonly Shares[],
  split: Split,
  isFitting: boolean,
): Row[] {
  const rows: Row[] = [];
  const counts = new Map<string, number>();
  for (const name of parts) {
    const part = readPart(folder, name);
    const { set } = part;
    const isWhole = split.fitted.includes(set) || split.judged.includes(set);
    if (isWhole && split.fitted.includes(set) !== isFitting) continue;
    for (const { measure } of orderingsOf(part, readSpace(folder, name, space))) {
      const at = counts.get(set) ?? 0;
      counts.set(set, at + 1);
      if (!isWhole && (at % 2 === 0) !== isFitting) continue;
      // Neighbours, so that a set of which every other question chooses is sampled too.
      if (isFitting && at % split.every > 1) continue;
      rows.push({ set, values: grid.map(measure) });
    }
  }
  return rows;
}

/** Means of the first, the difference and its interval, by set. */
function tableOf(first: readonly Row[], one: number, second: readonly Row[], other: number): string {
  const sets = [...new Set(first.map(({ set }) => set))];
  const measures = ['file', 'chunk', 'best'] as const;
  const lines = sets.map((set) => {
    const before = first.filter((row) => row.set === set).map(({ values }) => values[one]);
    const after = second.filter((row) => row.set === set).map(({ values }) => values[other]);
    const cells = measures.map((measure) => {
      const from = before.flatMap((value) => value?.[measure] ?? []);
      const to = after.flatMap((value) => value?.[measure] ?? []);
      if (from.length === 0) return '';
      const { difference, interval, isReal } = compare(from, to);
      const [low, high] = interval.map(thousandths);
      const moved = `${thousandths(difference)} (${low} to ${high})`;
      return `${mean(from).toFixed(3)} ${isReal ? `**${moved}**` : moved}`;
    });
    return `| ${set} | ${before.length} | ${cells.join(' | ')} |`;
  });
  return ['| set | questions | file | chunk | best chunk |', '|---|---|---|---|---|', ...lines].join('\n');
}

function thousandths(value: number): string {
  const rounded = (1000 * value).toFixed(1);
  return value > 0 ? `+${rounded}` : rounded;
}
