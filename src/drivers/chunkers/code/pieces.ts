import type { TextRange } from '../lines.ts';
import type { LanguageRules } from './grammar-rules.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** A node of one level of the tree together with the comments and attributes that belong to it. */
export interface Piece extends TextRange {
  /** Undefined for the part before the first node. */
  readonly node?: SyntaxNode;
}

interface Entry {
  readonly node: SyntaxNode;
  readonly start: number;
  readonly role: 'comment' | 'attribute' | 'code' | 'punctuation';
}

const deepestExpansion = 16;
/** Fields that say what the keyword of a transparent node is about. */
const keywordFields = ['name', 'condition', 'value'];

/** Divides a range among the nodes of one level, in order: the pieces cover the range without a gap. */
export function dividePieces(
  nodes: readonly SyntaxNode[],
  range: TextRange,
  rules: LanguageRules,
): readonly Piece[] {
  const entries = nodes.flatMap((node) => entriesOf(node, rules, 0));
  const starts: { start: number; node?: SyntaxNode }[] = [];
  let prefix: { start: number; endRow: number; binds: boolean } | undefined;
  let previous: SyntaxNode | undefined;
  const flush = () => {
    if (prefix !== undefined) starts.push({ start: prefix.start });
    prefix = undefined;
  };
  for (const entry of entries) {
    if (entry.start < range.start || entry.start >= range.end) continue;
    const row = entry.node.firstRow;
    const follows = entry.role === 'comment' && row === previous?.lastRow;
    if (entry.role === 'punctuation' || follows) {
      previous = entry.node;
      continue;
    }
    const adjacent = prefix !== undefined && (prefix.binds || row <= prefix.endRow + 1);
    if (!adjacent) flush();
    if (entry.role === 'code') {
      starts.push({ start: prefix?.start ?? entry.start, node: entry.node });
      prefix = undefined;
      previous = entry.node;
    } else {
      const binds = entry.role === 'attribute' || (adjacent && prefix?.binds === true);
      prefix = { start: prefix?.start ?? entry.start, endRow: entry.node.lastRow, binds };
    }
  }
  flush();
  return closePieces(starts, range);
}

function closePieces(
  starts: readonly { start: number; node?: SyntaxNode }[],
  range: TextRange,
): readonly Piece[] {
  const pieces: Piece[] = [];
  const first = starts[0]?.start ?? range.end;
  if (first > range.start) pieces.push({ start: range.start, end: first });
  for (const [index, { start, node }] of starts.entries()) {
    const end = starts[index + 1]?.start ?? range.end;
    pieces.push(node === undefined ? { start, end } : { start, end, node });
  }
  return pieces;
}

function entriesOf(node: SyntaxNode, rules: LanguageRules, depth: number): readonly Entry[] {
  if (node.endIndex <= node.startIndex) return [];
  const { type } = node;
  if (rules.transparent?.includes(type) && depth < deepestExpansion) return expanded(node, rules, depth);
  return [{ node, start: node.startIndex, role: roleOf(node, type, rules) }];
}

/** The children in place of the node; its keyword belongs to what follows, as an attribute would. */
function expanded(node: SyntaxNode, rules: LanguageRules, depth: number): readonly Entry[] {
  const body = node.childForFieldName('body');
  const said = keywordFields.map((field) => node.childForFieldName(field)?.id);
  const children = node.children
    .filter((child) => !said.includes(child.id))
    .flatMap((child) => (child.id === body?.id ? child.children : [child]));
  const entries = children.flatMap((child) => entriesOf(child, rules, depth + 1));
  const [first, ...rest] = entries;
  if (first === undefined) return [{ node, start: node.startIndex, role: 'code' }];
  // A list of definitions has no keyword.
  if (Object.hasOwn(rules.definitions, first.node.type)) return entries;
  return [{ ...first, role: 'attribute', start: node.startIndex }, ...rest];
}

function roleOf(node: SyntaxNode, type: string, rules: LanguageRules): Entry['role'] {
  if (rules.comments.includes(type)) return 'comment';
  if (rules.attributes.includes(type)) return 'attribute';
  if (rules.trailing?.includes(type)) return 'punctuation';
  return node.isNamed || node.isError ? 'code' : 'punctuation';
}
