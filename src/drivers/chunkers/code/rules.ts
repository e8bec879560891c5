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
  /** Names of definitions that have none in the source, by node kind. */
  readonly unnamed?: Readonly<Record<string, string>>;
  /** Kinds of the child that holds the body, where the grammar has no field for it. */
  readonly bodies?: readonly string[];
  readonly exported?: ExportRule;
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

const bundled = (name: string): string => `@cursorless/tree-sitter-wasms/out/tree-sitter-${name}.wasm`;

const javascript: LanguageRules = {
  wasm: bundled('javascript'),
  definitions: {
    function_declaration: 'function',
    generator_function_declaration: 'function',
    class_declaration: 'class',
    method_definition: 'method',
    field_definition: 'property',
    variable_declarator: 'constant',
    assignment_expression: 'constant',
    pair: 'constant',
  },
  values: {
    arrow_function: 'function',
    function_expression: 'function',
    generator_function: 'function',
    class: 'class',
    object: 'object',
  },
  onlyWithValue: ['assignment_expression', 'pair'],
  wrappers: ['export_statement', 'lexical_declaration', 'variable_declaration', 'expression_statement'],
  comments: ['comment', 'hash_bang_line', 'html_comment'],
  attributes: ['decorator'],
  exported: { by: 'export' },
};

const typescript: LanguageRules = {
  ...javascript,
  wasm: bundled('typescript'),
  definitions: {
    ...javascript.definitions,
    function_signature: 'function',
    abstract_class_declaration: 'class',
    abstract_method_signature: 'method',
    method_signature: 'method',
    public_field_definition: 'property',
    property_signature: 'property',
    interface_declaration: 'interface',
    type_alias_declaration: 'type',
    enum_declaration: 'enum',
    internal_module: 'namespace',
    module: 'module',
  },
  wrappers: [...javascript.wrappers, 'ambient_declaration'],
};

const c: LanguageRules = {
  wasm: bundled('c'),
  definitions: {
    function_definition: 'function',
    declaration: 'variable',
    struct_specifier: 'struct',
    union_specifier: 'union',
    enum_specifier: 'enum',
    type_definition: 'type',
    preproc_def: 'macro',
    preproc_function_def: 'macro',
  },
  refined: { declaration: { function_declarator: 'function' } },
  wrappers: [],
  transparent: ['preproc_ifdef', 'preproc_if', 'preproc_else', 'preproc_elif', 'linkage_specification'],
  comments: ['comment'],
  attributes: ['attribute_declaration', 'attribute_specifier'],
  exported: { by: 'modifier', pattern: /\bstatic\b/, not: true },
};

/** Reading rules by language; a new language is one more entry and a sample in the tests. */
export const rules: Readonly<Record<string, LanguageRules>> = {
  typescript,
  tsx: { ...typescript, wasm: bundled('tsx') },
  javascript,
  python: {
    wasm: bundled('python'),
    definitions: {
      function_definition: 'function',
      class_definition: 'class',
      assignment: 'constant',
      type_alias_statement: 'type',
    },
    values: { lambda: 'function' },
    wrappers: ['decorated_definition', 'expression_statement'],
    comments: ['comment'],
    attributes: ['decorator'],
    names: ['type'],
    exported: { by: 'name', pattern: /^(?!_)|^__\w+__$/ },
  },
  go: {
    wasm: bundled('go'),
    definitions: {
      function_declaration: 'function',
      method_declaration: 'method',
      type_spec: 'type',
      type_alias: 'type',
      const_spec: 'constant',
      var_spec: 'variable',
    },
    refined: { type_spec: { struct_type: 'struct', interface_type: 'interface' } },
    wrappers: ['type_declaration', 'const_declaration', 'var_declaration', 'var_spec_list'],
    comments: ['comment'],
    attributes: [],
    bodies: ['struct_type', 'interface_type'],
    exported: { by: 'name', pattern: /^\p{Lu}/u },
  },
  rust: {
    wasm: bundled('rust'),
    definitions: {
      function_item: 'function',
      function_signature_item: 'function',
      struct_item: 'struct',
      enum_item: 'enum',
      union_item: 'union',
      trait_item: 'trait',
      impl_item: 'impl',
      mod_item: 'module',
      type_item: 'type',
      associated_type: 'type',
      const_item: 'constant',
      static_item: 'constant',
      macro_definition: 'macro',
    },
    wrappers: [],
    transparent: ['foreign_mod_item'],
    comments: ['line_comment', 'block_comment'],
    attributes: ['attribute_item'],
    exported: { by: 'modifier', pattern: /\bpub\b(?!\s*\()/ },
  },
  java: {
    wasm: bundled('java'),
    definitions: {
      class_declaration: 'class',
      interface_declaration: 'interface',
      enum_declaration: 'enum',
      record_declaration: 'record',
      annotation_type_declaration: 'annotation',
      method_declaration: 'method',
      annotation_type_element_declaration: 'method',
      constructor_declaration: 'constructor',
      compact_constructor_declaration: 'constructor',
      field_declaration: 'property',
      constant_declaration: 'constant',
    },
    wrappers: [],
    transparent: ['enum_body_declarations'],
    comments: ['line_comment', 'block_comment'],
    attributes: ['annotation', 'marker_annotation'],
    exported: { by: 'modifier', pattern: /\bpublic\b/ },
  },
  c,
  cpp: {
    ...c,
    wasm: bundled('cpp'),
    definitions: {
      ...c.definitions,
      class_specifier: 'class',
      namespace_definition: 'namespace',
      alias_declaration: 'type',
      concept_definition: 'concept',
      field_declaration: 'property',
    },
    refined: { ...c.refined, field_declaration: { function_declarator: 'method' } },
    wrappers: ['template_declaration'],
    attributes: [...c.attributes, 'access_specifier'],
  },
  csharp: {
    // The bundle's grammar of C# is from before file-scoped namespaces and primary constructors.
    wasm: '@lumis-sh/wasm-csharp/tree-sitter-csharp.wasm',
    definitions: {
      namespace_declaration: 'namespace',
      class_declaration: 'class',
      struct_declaration: 'struct',
      interface_declaration: 'interface',
      enum_declaration: 'enum',
      record_declaration: 'record',
      record_struct_declaration: 'record',
      delegate_declaration: 'type',
      method_declaration: 'method',
      constructor_declaration: 'constructor',
      destructor_declaration: 'method',
      property_declaration: 'property',
      field_declaration: 'property',
      event_field_declaration: 'property',
      event_declaration: 'property',
      indexer_declaration: 'property',
      operator_declaration: 'method',
      conversion_operator_declaration: 'method',
      local_function_statement: 'function',
    },
    wrappers: ['global_statement'],
    transparent: ['preproc_if', 'preproc_else', 'preproc_elif', 'preproc_region'],
    comments: ['comment'],
    attributes: ['attribute_list'],
    names: ['variable_declaration', 'variable_declarator'],
    unnamed: {
      indexer_declaration: 'this',
      operator_declaration: 'operator',
      conversion_operator_declaration: 'operator',
    },
    bodies: ['accessor_list'],
    exported: { by: 'modifier', pattern: /\bpublic\b/ },
  },
  ruby: {
    wasm: bundled('ruby'),
    definitions: {
      class: 'class',
      singleton_class: 'class',
      module: 'module',
      method: 'method',
      singleton_method: 'method',
      assignment: 'constant',
    },
    wrappers: [],
    comments: ['comment'],
    attributes: [],
    unnamed: { singleton_class: 'self' },
  },
  php: {
    wasm: bundled('php'),
    definitions: {
      class_declaration: 'class',
      interface_declaration: 'interface',
      trait_declaration: 'trait',
      enum_declaration: 'enum',
      function_definition: 'function',
      method_declaration: 'method',
      property_declaration: 'property',
      const_declaration: 'constant',
      namespace_definition: 'namespace',
      assignment_expression: 'constant',
    },
    values: {
      anonymous_function: 'function',
      anonymous_function_creation_expression: 'function',
      arrow_function: 'function',
    },
    onlyWithValue: ['assignment_expression'],
    wrappers: ['expression_statement'],
    comments: ['comment'],
    attributes: ['attribute_list'],
    names: ['property_element', 'const_element', 'variable_name', 'name'],
    exported: { by: 'modifier', pattern: /\b(?:private|protected)\b/, not: true },
  },
  kotlin: {
    wasm: bundled('kotlin'),
    definitions: {
      class_declaration: 'class',
      object_declaration: 'object',
      companion_object: 'object',
      function_declaration: 'function',
      secondary_constructor: 'constructor',
      property_declaration: 'constant',
      type_alias: 'type',
    },
    refined: { class_declaration: { interface: 'interface', enum: 'enum' } },
    wrappers: [],
    // The grammar puts a doc comment that follows the imports into the last of them.
    transparent: ['import_list', 'import_header'],
    comments: ['line_comment', 'multiline_comment', 'shebang_line'],
    attributes: ['annotation', 'file_annotation'],
    trailing: ['getter', 'setter'],
    names: ['simple_identifier', 'type_identifier', 'variable_declaration'],
    unnamed: { companion_object: 'Companion', secondary_constructor: 'constructor' },
    bodies: ['class_body', 'enum_class_body', 'function_body'],
    exported: { by: 'modifier', pattern: /\b(?:private|protected|internal)\b/, not: true },
  },
  swift: {
    wasm: bundled('swift'),
    definitions: {
      class_declaration: 'class',
      protocol_declaration: 'protocol',
      function_declaration: 'function',
      init_declaration: 'constructor',
      protocol_function_declaration: 'function',
      deinit_declaration: 'method',
      subscript_declaration: 'method',
      property_declaration: 'constant',
      protocol_property_declaration: 'constant',
      typealias_declaration: 'type',
      associatedtype_declaration: 'type',
    },
    refined: {
      class_declaration: { struct: 'struct', enum: 'enum', extension: 'extension', actor: 'actor' },
    },
    wrappers: [],
    comments: ['comment', 'multiline_comment'],
    attributes: ['attribute'],
    unnamed: { init_declaration: 'init', deinit_declaration: 'deinit', subscript_declaration: 'subscript' },
    exported: { by: 'modifier', pattern: /\b(?:public|open)\b/ },
  },
  scala: {
    wasm: bundled('scala'),
    definitions: {
      class_definition: 'class',
      object_definition: 'object',
      package_object: 'object',
      trait_definition: 'trait',
      enum_definition: 'enum',
      function_definition: 'function',
      function_declaration: 'function',
      val_definition: 'constant',
      val_declaration: 'constant',
      var_definition: 'variable',
      var_declaration: 'variable',
      given_definition: 'constant',
      type_definition: 'type',
    },
    wrappers: [],
    comments: ['comment', 'block_comment'],
    attributes: ['annotation'],
    exported: { by: 'modifier', pattern: /\b(?:private|protected)\b/, not: true },
  },
  bash: {
    wasm: bundled('bash'),
    definitions: { function_definition: 'function' },
    wrappers: [],
    comments: ['comment'],
    attributes: [],
  },
  lua: {
    wasm: bundled('lua'),
    definitions: { function_declaration: 'function', assignment_statement: 'constant' },
    values: { function_definition: 'function', table_constructor: 'object' },
    onlyWithValue: ['assignment_statement'],
    wrappers: ['variable_declaration'],
    comments: ['comment', 'hash_bang_line'],
    attributes: [],
    names: ['variable_list'],
    exported: { by: 'modifier', pattern: /\blocal\b/, not: true },
  },
  elixir: {
    wasm: bundled('elixir'),
    definitions: {},
    calls: {
      defmodule: 'module',
      defprotocol: 'protocol',
      defimpl: 'impl',
      def: 'function',
      defp: 'function',
      defmacro: 'macro',
      defmacrop: 'macro',
      defguard: 'function',
      defdelegate: 'function',
    },
    wrappers: [],
    comments: ['comment'],
    attributes: ['unary_operator'],
    bodies: ['do_block'],
    exported: { by: 'modifier', pattern: /\bdef(?:macro)?p\b/, not: true },
  },
};
