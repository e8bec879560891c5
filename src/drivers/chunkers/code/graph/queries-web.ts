// What is captured: `@def.KIND` with its `@name`, `@local` for a name that is bound within a function, `@scope` for a function
// without a name, `@import` for a whole statement, and mentions: `@call`, `@type`, `@id`. Of what several patterns capture at
// one place, the most exact counts; what stands before a name says whether it is a member.

const javascript = `
(function_declaration name: (_) @name) @def.function
(generator_function_declaration name: (_) @name) @def.function
(class_declaration name: (_) @name) @def.class
(method_definition name: (_) @name) @def.method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @def.function
(variable_declarator name: (identifier) @name value: (class)) @def.class
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @def.method
(assignment_expression left: (_) @name right: [(arrow_function) (function_expression) (class)]) @def.function
(program (lexical_declaration (variable_declarator name: (identifier) @name) @def.constant))
(program (variable_declaration (variable_declarator name: (identifier) @name) @def.constant))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @def.constant)))
[(arrow_function) (function_expression) (generator_function)] @scope
(variable_declarator name: (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)
(arrow_function parameter: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)
(import_statement) @import
(export_statement source: (_)) @import
(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (_) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression property: (_) @call))
(identifier) @id
(shorthand_property_identifier) @id
(member_expression property: (property_identifier) @id)
`;

const elements = `
(jsx_opening_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_self_closing_element name: (identifier) @call (#match? @call "^[A-Z]"))
(jsx_opening_element name: (identifier) @skip (#match? @skip "^[a-z]"))
(jsx_closing_element name: (identifier) @skip)
(jsx_self_closing_element name: (identifier) @skip (#match? @skip "^[a-z]"))
`;

const typescript = `
${javascript}
(function_signature name: (_) @name) @def.function
(abstract_class_declaration name: (_) @name) @def.class
(abstract_method_signature name: (_) @name) @def.method
(method_signature name: (_) @name) @def.method
(public_field_definition name: (_) @name) @def.property
(property_signature name: (_) @name) @def.property
(interface_declaration name: (_) @name) @def.interface
(type_alias_declaration name: (_) @name) @def.type
(enum_declaration name: (_) @name) @def.enum
(enum_assignment name: (_) @name) @def.property
(internal_module body: (statement_block (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @def.constant))))
(internal_module name: (_) @name) @def.namespace
(module name: (_) @name) @def.module
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @def.property
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(type_identifier) @type
`;

const python = `
(function_definition name: (identifier) @name) @def.function
(class_definition name: (identifier) @name) @def.class
(assignment left: (identifier) @name right: (lambda)) @def.function
(module (expression_statement (assignment left: (identifier) @name) @def.constant))
(module (if_statement (block (expression_statement (assignment left: (identifier) @name) @def.constant))))
(module (if_statement (else_clause (block (expression_statement (assignment left: (identifier) @name) @def.constant)))))
(module (try_statement (block (expression_statement (assignment left: (identifier) @name) @def.constant))))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @def.property)))
(assignment left: (attribute object: (identifier) @self attribute: (identifier) @name)) @def.property
(lambda) @scope
(parameters (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_parameter (identifier) @local)
(typed_default_parameter name: (identifier) @local)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(lambda_parameters (identifier) @local)
(assignment left: (identifier) @local)
(assignment left: (pattern_list (identifier) @local))
(assignment left: (tuple_pattern (identifier) @local))
(for_statement left: (identifier) @local)
(for_statement left: (pattern_list (identifier) @local))
(for_statement left: (tuple_pattern (identifier) @local))
(for_in_clause left: (identifier) @local)
(for_in_clause left: (pattern_list (identifier) @local))
(as_pattern_target (identifier) @local)
(named_expression name: (identifier) @local)
(import_statement) @import
(import_from_statement) @import
(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(decorator (identifier) @call)
(decorator (attribute attribute: (identifier) @call))
(keyword_argument name: (identifier) @skip)
(type (identifier) @type)
(type (attribute attribute: (identifier) @type))
(type (generic_type (identifier) @type))
(class_definition superclasses: (argument_list (identifier) @type))
(identifier) @id
`;

const php = `
(class_declaration name: (_) @name) @def.class
(interface_declaration name: (_) @name) @def.interface
(trait_declaration name: (_) @name) @def.trait
(enum_declaration name: (_) @name) @def.enum
(enum_case name: (_) @name) @def.property
(function_definition name: (_) @name) @def.function
(method_declaration name: (_) @name) @def.method
(property_element (variable_name) @name) @def.property
(const_element . (name) @name) @def.constant
(namespace_definition name: (_) @name) @def.namespace
(simple_parameter name: (variable_name) @local)
(assignment_expression left: (variable_name) @local)
(namespace_use_declaration) @import
(function_call_expression function: (name) @call)
(function_call_expression function: (qualified_name (name) @call))
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression (name) @call)
(object_creation_expression (qualified_name (name) @call))
(variable_name (name) @skip)
(named_type (name) @type)
(base_clause (name) @type)
(class_interface_clause (name) @type)
(name) @id
`;

const ruby = `
(method name: (_) @name) @def.function
(singleton_method name: (_) @name) @def.function
(class name: (_) @name) @def.class
(module name: (_) @name) @def.module
(assignment left: (constant) @name) @def.constant
[(block) (do_block) (lambda)] @scope
(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(exception_variable (identifier) @local)
(call method: (_) @call)
(superclass (constant) @type)
(constant) @id
(identifier) @id
`;

const lua = `
(function_declaration name: (_) @name) @def.function
(assignment_statement (variable_list name: (_) @name) (expression_list value: (function_definition))) @def.function
(chunk (assignment_statement (variable_list name: (identifier) @name)) @def.constant)
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @def.constant)
(function_definition) @scope
(parameters (identifier) @local)
(variable_declaration (assignment_statement (variable_list name: (identifier) @local)))
(function_call name: (identifier) @call)
(function_call name: (dot_index_expression field: (identifier) @call))
(function_call name: (method_index_expression method: (identifier) @call))
(identifier) @id
`;

/** What is captured of languages of scripts and of the web. */
export const webQueries = {
  javascript: `
${javascript}
${elements}
(formal_parameters (identifier) @local)
(field_definition property: (_) @name) @def.property
`,
  typescript,
  tsx: typescript + elements,
  python,
  php,
  ruby,
  lua,
  bash: `
(function_definition name: (word) @name) @def.function
(command name: (command_name (word) @call))
`,
} as const;
