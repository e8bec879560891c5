import type { Language, Tree } from 'web-tree-sitter';
import { type TextLines, textLines } from './graph/line-of.ts';

/** What the parser's module offers below its classes: a call of a class copies its object to the module and back, for each property of each node. */
export interface Binding {
  _ts_tree_root_node_wasm(tree: number): void;
  _ts_tree_cursor_new_wasm(tree: number): void;
  _ts_tree_cursor_delete_wasm(tree: number): void;
  _ts_tree_cursor_goto_first_child_wasm(tree: number): number;
  _ts_tree_cursor_goto_next_sibling_wasm(tree: number): number;
  _ts_tree_cursor_goto_parent_wasm(tree: number): number;
  _ts_tree_cursor_current_node_type_id_wasm(tree: number): number;
  _ts_tree_cursor_current_node_is_missing_wasm(tree: number): number;
  _ts_tree_cursor_current_field_id_wasm(tree: number): number;
  _ts_tree_cursor_start_index_wasm(tree: number): number;
  _ts_tree_cursor_end_index_wasm(tree: number): number;
}

/** The kinds of nodes and the fields of a grammar, by their numbers. */
export interface NodeKinds {
  readonly types: readonly string[];
  readonly named: readonly boolean[];
  readonly fields: ReadonlyMap<string, number>;
}

/** Reads the kinds of a grammar once. */
export function nodeKinds(language: Language): NodeKinds {
  return {
    types: language.types,
    named: language.types.map((_, type) => language.nodeTypeIsNamed(type)),
    fields: new Map(language.fields.flatMap((name, field) => (name ? [[name, field]] : []))),
  };
}

/** What the parser gives nodes that it could not make sense of. */
const errorType = 65_535;
/** Numbers of a node in the table. */
const width = 5;
const [typeAt, startAt, endAt, fieldAt, behindAt] = [0, 1, 2, 3, 4];

/** A whole tree as a table of numbers, in the order of the text: reading it asks WebAssembly for nothing. */
export class SyntaxTree {
  readonly text: string;
  readonly kinds: NodeKinds;
  /** Of each node: its type, start, end, field, and the node behind the last one within it. */
  readonly table: Int32Array;
  readonly #missing: ReadonlySet<number>;
  /** Which nodes are errors or missing, or hold one that is; absent where there is none. */
  readonly #isFaulty: Uint8Array | undefined;
  /** Made as they are asked for; of its full length, since an array that is filled here and there is slow. */
  readonly #nodes: (SyntaxNode | undefined)[];
  #lines: TextLines | undefined;

  constructor(text: string, kinds: NodeKinds, table: Int32Array, missing: ReadonlySet<number>) {
    this.text = text;
    this.kinds = kinds;
    this.table = table;
    this.#nodes = new Array(table.length / width);
    this.#missing = missing;
    this.#isFaulty = faultyNodes(table, missing);
  }

  get root(): SyntaxNode {
    return this.node(0);
  }

  node(id: number): SyntaxNode {
    const known = this.#nodes[id];
    if (known) return known;
    const made = new SyntaxNode(this, id);
    this.#nodes[id] = made;
    return made;
  }

  isMissing(id: number): boolean {
    return this.#missing.has(id);
  }

  isFaulty(id: number): boolean {
    return this.#isFaulty?.[id] === 1;
  }

  get lines(): TextLines {
    this.#lines ??= textLines(this.text);
    return this.#lines;
  }
}

/** A node of a tree, as the parser's own class shows it. There is one object for each. */
export class SyntaxNode {
  readonly tree: SyntaxTree;
  /** Its place in the order of the text; one within another comes after it. */
  readonly id: number;
  readonly startIndex: number;
  readonly endIndex: number;
  #children: readonly SyntaxNode[] | undefined;

  constructor(tree: SyntaxTree, id: number) {
    this.tree = tree;
    this.id = id;
    this.startIndex = tree.table[id * width + startAt] as number;
    this.endIndex = tree.table[id * width + endAt] as number;
  }

  get typeId(): number {
    return this.tree.table[this.id * width + typeAt] as number;
  }

  get type(): string {
    return this.tree.kinds.types[this.typeId] ?? 'ERROR';
  }

  get isNamed(): boolean {
    return this.isError || this.tree.kinds.named[this.typeId] === true;
  }

  get isError(): boolean {
    return this.typeId === errorType;
  }

  /** Whether the parser put it where the text has nothing. */
  get isMissing(): boolean {
    return this.tree.isMissing(this.id);
  }

  /** Whether it is, or holds, an error or something that is missing. */
  get hasError(): boolean {
    return this.tree.isFaulty(this.id);
  }

  get text(): string {
    return this.tree.text.slice(this.startIndex, this.endIndex);
  }

  /** The line it begins in, from 0. */
  get firstRow(): number {
    return this.tree.lines.lineOf(this.startIndex) - 1;
  }

  /** The last line it has a part of, from 0; some grammars end a line comment or directive after its line feed. */
  get lastRow(): number {
    const { line, column } = this.tree.lines.placeOf(this.endIndex);
    return column === 1 ? line - 2 : line - 1;
  }

  get children(): readonly SyntaxNode[] {
    if (this.#children) return this.#children;
    const { tree, id } = this;
    const children: SyntaxNode[] = [];
    const behind = behindOf(tree.table, id);
    for (let child = id + 1; child < behind; child = behindOf(tree.table, child))
      children.push(tree.node(child));
    this.#children = children;
    return children;
  }

  get namedChildren(): readonly SyntaxNode[] {
    return this.children.filter(({ isNamed }) => isNamed);
  }

  childForFieldName(name: string): SyntaxNode | undefined {
    const { tree, id } = this;
    const field = tree.kinds.fields.get(name);
    if (field === undefined) return undefined;
    const behind = behindOf(tree.table, id);
    for (let child = id + 1; child < behind; child = behindOf(tree.table, child))
      if (fieldOf(tree.table, child) === field) return tree.node(child);
    return undefined;
  }
}

export function typeOf(table: Int32Array, id: number): number {
  return table[id * width + typeAt] as number;
}

export function fieldOf(table: Int32Array, id: number): number {
  return table[id * width + fieldAt] as number;
}

/** The node behind the last one within a node: its next sibling, where it has one. */
export function behindOf(table: Int32Array, id: number): number {
  return table[id * width + behindAt] as number;
}

/** Copies a tree out of WebAssembly in one walk, and frees it there. */
export function takeTree(tree: Tree, text: string, kinds: NodeKinds, binding: Binding): SyntaxTree {
  try {
    const { rootNode } = tree;
    const table = new Int32Array(width * rootNode.descendantCount);
    const missing = new Set<number>();
    // The address that its methods hand to the module: the class shows it under no name.
    const address = (tree as unknown as readonly [number])[0];
    copyNodes(address, binding, table, rootNode.hasError ? missing : undefined);
    return new SyntaxTree(text, kinds, table, missing);
  } finally {
    tree.delete();
  }
}

function copyNodes(
  tree: number,
  binding: Binding,
  table: Int32Array,
  missing: Set<number> | undefined,
): void {
  const {
    _ts_tree_cursor_goto_first_child_wasm: toFirstChild,
    _ts_tree_cursor_goto_next_sibling_wasm: toNextSibling,
    _ts_tree_cursor_goto_parent_wasm: toParent,
    _ts_tree_cursor_current_node_type_id_wasm: type,
    _ts_tree_cursor_current_field_id_wasm: field,
    _ts_tree_cursor_start_index_wasm: start,
    _ts_tree_cursor_end_index_wasm: end,
    _ts_tree_cursor_current_node_is_missing_wasm: isMissing,
  } = binding;
  const open: number[] = [];
  let next = 0;
  // Each call leaves its result where the next one expects it; nothing else may call the module in between.
  binding._ts_tree_root_node_wasm(tree);
  binding._ts_tree_cursor_new_wasm(tree);
  for (let goesDown = true; ; ) {
    if (goesDown) {
      const place = next * width;
      table[place + typeAt] = type(tree);
      table[place + startAt] = start(tree);
      table[place + endAt] = end(tree);
      table[place + fieldAt] = field(tree);
      if (missing && isMissing(tree)) missing.add(next);
      open.push(next);
      next += 1;
      if (toFirstChild(tree)) continue;
    }
    table[(open.pop() ?? 0) * width + behindAt] = next;
    goesDown = toNextSibling(tree) !== 0;
    if (!goesDown && !toParent(tree)) break;
  }
  binding._ts_tree_cursor_delete_wasm(tree);
}

function faultyNodes(table: Int32Array, missing: ReadonlySet<number>): Uint8Array | undefined {
  let faulty: Uint8Array | undefined;
  const count = table.length / width;
  // Backwards, so that what is within a node is known before the node.
  for (let id = count - 1; id >= 0; id -= 1) {
    let isFaulty = typeOf(table, id) === errorType || missing.has(id);
    const behind = faulty ? behindOf(table, id) : 0;
    for (let child = id + 1; child < behind && !isFaulty; child = behindOf(table, child))
      isFaulty = faulty?.[child] === 1;
    if (!isFaulty) continue;
    faulty ??= new Uint8Array(count);
    faulty[id] = 1;
  }
  return faulty;
}
