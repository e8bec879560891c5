import { foldCase } from '../../../../core/globs/wildcard.ts';
import type { IgnoreRule } from './ignore-rules.ts';

/** The rule that decides about an entry: the last one that matches it. */
export function lastMatch(
  rules: readonly IgnoreRule[],
  path: string,
  name: string,
  isFolder: boolean,
): IgnoreRule | undefined {
  if (rules.length === 0) return undefined;
  const index = indexOf(rules);
  const key = index.folds ? foldCase(name) : name;
  const speaks = (order: number): boolean => rules[order]?.matches(path, name, isFolder) ?? false;
  let last = latest(index.byName.get(key), -1, speaks);
  for (let dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
    last = latest(index.bySuffix.get(key.slice(dot)), last, speaks);
  }
  return rules[latest(index.others, last, speaks)];
}

/** Positions of the rules in a list, by what a name must be or end in, so that a long list is not searched as a whole. */
interface RuleIndex {
  readonly byName: ReadonlyMap<string, readonly number[]>;
  readonly bySuffix: ReadonlyMap<string, readonly number[]>;
  readonly others: readonly number[];
  /** Whether upper and lower case are ignored. */
  readonly folds: boolean;
}

const indexes = new WeakMap<readonly IgnoreRule[], RuleIndex>();

function indexOf(rules: readonly IgnoreRule[]): RuleIndex {
  const known = indexes.get(rules);
  if (known) return known;
  const index = createIndex(rules);
  indexes.set(rules, index);
  return index;
}

function createIndex(rules: readonly IgnoreRule[]): RuleIndex {
  const byName = new Map<string, number[]>();
  const bySuffix = new Map<string, number[]>();
  const others: number[] = [];
  const folds = rules.some(({ ignoreCase }) => ignoreCase);
  for (const [order, { clue }] of rules.entries()) {
    if (!clue) others.push(order);
    else append(clue.kind === 'name' ? byName : bySuffix, folds ? foldCase(clue.text) : clue.text, order);
  }
  return { byName, bySuffix, others, folds };
}

function append(map: Map<string, number[]>, key: string, order: number): void {
  const orders = map.get(key);
  if (orders) orders.push(order);
  else map.set(key, [order]);
}

/** The last of some rules that matches an entry, if it comes after the last one so far. */
function latest(
  orders: readonly number[] | undefined,
  soFar: number,
  speaks: (order: number) => boolean,
): number {
  if (orders === undefined) return soFar;
  for (let index = orders.length - 1; index >= 0; index--) {
    const order = orders[index] ?? -1;
    if (order <= soFar) return soFar;
    if (speaks(order)) return order;
  }
  return soFar;
}
