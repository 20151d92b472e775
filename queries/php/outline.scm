; PHP.

; Attributes

[
  (class_declaration attributes: (_) @attribute)
  (const_declaration attributes: (_) @attribute)
  (enum_case attributes: (_) @attribute)
  (enum_declaration attributes: (_) @attribute)
  (function_definition attributes: (_) @attribute)
  (interface_declaration attributes: (_) @attribute)
  (method_declaration attributes: (_) @attribute)
  (property_declaration attributes: (_) @attribute)
  (trait_declaration attributes: (_) @attribute)
]

; Imports

[
  (namespace_use_declaration)
  (expression_statement (include_expression))
  (expression_statement (include_once_expression))
  (expression_statement (require_expression))
  (expression_statement (require_once_expression))
] @import

; Tests

; Pest's.
(function_call_expression
  function: (name) @_function
  arguments: (arguments
    . (argument (_) @name)
    . (argument [(anonymous_function body: (_) @members) (arrow_function body: (_) @members)]))
  (#eq? @_function "describe")) @definition.test

(function_call_expression
  function: (name) @_function
  arguments: (arguments
    . (argument (_) @name)
    . (argument [(anonymous_function) (arrow_function)]) @body)
  (#any-of? @_function "it" "test")) @definition.test

; Containers

(namespace_definition name: (_) @name) @definition.module

(interface_declaration name: (_) @name) @definition.interface

(trait_declaration name: (_) @name) @definition.trait

(class_declaration name: (_) @name) @definition.class

(enum_declaration name: (_) @name) @definition.enum

; An object of a class of its own.
(assignment_expression
  left: (variable_name (name) @name)
  right: (object_creation_expression (anonymous_class body: (_) @members))) @definition.variable

; Functions

(method_declaration
  name: (_) @name
  (#any-of? @name "__construct" "__destruct")) @definition.constructor

(method_declaration name: (_) @name) @definition.method

(function_definition name: (_) @name) @definition.function

(program (expression_statement (assignment_expression
  left: (variable_name (name) @name)
  right: [(anonymous_function body: (_) @body) (arrow_function "=>" @body)]) @definition.function))

; Nothing in a function without a name is listed.
(anonymous_function body: (_) @body)

; Values

(const_element . (name) @name . (_) @body (#match? @body "\n")) @definition.constant

(const_element . (name) @name) @definition.constant

(function_call_expression
  function: (name) @_function
  arguments: (arguments . (argument (string) @name))
  (#eq? @_function "define")) @definition.constant

(enum_case name: (_) @name) @definition.constant

(property_declaration
  (property_element name: (variable_name (name) @name))
  (property_hook_list) @body) @definition.property

(property_declaration
  (property_element name: (variable_name (name) @name) default_value: (_) @body)
  (#match? @body "\n")) @definition.property

(property_declaration (property_element name: (variable_name (name) @name))) @definition.property

; Damage: what was to be a definition, and is no more than its first words.

(ERROR "class" @_class . (name) @name @definition.class)

(ERROR "function" @_function . (name) @name @definition.function)
