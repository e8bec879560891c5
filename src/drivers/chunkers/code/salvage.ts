import type { Node } from 'web-tree-sitter';
import type { LanguageRules } from './grammar-rules.ts';

/** The usable part of a tree. */
export interface Salvage {
  /** The nodes of the top level; definitions that the parser found within an error stand there too. */
  readonly nodes: readonly Node[];
  /** Share of the file that lies in errors and is no definition, from 0 to 1. */
  readonly lost: number;
}

/** Finds the usable part of a tree: one extra bracket in a conditional turns everything after it into an error. */
export function salvage(root: Node, rules: LanguageRules): Salvage {
  const nodes = root.children;
  const length = root.endIndex - root.startIndex;
  if (!root.hasError || length === 0) return { nodes, lost: 0 };
  if (root.isError) return { nodes, lost: lengthOf(unknownOf(nodes, rules)) / length };
  let lost = 0;
  const usable = nodes.flatMap((node) => {
    if (!node.isError) return [node];
    const { children } = node;
    const unknown = unknownOf(children, rules);
    lost += lengthOf(unknown);
    return unknown.length < children.length ? children : [node];
  });
  return { nodes: usable, lost: lost / length };
}

/** The nodes that are neither definitions nor comments nor something around either. */
function unknownOf(nodes: readonly Node[], rules: LanguageRules): readonly Node[] {
  return nodes.filter(({ type }) => {
    const isCall = rules.calls !== undefined && type === 'call';
    const around = [...rules.wrappers, ...(rules.transparent ?? []), ...rules.comments];
    return !(isCall || Object.hasOwn(rules.definitions, type) || around.includes(type));
  });
}

function lengthOf(nodes: readonly Node[]): number {
  return nodes.reduce((sum, node) => sum + node.endIndex - node.startIndex, 0);
}
