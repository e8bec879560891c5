/** How a language says that other modules may use a definition. */
export type ExportRule =
  /** Wrapped in an export statement, or assigned to `exports`; members say nothing. */
  | { readonly by: 'export' }
  /** The name matches. */
  | { readonly by: 'name'; readonly pattern: RegExp }
  /** The words before the name match, or with `not` do not match. */
  | { readonly by: 'modifier'; readonly pattern: RegExp; readonly not?: true };

/** What the chunker knows about a grammar: node kinds, no code. */
export interface LanguageRules {
  /** Module specifier of the compiled grammar. */
  readonly wasm: string;
  /** Symbol kind by the kind of the node that defines it. */
  readonly definitions: Readonly<Record<string, string>>;
  /** A more exact symbol kind, by node kind and then by the kind of one of its children. */
  readonly refined?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Symbol kind by the kind of the assigned value, for definitions that name a value. */
  readonly values?: Readonly<Record<string, string>>;
  /** Node kinds that define something only when they hold one of `values`. */
  readonly onlyWithValue?: readonly string[];
  /** Where definitions are calls of a macro: symbol kind by the called name. */
  readonly calls?: Readonly<Record<string, string>>;
  /** Nodes around a definition: `export`, decorators, template parameters, declaration lists. */
  readonly wrappers: readonly string[];
  /** Nodes whose children stand in for them, such as conditional compilation. */
  readonly transparent?: readonly string[];
  readonly comments: readonly string[];
  /** Attributes, decorators and annotations: they belong to what follows and not to the signature. */
  readonly attributes: readonly string[];
  /** Nodes that belong to what stands before them, such as the accessors of a property. */
  readonly trailing?: readonly string[];
  /** Kinds of the child that holds the name, where the grammar has no field for it. */
  readonly names?: readonly string[];
  /** Nodes that hold a name and are not one, such as the call that a short function looks like. */
  readonly within?: readonly string[];
  /** Definitions that are named by all their children of one kind, such as the labels of a block. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The field with the value that a definition gives its name, where it is not `value` or `right`. */
  readonly valueField?: string;
  /** Names of definitions that have none in the source, by node kind. */
  readonly unnamed?: Readonly<Record<string, string>>;
  /** Kinds of the child that holds the body, where the grammar has no field for it. */
  readonly bodies?: readonly string[];
  /** Whether a definition without a node for its body is shown by its first line. */
  readonly firstLine?: true;
  readonly exported?: ExportRule;
  /** Beginnings of what the language allows and the grammar takes for an error. */
  readonly valid?: RegExp;
}

/** Symbol kinds that hold members: cut by member when they are too long for one chunk. */
export const containerKinds: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'trait',
  'impl',
  'object',
  'struct',
  'union',
  'enum',
  'record',
  'protocol',
  'extension',
  'actor',
  'annotation',
  'module',
  'namespace',
]);

/** Containers whose functions are plain functions, not methods. */
export const moduleKinds: ReadonlySet<string> = new Set(['module', 'namespace']);
