// The names of captures are explained in `queries-web.ts`.

const go = `
(function_declaration name: (_) @name) @def.function
(method_declaration receiver: (_) @receiver name: (_) @name) @def.method
(type_spec name: (_) @name type: (struct_type)) @def.struct
(type_spec name: (_) @name type: (interface_type)) @def.interface
(type_spec name: (_) @name) @def.type
(type_alias name: (_) @name) @def.type
(method_spec name: (_) @name) @def.method
(field_declaration name: (_) @name) @def.property
(source_file (const_declaration (const_spec name: (identifier) @name) @def.constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @def.variable))
(func_literal) @scope
(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (identifier) @local))
(var_spec name: (identifier) @local)
(const_spec name: (identifier) @local)
(import_declaration) @import
(call_expression function: (identifier) @call)
(call_expression function: (selector_expression field: (_) @call))
(keyed_element . (literal_element (identifier) @skip))
(type_identifier) @type
(identifier) @id
(selector_expression field: (_) @id)
`;

const rust = `
(function_item name: (_) @name) @def.function
(function_signature_item name: (_) @name) @def.function
(struct_item name: (_) @name) @def.struct
(enum_item name: (_) @name) @def.enum
(enum_variant name: (_) @name) @def.property
(union_item name: (_) @name) @def.union
(trait_item name: (_) @name) @def.trait
(impl_item type: (_) @name) @def.impl
(mod_item name: (_) @name) @def.module
(type_item name: (_) @name) @def.type
(const_item name: (_) @name) @def.constant
(static_item name: (_) @name) @def.constant
(macro_definition name: (_) @name) @def.macro
(field_declaration name: (_) @name) @def.property
(closure_expression) @scope
(parameter pattern: (identifier) @local)
(let_declaration pattern: (identifier) @local)
(for_expression pattern: (identifier) @local)
(closure_parameters (identifier) @local)
(tuple_pattern (identifier) @local)
(use_declaration) @import
(call_expression function: (identifier) @call)
(call_expression function: (scoped_identifier name: (identifier) @call))
(call_expression function: (field_expression field: (field_identifier) @call))
(generic_function function: (identifier) @call)
(generic_function function: (scoped_identifier name: (identifier) @call))
(generic_function function: (field_expression field: (field_identifier) @call))
(macro_invocation macro: (identifier) @call)
(type_identifier) @type
(identifier) @id
(field_expression field: (field_identifier) @id)
`;

const java = `
(class_declaration name: (_) @name) @def.class
(interface_declaration name: (_) @name) @def.interface
(enum_declaration name: (_) @name) @def.enum
(enum_constant name: (_) @name) @def.property
(record_declaration name: (_) @name) @def.record
(annotation_type_declaration name: (_) @name) @def.annotation
(annotation_type_element_declaration name: (_) @name) @def.method
(method_declaration name: (_) @name) @def.method
(constructor_declaration name: (_) @name) @def.constructor
(field_declaration declarator: (variable_declarator name: (_) @name)) @def.property
(lambda_expression) @scope
(formal_parameter name: (identifier) @local)
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
(enhanced_for_statement name: (identifier) @local)
(catch_formal_parameter name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(resource name: (identifier) @local)
(import_declaration) @import
(package_declaration) @import
(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(object_creation_expression type: (generic_type (type_identifier) @call))
(type_identifier) @type
(identifier) @id
`;

const c = `
(function_definition declarator: (function_declarator declarator: (_) @name)) @def.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @def.function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))) @def.function
(declaration declarator: (function_declarator declarator: (identifier) @name)) @def.declaration
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @def.declaration
(struct_specifier name: (_) @name body: (_)) @def.struct
(union_specifier name: (_) @name body: (_)) @def.union
(enum_specifier name: (_) @name body: (_)) @def.enum
(enumerator name: (_) @name) @def.constant
(type_definition declarator: (type_identifier) @name) @def.type
(preproc_def name: (_) @name) @def.macro
(preproc_function_def name: (_) @name) @def.macro
(field_declaration declarator: (field_identifier) @name) @def.property
(field_declaration declarator: (pointer_declarator declarator: (field_identifier) @name)) @def.property
(translation_unit (declaration declarator: (init_declarator declarator: (identifier) @name)) @def.variable)
(translation_unit (declaration declarator: (identifier) @name) @def.variable)
(parameter_declaration declarator: (identifier) @local)
(parameter_declaration declarator: (pointer_declarator declarator: (identifier) @local))
(init_declarator declarator: (identifier) @local)
(init_declarator declarator: (pointer_declarator declarator: (identifier) @local))
(declaration declarator: (identifier) @local)
(declaration declarator: (pointer_declarator declarator: (identifier) @local))
(array_declarator declarator: (identifier) @local)
(preproc_include) @import
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(type_identifier) @type
(identifier) @id
(field_identifier) @id
`;

const cpp = `
${c}
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name))) @def.function
(class_specifier name: (_) @name body: (_)) @def.class
(namespace_definition name: (_) @name) @def.namespace
(alias_declaration name: (_) @name) @def.type
(concept_definition name: (_) @name) @def.concept
(field_declaration declarator: (function_declarator declarator: (_) @name)) @def.declaration
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @def.declaration
(field_declaration declarator: (reference_declarator (function_declarator declarator: (_) @name))) @def.declaration
(lambda_expression) @scope
(reference_declarator (identifier) @local)
(for_range_loop declarator: (identifier) @local)
(structured_binding_declarator (identifier) @local)
(call_expression function: (qualified_identifier name: (identifier) @call))
(template_function name: (identifier) @call)
(template_method name: (field_identifier) @call)
(new_expression type: (type_identifier) @call)
`;

const csharp = `
(namespace_declaration name: (_) @name) @def.namespace
(class_declaration name: (_) @name) @def.class
(struct_declaration name: (_) @name) @def.struct
(interface_declaration name: (_) @name) @def.interface
(enum_declaration name: (_) @name) @def.enum
(enum_member_declaration name: (_) @name) @def.property
(record_declaration name: (_) @name) @def.record
(delegate_declaration name: (_) @name) @def.type
(method_declaration name: (_) @name) @def.method
(constructor_declaration name: (_) @name) @def.constructor
(property_declaration name: (_) @name) @def.property
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @def.property
(local_function_statement name: (_) @name) @def.function
(lambda_expression) @scope
(parameter name: (identifier) @local)
(variable_declarator name: (identifier) @local)
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(using_directive) @import
(invocation_expression function: (identifier) @call)
(invocation_expression function: (generic_name (identifier) @call))
(invocation_expression function: (member_access_expression name: (identifier) @call))
(invocation_expression function: (member_access_expression name: (generic_name (identifier) @call)))
(invocation_expression function: (conditional_access_expression (member_binding_expression name: (identifier) @call)))
(object_creation_expression type: (identifier) @call)
(object_creation_expression type: (generic_name (identifier) @call))
(base_list (identifier) @type)
(parameter type: (identifier) @type)
(variable_declaration type: (identifier) @type)
(identifier) @id
`;

const kotlin = `
(class_declaration (type_identifier) @name) @def.class
(object_declaration (type_identifier) @name) @def.object
(type_alias (type_identifier) @name) @def.type
(function_declaration (simple_identifier) @name) @def.function
(class_body (property_declaration (variable_declaration (simple_identifier) @name)) @def.property)
(source_file (property_declaration (variable_declaration (simple_identifier) @name)) @def.constant)
(enum_entry (simple_identifier) @name) @def.property
(class_parameter (binding_pattern_kind) (simple_identifier) @name) @def.property
[(lambda_literal) (anonymous_function)] @scope
(parameter (simple_identifier) @local)
(class_parameter (simple_identifier) @local)
(variable_declaration (simple_identifier) @local)
(import_header) @import
(package_header) @import
(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression (navigation_suffix (simple_identifier) @call)))
(type_identifier) @type
(simple_identifier) @id
`;

const swift = `
(class_declaration name: (_) @name) @def.class
(protocol_declaration name: (_) @name) @def.protocol
(function_declaration (simple_identifier) @name.after.func) @def.function
(protocol_function_declaration name: (simple_identifier) @name) @def.function
(typealias_declaration name: (_) @name) @def.type
(enum_entry name: (_) @name) @def.property
(class_body (property_declaration name: (pattern (simple_identifier) @name)) @def.property)
(source_file (property_declaration name: (pattern (simple_identifier) @name)) @def.constant)
(lambda_literal) @scope
(parameter name: (simple_identifier) @local)
(property_declaration name: (pattern (simple_identifier) @local))
(for_statement item: (pattern (simple_identifier) @local))
(import_declaration) @import
(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(type_identifier) @type
(simple_identifier) @id
`;

const scala = `
(class_definition name: (_) @name) @def.class
(object_definition name: (_) @name) @def.object
(trait_definition name: (_) @name) @def.trait
(enum_definition name: (_) @name) @def.enum
(function_definition name: (_) @name) @def.function
(function_declaration name: (_) @name) @def.function
(type_definition name: (_) @name) @def.type
(template_body (val_definition pattern: (identifier) @name) @def.property)
(template_body (var_definition pattern: (identifier) @name) @def.property)
(lambda_expression) @scope
(parameter name: (identifier) @local)
(class_parameter name: (identifier) @local)
(binding name: (identifier) @local)
(val_definition pattern: (identifier) @local)
(var_definition pattern: (identifier) @local)
(import_declaration) @import
(package_clause) @import
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (identifier) @call))
(generic_function function: (identifier) @call)
(instance_expression (type_identifier) @call)
(type_identifier) @type
(identifier) @id
`;

const elixir = `
(call target: (identifier) @word (arguments (alias) @name) (#any-of? @word "defmodule" "defprotocol")) @def.module
(call target: (identifier) @word (arguments . (identifier) @name) (#any-of? @word "def" "defp" "defmacro" "defmacrop" "defdelegate" "defguard")) @def.function
(call target: (identifier) @word (arguments . (call target: (identifier) @name)) (#any-of? @word "def" "defp" "defmacro" "defmacrop" "defdelegate" "defguard")) @def.function
(call target: (identifier) @word (arguments . (binary_operator left: (call target: (identifier) @name))) (#any-of? @word "def" "defp" "defmacro" "defmacrop" "defguard")) @def.function
(call target: (identifier) @word (#any-of? @word "alias" "import" "use" "require")) @import
(anonymous_function) @scope
(stab_clause left: (arguments (identifier) @local))
(binary_operator left: (identifier) @local operator: "=")
(call target: (identifier) @call)
(call target: (dot right: (identifier) @call))
(alias) @id
(identifier) @id
`;

/** What is captured of languages that are compiled. */
export const compiledQueries = { go, rust, java, c, cpp, csharp, kotlin, swift, scala, elixir } as const;
