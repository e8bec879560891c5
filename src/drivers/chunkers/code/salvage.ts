import type { LanguageRules } from './grammar-rules.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** The usable part of a tree. */
export interface Salvage {
  /** The nodes of the top level; definitions that the parser found within an error stand there too. */
  readonly nodes: readonly SyntaxNode[];
  /** Share of the file that lies in errors and is no definition, from 0 to 1. */
  readonly lost: number;
  /** Line of the first error that may have moved a cut, from 1. */
  readonly line?: number;
}

/** Characters of an error within a node that leave the cuts around it as they are. */
const maxSlip = 200;

/** Finds the usable part of a tree: one extra bracket in a conditional turns everything after it into an error. */
export function salvage(root: SyntaxNode, rules: LanguageRules): Salvage {
  const nodes = root.children;
  const length = root.endIndex - root.startIndex;
  if (!root.hasError || length === 0) return { nodes, lost: 0 };
  if (root.isError) return { nodes, lost: lengthOf(unknownOf(nodes, rules)) / length, line: lineOf(root) };
  let lost = 0;
  const usable = nodes.flatMap((node) => {
    if (!node.isError || isValid(node, rules)) return [node];
    const { children } = node;
    const unknown = unknownOf(children, rules);
    lost += lengthOf(unknown);
    return unknown.length < children.length ? children : [node];
  });
  const error = nodes.map((node) => harmIn(node, rules)).find((found) => found !== undefined);
  return { nodes: usable, lost: lost / length, ...(error && { line: lineOf(error) }) };
}

/**
 * The first error in a node of the top level that may have moved a cut. One word that the grammar does not know, within
 * a definition that it does, moves none; nor does a separator that a grammar misses.
 */
function harmIn(top: SyntaxNode, rules: LanguageRules): SyntaxNode | undefined {
  const pending = [top];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const isSlip = node !== top && node.isError && node.lastRow === node.firstRow;
    const isGap = node.isMissing && !/^[;,]$/.test(node.type);
    if (isGap || (node.isError && !(isSlip && lengthOf([node]) <= maxSlip))) {
      if (!isValid(node, rules)) return node;
    } else if (node.hasError && !node.isError) pending.push(...node.children.toReversed());
  }
  return undefined;
}

function isValid(node: SyntaxNode, { valid }: LanguageRules): boolean {
  return valid?.test(node.text) === true;
}

function lineOf(node: SyntaxNode): number {
  return node.firstRow + 1;
}

/** The nodes that are neither definitions nor comments nor something around either. */
function unknownOf(nodes: readonly SyntaxNode[], rules: LanguageRules): readonly SyntaxNode[] {
  return nodes.filter(({ type }) => {
    const isCall = rules.calls !== undefined && type === 'call';
    const around = [...rules.wrappers, ...(rules.transparent ?? []), ...rules.comments];
    return !(isCall || Object.hasOwn(rules.definitions, type) || around.includes(type));
  });
}

function lengthOf(nodes: readonly SyntaxNode[]): number {
  return nodes.reduce((sum, node) => sum + node.endIndex - node.startIndex, 0);
}
