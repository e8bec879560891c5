// The names of captures are explained in `queries-web.ts`.

const dart = `
(class_definition name: (_) @name) @def.class
(mixin_declaration (identifier) @name) @def.class
(extension_declaration name: (_) @name) @def.extension
(enum_declaration name: (_) @name) @def.enum
(enum_constant name: (_) @name) @def.property
(type_alias . (type_identifier) @name) @def.type
(function_signature name: (_) @name) @def.function
(getter_signature name: (_) @name) @def.function
(setter_signature name: (_) @name) @def.function
(function_expression) @scope
(formal_parameter name: (identifier) @local)
(initialized_variable_definition name: (identifier) @local)
(import_or_export) @import
(expression_statement . (identifier) @call . (selector (argument_part)))
(selector (unconditional_assignable_selector (identifier) @call) . )
(type_identifier) @type
(identifier) @id
`;

const haskell = `
(data_type name: (_) @name) @def.type
(newtype name: (_) @name) @def.type
(type_synomym name: (_) @name) @def.type
(class name: (_) @name) @def.class
(declarations (function name: (_) @name) @def.function)
(declarations (bind name: (_) @name) @def.constant)
(class_declarations (signature name: (_) @name) @def.function)
(patterns (variable) @local)
(import) @import
(apply function: (variable) @call)
(infix operator: (infix_id (variable) @call))
(name) @type
(variable) @id
(constructor) @id
`;

const zig = `
(source_file (variable_declaration . (identifier) @name (struct_declaration)) @def.struct)
(source_file (variable_declaration . (identifier) @name (enum_declaration)) @def.enum)
(source_file (variable_declaration . (identifier) @name (union_declaration)) @def.union)
(source_file (variable_declaration . (identifier) @name) @def.constant)
(struct_declaration (variable_declaration . (identifier) @name) @def.constant)
(function_declaration name: (_) @name) @def.function
(container_field name: (_) @name) @def.property
(parameter name: (identifier) @local)
(block (variable_declaration . (identifier) @local))
(call_expression function: (identifier) @call)
(call_expression function: (field_expression member: (identifier) @call))
(field_expression member: (identifier) @id)
(identifier) @id
`;

const r = `
(binary_operator lhs: (identifier) @name rhs: (function_definition)) @def.function
(parameter name: (identifier) @local)
(braced_expression (binary_operator lhs: (identifier) @local operator: "<-"))
(call function: (identifier) @call)
(call function: (namespace_operator rhs: (identifier) @call))
(identifier) @id
`;

const perl = `
(package_statement (package_name) @name) @def.module
(function_definition name: (_) @name) @def.function
(use_no_statement) @import
(identifier) @id
`;

const julia = `
(module_definition name: (_) @name) @def.module
(abstract_definition (type_head (identifier) @name)) @def.type
(struct_definition (type_head (identifier) @name)) @def.struct
(struct_definition (type_head (binary_expression . (identifier) @name))) @def.struct
(function_definition (signature (call_expression . (identifier) @name))) @def.function
(function_definition (signature (typed_expression (call_expression . (identifier) @name)))) @def.function
(macro_definition (signature (call_expression . (identifier) @name))) @def.macro
(assignment . (call_expression . (identifier) @name)) @def.function
(const_statement (assignment . (identifier) @name)) @def.constant
(call_expression . (identifier) @call)
(call_expression . (field_expression (identifier) @call .))
(using_statement) @import
(import_statement) @import
(identifier) @id
`;

const objc = `
(class_interface . (identifier) @name) @def.interface
(class_implementation . (identifier) @name) @def.class
(protocol_declaration . (identifier) @name) @def.protocol
(method_definition (identifier) @name) @def.method
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @def.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @def.function
(parameter_declaration declarator: (identifier) @local)
(preproc_include) @import
(call_expression function: (identifier) @call)
(message_expression method: (identifier) @call)
(type_identifier) @type
(identifier) @id
`;

const nix = `
(binding attrpath: (attrpath) @name expression: (function_expression)) @def.function
(binding attrpath: (attrpath) @name) @def.constant
(formal name: (identifier) @local)
(apply_expression function: (variable_expression name: (identifier) @call))
(identifier) @id
`;

const hcl = `
(body (block (string_lit (template_literal) @name) . (block_start)) @def.block)
(body (attribute (identifier) @name) @def.property)
(identifier) @id
`;

const make = `
(rule (targets . (word) @name)) @def.target
(variable_assignment name: (word) @name) @def.variable
(define_directive name: (_) @name) @def.macro
(prerequisites (word) @id)
(variable_reference (word) @id)
`;

/** What is captured of the languages of `further-rules.ts`, and of Objective-C. */
export const furtherQueries = { dart, haskell, zig, r, perl, julia, objc, nix, hcl, make } as const;
