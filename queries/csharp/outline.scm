; C#.

; Attributes

; Those in front of a declaration; those of a parameter are part of the signature.
[
  (class_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (constructor_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (conversion_operator_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (delegate_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (destructor_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (enum_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (event_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (event_field_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (indexer_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (interface_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (local_function_statement [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (method_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (operator_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (property_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (record_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
  (struct_declaration [(attribute_list) (preproc_if_in_attribute_list)] @attribute)
]

; Imports

[
  (extern_alias_directive)
  (using_directive)
] @import

; Containers

(namespace_declaration name: (_) @name) @definition.module

(file_scoped_namespace_declaration name: (_) @name) @definition.module

; Types

(class_declaration name: (identifier) @name) @definition.class

(struct_declaration name: (identifier) @name) @definition.struct

(record_declaration "struct" name: (identifier) @name) @definition.struct

(record_declaration name: (identifier) @name) @definition.class

(interface_declaration name: (identifier) @name) @definition.interface

(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum

(delegate_declaration name: (identifier) @name) @definition.delegate

; Functions

(constructor_declaration name: (identifier) @name) @definition.constructor

(destructor_declaration "~" @name name: (identifier) @name) @definition.method

(method_declaration
  (explicit_interface_specifier)? @name
  name: (identifier) @name) @definition.method

(operator_declaration
  (explicit_interface_specifier)? @name
  "operator" @name
  operator: _ @name) @definition.method

(conversion_operator_declaration
  "operator" @name
  type: (_) @name) @definition.method

(indexer_declaration
  (explicit_interface_specifier)? @name
  "this" @name
  parameters: (bracketed_parameter_list . "[" @name "]" @name .)
  [accessors: (_) value: (_)] @body) @definition.property

(property_declaration
  (explicit_interface_specifier)? @name
  name: (identifier) @name
  [accessors: (_) value: (arrow_expression_clause)] @body) @definition.property

(event_declaration
  (explicit_interface_specifier)? @name
  name: (identifier) @name
  accessors: (_)? @body) @definition.event

(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.event

; In a file of top-level statements.
(compilation_unit [
  (global_statement (local_function_statement name: (identifier) @name) @definition.function)
  (preproc_if (local_function_statement name: (identifier) @name) @definition.function)
])

; Values

(field_declaration (variable_declaration) @body)
