; Python.
;
; Decorators need no word of their own: the row is the definition inside the decorated one. Assignments outside of
; functions are values of the module, unless a pattern at the end closes the statement that they are.

; Imports

[
  (import_statement)
  (import_from_statement)
  (future_import_statement)
] @import

; Containers

(class_definition name: (identifier) @name) @definition.class

; Types

(type_alias_statement left: (type [
  (identifier) @name
  (generic_type . (identifier) @name)
])) @definition.type

(expression_statement (assignment
  left: (identifier) @name
  type: (type [
    (identifier) @_type
    (attribute attribute: (identifier) @_type)
  ])) (#eq? @_type "TypeAlias")) @definition.type

(expression_statement (assignment
  left: (identifier) @name
  right: (call function: [
    (identifier) @_function
    (attribute attribute: (identifier) @_function)
  ])) (#any-of? @_function "NewType" "TypeAliasType")) @definition.type

(expression_statement (assignment
  left: (identifier) @name
  right: (call function: [
    (identifier) @_function
    (attribute attribute: (identifier) @_function)
  ])) (#any-of? @_function
    "Enum" "Flag" "IntEnum" "IntFlag" "NamedTuple" "StrEnum" "TypedDict" "make_dataclass" "namedtuple")) @definition.class

; Functions

(decorated_definition
  (decorator [
    (identifier) @_decorator
    (attribute attribute: (identifier) @_decorator)
  ])
  definition: (_) @overload
  (#eq? @_decorator "overload"))

(class_definition body: (block [
  (function_definition name: (identifier) @name) @definition.constructor
  (decorated_definition definition: (function_definition name: (identifier) @name) @definition.constructor)
]) (#eq? @name "__init__"))

(class_definition body: (block [
  (function_definition name: (identifier) @name) @definition.method
  (decorated_definition definition: (function_definition name: (identifier) @name) @definition.method)
]))

; At the top, and whatever stands under a condition.
(function_definition name: (identifier) @name) @definition.function

(expression_statement (assignment
  left: (identifier) @name
  right: (lambda body: (_) @body) @_lambda)
  (#match? @_lambda "\n")) @definition.function

(expression_statement (assignment left: (identifier) @name right: (lambda))) @definition.function

; Values

; A value of several lines is left out, but for the function that makes it: the first choice that fits counts.
(expression_statement (assignment
  left: (identifier) @name
  right: [(call arguments: (_) @body) (_) @body])
  (#match? @name "^_*[A-Z][A-Z0-9_]*$")
  (#match? @body "\n")) @definition.constant

(expression_statement (assignment left: (identifier) @name)
  (#match? @name "^_*[A-Z][A-Z0-9_]*$")) @definition.constant

(expression_statement (assignment
  left: (identifier) @name
  right: [(call arguments: (_) @body) (_) @body])
  (#match? @body "\n")) @definition.variable

(expression_statement (assignment left: (identifier) @name)) @definition.variable

; Further targets of `a = b = 1`, and each one of `a, (b, *c) = f()` by itself.

(expression_statement (assignment right: [
  (assignment left: (identifier) @name)
  (assignment right: (assignment left: (identifier) @name))
]) (#match? @name "^_*[A-Z][A-Z0-9_]*$")) @definition.constant

(expression_statement (assignment right: [
  (assignment left: (identifier) @name)
  (assignment right: (assignment left: (identifier) @name))
])) @definition.variable

(expression_statement (assignment [
  left: (pattern_list (identifier) @name @definition.constant)
  left: (pattern_list (list_splat_pattern (identifier) @name @definition.constant))
  left: (pattern_list (tuple_pattern (identifier) @name @definition.constant))
  left: (tuple_pattern (identifier) @name @definition.constant)
  left: (tuple_pattern (list_splat_pattern (identifier) @name @definition.constant))
  left: (list_pattern (identifier) @name @definition.constant)
])
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))

(expression_statement (assignment [
  left: (pattern_list (identifier) @name @definition.variable)
  left: (pattern_list (list_splat_pattern (identifier) @name @definition.variable))
  left: (pattern_list (tuple_pattern (identifier) @name @definition.variable))
  left: (tuple_pattern (identifier) @name @definition.variable)
  left: (tuple_pattern (list_splat_pattern (identifier) @name @definition.variable))
  left: (list_pattern (identifier) @name @definition.variable)
]))

; Where assignments are values of the module: not in a class, in a loop or in what only the program itself does.
(module [
  (expression_statement) @members
  (try_statement [
    (block (expression_statement) @members)
    (_ (block (expression_statement) @members))
  ])
  (with_statement body: (block (expression_statement) @members))
])

(module (if_statement
  condition: (_) @_condition
  [
    (block (expression_statement) @members)
    (_ (block (expression_statement) @members))
  ])
  (#not-match? @_condition "__name__"))

(expression_statement) @body

(assignment right: (primary_expression) @body)

; Damage: what was to be a definition, and is no more than its first words.

(ERROR "class" . (identifier) @name @definition.class)

(ERROR "def" . (identifier) @name @definition.function)
