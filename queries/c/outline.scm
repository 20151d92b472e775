; Attributes
(attribute_declaration) @attribute
(attribute_specifier) @attribute

; Imports
(preproc_include) @import

; Tests
((expression_statement (call_expression function: (identifier) @_macro) @name) @definition.test
  . (compound_statement) @body
  (#match? @_macro "TEST|BENCHMARK"))
((expression_statement (call_expression function: (identifier) @_macro) @name) @definition.function
  . (compound_statement) @body
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
(function_definition type: (type_identifier) @name @_macro declarator: (parenthesized_declarator) @name
  (#match? @_macro "TEST|BENCHMARK")) @definition.test
(function_definition type: (type_identifier) @name @_macro declarator: (parenthesized_declarator) @name
  (#match? @_macro "^[A-Z][A-Z0-9_]+$")) @definition.function
(function_definition type: (macro_type_specifier) @name declarator: (MISSING identifier)) @definition.function
; At the beginning of a file
((ERROR (call_expression function: (identifier) @_macro) @name .) @definition.test
  . (compound_statement) @body
  (#match? @_macro "TEST|BENCHMARK"))

; Types
(type_definition type: (struct_specifier name: (_) @_tag body: (_)) declarator: (type_identifier) @name (#eq? @name @_tag))
(type_definition type: (union_specifier name: (_) @_tag body: (_)) declarator: (type_identifier) @name (#eq? @name @_tag))
(type_definition type: (enum_specifier name: (_) @_tag body: (_)) declarator: (type_identifier) @name (#eq? @name @_tag))
(type_definition type: (struct_specifier name: (_) @name body: (_) @members)) @definition.struct
(type_definition type: (union_specifier name: (_) @name body: (_) @members)) @definition.union
(type_definition type: (enum_specifier name: (_) @name body: (_) @body)) @definition.enum
(type_definition type: (struct_specifier !name body: (_) @members) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_) @members) declarator: (type_identifier) @name) @definition.union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition
  type: [
    (struct_specifier body: (_)? @members)
    (union_specifier body: (_)? @members)
    (enum_specifier body: (_)? @body)
    (_)
  ]
  declarator: [
    (type_identifier) @name
    (primitive_type) @name
    (array_declarator declarator: [
      (type_identifier) @name
      (array_declarator declarator: [(type_identifier) @name (array_declarator declarator: (type_identifier) @name)])
      (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))
    ])
    (function_declarator declarator: [
      (type_identifier) @name
      (parenthesized_declarator [
        (type_identifier) @name
        (pointer_declarator declarator: [(type_identifier) @name (array_declarator declarator: (type_identifier) @name)])
      ])
    ])
    (pointer_declarator declarator: [
      (type_identifier) @name
      (array_declarator declarator: (type_identifier) @name)
      (function_declarator declarator: [
        (type_identifier) @name
        (parenthesized_declarator [
          (type_identifier) @name
          (pointer_declarator declarator: [(type_identifier) @name (array_declarator declarator: (type_identifier) @name)])
        ])
      ])
      (pointer_declarator declarator: [
        (type_identifier) @name
        (function_declarator declarator: [
          (type_identifier) @name
          (parenthesized_declarator [
            (type_identifier) @name
            (pointer_declarator declarator: [(type_identifier) @name (array_declarator declarator: (type_identifier) @name)])
          ])
        ])
        (pointer_declarator declarator: (type_identifier) @name)
      ])
    ])
  ]) @definition.type
(struct_specifier name: (_) @name body: (_) @members) @definition.struct
(union_specifier name: (_) @name body: (_) @members) @definition.union
(enum_specifier name: (_) @name body: (_) @body) @definition.enum

; Functions
(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (_ (function_declarator declarator: (identifier) @name))
    (_ (_ (function_declarator declarator: (identifier) @name)))
    (_ (_ (_ !type (function_declarator declarator: (identifier) @name))))
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
    (_ (function_declarator declarator: (parenthesized_declarator (identifier) @name)))
    (_ (_ (function_declarator declarator: (parenthesized_declarator (identifier) @name))))
  ]) @definition.function
(declaration
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (_ (function_declarator declarator: (identifier) @name))
    (_ (_ (function_declarator declarator: (identifier) @name)))
    (_ (_ (_ !type (function_declarator declarator: (identifier) @name))))
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
    (_ (function_declarator declarator: (parenthesized_declarator (identifier) @name)))
    (_ (_ (function_declarator declarator: (parenthesized_declarator (identifier) @name))))
  ]) @definition.function @prototype
((expression_statement (call_expression function: (identifier) @name)) @definition.function
  . (compound_statement) @body
  (#not-match? @name "^[A-Z][A-Z0-9_]+$"))
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro
(preproc_def name: (identifier) @name) @definition.macro

; Values
(declaration
  (storage_class_specifier "extern")
  declarator: [
    (identifier) @name
    (array_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
    (pointer_declarator declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (identifier) @name)
    ])
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
  ]) @definition.variable @prototype
(declaration
  type: [
    (struct_specifier body: (_)? @members)
    (union_specifier body: (_)? @members)
    (enum_specifier body: (_)? @body)
    (_)
  ]
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: [
      (identifier) @name
      (pointer_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])
      (array_declarator declarator: (identifier) @name)
    ])
    (array_declarator declarator: [
      (identifier) @name
      (array_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
    ])
    (function_declarator declarator:
      (parenthesized_declarator (pointer_declarator declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)
      ])))
    (init_declarator
      declarator: [
        (identifier) @name
        (pointer_declarator declarator: [
          (identifier) @name
          (pointer_declarator declarator: [(identifier) @name (pointer_declarator declarator: (identifier) @name)])
          (array_declarator declarator: (identifier) @name)
        ])
        (array_declarator declarator: [
          (identifier) @name
          (array_declarator declarator: [(identifier) @name (array_declarator declarator: (identifier) @name)])
        ])
        (function_declarator declarator:
          (parenthesized_declarator (pointer_declarator declarator: [
            (identifier) @name
            (array_declarator declarator: (identifier) @name)
          ])))
      ]
      value: (initializer_list)? @body)
  ]) @definition.variable

; Nothing is declared here
(compound_statement) @body
(initializer_list) @body
(argument_list) @body
