import type { ChunkLimits } from '../../../contracts/chunker.ts';
import { cutLines, type TextRange } from '../lines.ts';
import type { TokenMeter } from '../token-meter.ts';
import { type Definition, readDefinition } from './definitions.ts';
import { containerKinds, type LanguageRules } from './grammar-rules.ts';
import { dividePieces, type Piece } from './pieces.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** A definition that was too long for one chunk; it encloses its parts. */
export interface Frame {
  readonly definition: Definition;
  readonly outer: Frame | undefined;
}

/** The smallest unit that packing works with; leaves are in order and cover the text. */
export interface Leaf extends TextRange {
  readonly tokens: number;
  /** The definition the leaf holds as a whole; loose code has none. */
  readonly definition?: Definition;
  /** Names defined within loose code. */
  readonly names: readonly string[];
  readonly frame: Frame | undefined;
  /** Whether it begins the definition of its frame. */
  readonly head: boolean;
}

/** What splitting needs to know about the file. */
export interface Source {
  readonly text: string;
  readonly rules: LanguageRules;
  readonly limits: ChunkLimits;
  readonly meter: TokenMeter;
}

/** A level of the tree to divide, and what surrounds it. */
interface Level {
  readonly nodes: readonly SyntaxNode[];
  readonly range: TextRange;
  readonly frame: Frame | undefined;
  /** Within statements a local definition is a symbol only when it is long enough to stand alone. */
  readonly statements: boolean;
  /** The definition that begins with this level: its first piece is its head. */
  readonly opens: boolean;
  readonly depth: number;
}

/** Deeper than any code that people write; deeper code is cut by lines. */
const deepestLevel = 64;

/** Cuts a file into leaves that fit the maximum: definitions whole, then members, statements, lines. */
export function splitTree(nodes: readonly SyntaxNode[], source: Source): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const range = { start: 0, end: source.text.length };
  const level = { nodes, range, frame: undefined, statements: false, opens: false, depth: 0 };
  splitLevel(level, source, leaves);
  return leaves;
}

function splitLevel(level: Level, source: Source, leaves: Leaf[]): void {
  for (const [index, piece] of dividePieces(level.nodes, level.range, source.rules).entries()) {
    splitPiece(piece, level, level.opens && index === 0, source, leaves);
  }
}

function splitPiece(piece: Piece, level: Level, head: boolean, source: Source, leaves: Leaf[]): void {
  const tokens = source.meter.tokens(piece.start, piece.end);
  if (tokens === 0) return;
  const { node } = piece;
  const found = node === undefined || head ? undefined : definitionOf(node, level, source);
  const stands = found !== undefined && (!level.statements || tokens >= standAlone(level, source));
  const definition = stands ? found : undefined;
  if (tokens <= source.limits.maxTokens) {
    const names = definition?.names ?? (level.statements && found !== undefined ? [found.name] : []);
    const range = { start: piece.start, end: piece.end };
    const leaf = { ...range, tokens, names, frame: level.frame, head };
    leaves.push(definition === undefined ? leaf : { ...leaf, definition });
  } else if (node === undefined || level.depth >= deepestLevel || node.children.length === 0) {
    cutPiece(piece, level, head, source, leaves);
  } else if (definition !== undefined) {
    splitDefinition(piece, node, definition, level, source, leaves);
  } else {
    const deeper = { ...level, nodes: node.children, range: piece, opens: head, depth: level.depth + 1 };
    splitLevel({ ...deeper, statements: !isList(node, level) }, source, leaves);
  }
}

/** A node that only lists members, such as an access section, keeps the rules of its container. */
function isList(node: SyntaxNode, level: Level): boolean {
  return !level.statements && level.frame !== undefined && /_(?:body|list|declarations)$/.test(node.type);
}

function definitionOf(node: SyntaxNode, level: Level, source: Source): Definition | undefined {
  const found = readDefinition(node, source.text, source.rules, level.frame?.definition);
  if (found === undefined || !level.statements) return found;
  // A local variable is not worth a symbol; a local function or class is.
  return found.kind === 'function' || containerKinds.has(found.kind) ? found : undefined;
}

function standAlone(level: Level, source: Source): number {
  const { minTokens, targetTokens } = source.limits;
  return level.frame === undefined ? minTokens : Math.max(minTokens, targetTokens / 2);
}

function splitDefinition(
  piece: Piece,
  node: SyntaxNode,
  definition: Definition,
  level: Level,
  source: Source,
  leaves: Leaf[],
): void {
  const { body } = definition;
  splitLevel(
    {
      nodes: body === undefined ? node.children.slice(1) : nodesWithin(node, body, source.rules),
      range: piece,
      frame: { definition, outer: level.frame },
      statements: !containerKinds.has(definition.kind),
      opens: true,
      depth: level.depth + 1,
    },
    source,
    leaves,
  );
}

/** The children of the body, and comments that stand between the declaration and its body. */
function nodesWithin(node: SyntaxNode, body: SyntaxNode, rules: LanguageRules): readonly SyntaxNode[] {
  let level: readonly SyntaxNode[] = [node];
  for (let depth = 0; depth < deepestLevel; depth += 1) {
    const at = level.findIndex(
      (child) => child.startIndex <= body.startIndex && child.endIndex >= body.endIndex,
    );
    const holder = level[at];
    if (holder === undefined) break;
    const before = level.slice(0, at).filter((child) => depth > 0 && rules.comments.includes(child.type));
    level = [...before, ...holder.children, ...level.slice(at + 1)];
    if (holder.id === body.id) break;
  }
  return level.filter((child) => child.startIndex >= body.startIndex || rules.comments.includes(child.type));
}

function cutPiece(piece: Piece, level: Level, head: boolean, source: Source, leaves: Leaf[]): void {
  const parts = cutLines(source.text, source.limits, source.meter, piece);
  for (const [index, part] of parts.entries()) {
    const tokens = source.meter.tokens(part.start, part.end);
    leaves.push({ ...part, tokens, names: [], frame: level.frame, head: head && index === 0 });
  }
}
