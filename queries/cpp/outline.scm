; Attributes
(attribute_declaration) @attribute
(attribute_specifier) @attribute
(template_declaration) @whole
(linkage_specification) @whole

; Imports
(preproc_include) @import

; Tests
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list . (parameter_declaration type: (type_identifier) !declarator))) @name
  (#match? @_macro "TEST|SCENARIO|BENCHMARK")) @definition.test
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list . (parameter_declaration type: (type_identifier) !declarator))) @name
  (#match? @_macro "^[A-Z][A-Z0-9_]+$")) @definition.function
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @name
    parameters: (parameter_list . (parameter_declaration type: (type_identifier) !declarator)))
  (#match? @name "^[A-Z][A-Z0-9_]+$"))
; A macro round the head of a function.
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list . (parameter_declaration declarator: [
      (function_declarator declarator: (identifier) @name)
      (_ (function_declarator declarator: (identifier) @name))
    ]) .))
  (#match? @_macro "^[A-Z][A-Z0-9_]+$")) @definition.function
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @name
    parameters: (parameter_list . (parameter_declaration declarator: [
      (function_declarator declarator: (identifier))
      (_ (function_declarator declarator: (identifier)))
    ]) .))
  (#match? @name "^[A-Z][A-Z0-9_]+$"))
((expression_statement (call_expression function: (identifier) @_macro) @name) @definition.test
  . (compound_statement) @body
  (#match? @_macro "TEST|SCENARIO|BENCHMARK"))
((expression_statement (call_expression function: (identifier) @_macro) @name) @definition.function
  . (compound_statement) @body
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))

; At the beginning of a file
((ERROR (call_expression function: (identifier) @_macro) @name .) @definition.test
  . (compound_statement) @body
  (#match? @_macro "TEST|SCENARIO|BENCHMARK"))

; Containers
(namespace_definition name: (_) @name) @definition.module

; Types
(type_definition type: (class_specifier name: (_) @_tag body: (_)) declarator: (type_identifier) @name (#eq? @name @_tag))
(type_definition type: (struct_specifier name: (_) @_tag body: (_)) declarator: (type_identifier) @name (#eq? @name @_tag))
(type_definition type: (union_specifier name: (_) @_tag body: (_)) declarator: (type_identifier) @name (#eq? @name @_tag))
(type_definition type: (enum_specifier name: (_) @_tag body: (_)) declarator: (type_identifier) @name (#eq? @name @_tag))
(type_definition type: (class_specifier name: (_) @name body: (_) @members)) @definition.class
(type_definition type: (struct_specifier name: (_) @name body: (_) @members)) @definition.struct
(type_definition type: (union_specifier name: (_) @name body: (_) @members)) @definition.union
(type_definition type: (enum_specifier name: (_) @name body: (_) @body)) @definition.enum
(type_definition type: (struct_specifier !name body: (_) @members) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_) @members) declarator: (type_identifier) @name) @definition.union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition
  type: [
    (class_specifier body: (_)? @members)
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
    (reference_declarator (type_identifier) @name)
    (function_declarator declarator: [
      (type_identifier) @name
      (parenthesized_declarator [
        (type_identifier) @name
        (pointer_declarator declarator: [(type_identifier) @name (array_declarator declarator: (type_identifier) @name)])
        (reference_declarator (type_identifier) @name)
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
(class_specifier name: (_) @name body: (_) @members) @definition.class
(struct_specifier name: (_) @name body: (_) @members) @definition.struct
(union_specifier name: (_) @name body: (_) @members) @definition.union
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.concept

; Functions
(field_declaration_list
  (template_declaration
    (declaration type: (_) declarator: [
      (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)
      (_ (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name))
      (_ (_ (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)))
      (_ (_ (_ !type (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name))))
    ])) @definition.method)
(field_declaration
  declarator: [
      (function_declarator declarator: [(field_identifier) (qualified_identifier) (template_method) (operator_name) (destructor_name)] @name)
      (_ (function_declarator declarator: [(field_identifier) (qualified_identifier) (template_method) (operator_name) (destructor_name)] @name))
      (_ (_ (function_declarator declarator: [(field_identifier) (qualified_identifier) (template_method) (operator_name) (destructor_name)] @name)))
      (_ (_ (_ !type (function_declarator declarator: [(field_identifier) (qualified_identifier) (template_method) (operator_name) (destructor_name)] @name))))
    ]
  default_value: (initializer_list)? @body) @definition.method
(function_definition
  declarator: [
      (function_declarator declarator: [(field_identifier) (qualified_identifier) (template_method) (destructor_name)] @name)
      (_ (function_declarator declarator: [(field_identifier) (qualified_identifier) (template_method) (destructor_name)] @name))
      (_ (_ (function_declarator declarator: [(field_identifier) (qualified_identifier) (template_method) (destructor_name)] @name)))
      (_ (_ (_ !type (function_declarator declarator: [(field_identifier) (qualified_identifier) (template_method) (destructor_name)] @name))))
    ]
  (field_initializer_list)? @body) @definition.method
(declaration !type declarator: (function_declarator declarator: (destructor_name) @name)) @definition.method
(function_definition
  type: (qualified_identifier scope: (_) @name "::" @name name: (type_identifier) @name @_operator)
  declarator: (function_declarator declarator: [(identifier) (template_function)] @name)
  (#eq? @_operator "operator")) @definition.method
(function_definition
  declarator: [
    (operator_cast "operator" @name (type_qualifier)? @name type: (_) @name declarator: [
      (abstract_function_declarator)
      (abstract_pointer_declarator "*" @name)
      (abstract_reference_declarator ["&" "&&"] @name)
    ])
    (qualified_identifier scope: (_) @name "::" @name
      name: (operator_cast "operator" @name (type_qualifier)? @name type: (_) @name declarator: [
      (abstract_function_declarator)
      (abstract_pointer_declarator "*" @name)
      (abstract_reference_declarator ["&" "&&"] @name)
    ]))
  ]) @definition.method
(declaration
  declarator:
    (operator_cast "operator" @name (type_qualifier)? @name type: (_) @name declarator: [
      (abstract_function_declarator)
      (abstract_pointer_declarator "*" @name)
      (abstract_reference_declarator ["&" "&&"] @name)
    ])
  ) @definition.method
(function_definition !type declarator: (function_declarator declarator: (identifier) @name) (field_initializer_list)? @body) @definition.constructor
(class_specifier
  name: [
    (type_identifier) @_class
    (template_type name: (_) @_class)
    (qualified_identifier name: [
      (type_identifier) @_class
      (template_type name: (_) @_class)
      (qualified_identifier name: (type_identifier) @_class)
    ])
  ]
  body: (field_declaration_list [
    (declaration !type declarator: (function_declarator declarator: (identifier) @name)) @definition.constructor
    (_ (declaration !type declarator: (function_declarator declarator: (identifier) @name)) @definition.constructor)
    (_ (_ (declaration !type declarator: (function_declarator declarator: (identifier) @name)) @definition.constructor))
  ])
  (#eq? @_class @name))
(struct_specifier
  name: [
    (type_identifier) @_class
    (template_type name: (_) @_class)
    (qualified_identifier name: [
      (type_identifier) @_class
      (template_type name: (_) @_class)
      (qualified_identifier name: (type_identifier) @_class)
    ])
  ]
  body: (field_declaration_list [
    (declaration !type declarator: (function_declarator declarator: (identifier) @name)) @definition.constructor
    (_ (declaration !type declarator: (function_declarator declarator: (identifier) @name)) @definition.constructor)
    (_ (_ (declaration !type declarator: (function_declarator declarator: (identifier) @name)) @definition.constructor))
  ])
  (#eq? @_class @name))
(declaration !type declarator: (function_declarator declarator: (identifier) @name (trailing_return_type))) @definition.function
(function_definition
  declarator: [
      (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)
      (_ (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name))
      (_ (_ (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)))
      (_ (_ (_ !type (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name))))
    ]) @definition.function
; A semicolon behind an empty body makes an initial value of it.
(declaration
  declarator: (init_declarator
    declarator: [
      (function_declarator declarator: (qualified_identifier) @name)
      (_ (function_declarator declarator: (qualified_identifier) @name))
      (_ (_ (function_declarator declarator: (qualified_identifier) @name)))
    ]
    value: (initializer_list) @body)) @definition.method
(declaration
  declarator: (init_declarator
    declarator: [
      (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)
      (_ (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name))
      (_ (_ (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)))
    ]
    value: (initializer_list) @body)) @definition.function
(declaration
  type: (_)
  declarator: [
      (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name) (template_function)] @name)
      (_ (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name) (template_function)] @name))
      (_ (_ (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name) (template_function)] @name)))
      (_ (_ (_ !type (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name) (template_function)] @name))))
    ]) @definition.function @prototype
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro
(preproc_def name: (identifier) @name) @definition.macro

; Values
(declaration
  declarator: (init_declarator declarator: (identifier) @name value: (lambda_expression body: (_) @body))) @definition.function
(declaration
  (storage_class_specifier "extern")
  declarator: [
      (identifier) @name
      (qualified_identifier) @name
      (array_declarator declarator: [(identifier) @name (qualified_identifier) @name (array_declarator declarator: [(identifier) @name (qualified_identifier) @name])])
      (reference_declarator [(identifier) @name (qualified_identifier) @name])
      (pointer_declarator declarator: [
        (identifier) @name
        (qualified_identifier) @name
        (array_declarator declarator: [(identifier) @name (qualified_identifier) @name])
        (pointer_declarator declarator: [(identifier) @name (qualified_identifier) @name])
      ])
      (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
        (identifier) @name
        (qualified_identifier) @name
        (array_declarator declarator: [(identifier) @name (qualified_identifier) @name])
      ])))
    ]) @definition.variable @prototype
(declaration
  type: [
    (class_specifier body: (_)? @members)
    (struct_specifier body: (_)? @members)
    (union_specifier body: (_)? @members)
    (enum_specifier body: (_)? @body)
    (_)
  ]
  declarator: [
      (identifier) @name
      (qualified_identifier) @name
      (array_declarator declarator: [(identifier) @name (qualified_identifier) @name (array_declarator declarator: [(identifier) @name (qualified_identifier) @name])])
      (reference_declarator [(identifier) @name (qualified_identifier) @name])
      (pointer_declarator declarator: [
        (identifier) @name
        (qualified_identifier) @name
        (array_declarator declarator: [(identifier) @name (qualified_identifier) @name])
        (pointer_declarator declarator: [(identifier) @name (qualified_identifier) @name])
      ])
      (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
        (identifier) @name
        (qualified_identifier) @name
        (array_declarator declarator: [(identifier) @name (qualified_identifier) @name])
      ])))
    ]) @definition.variable
(declaration
  type: [
    (class_specifier body: (_)? @members)
    (struct_specifier body: (_)? @members)
    (union_specifier body: (_)? @members)
    (enum_specifier body: (_)? @body)
    (_)
  ]
  declarator: (init_declarator
    declarator: [
      (identifier) @name
      (qualified_identifier) @name
      (array_declarator declarator: [(identifier) @name (qualified_identifier) @name (array_declarator declarator: [(identifier) @name (qualified_identifier) @name])])
      (reference_declarator [(identifier) @name (qualified_identifier) @name])
      (pointer_declarator declarator: [
        (identifier) @name
        (qualified_identifier) @name
        (array_declarator declarator: [(identifier) @name (qualified_identifier) @name])
        (pointer_declarator declarator: [(identifier) @name (qualified_identifier) @name])
      ])
      (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: [
        (identifier) @name
        (qualified_identifier) @name
        (array_declarator declarator: [(identifier) @name (qualified_identifier) @name])
      ])))
    ]
    value: (initializer_list)? @body)) @definition.variable

; Nothing is declared here
(compound_statement) @body
(initializer_list) @body
(argument_list) @body
(template_argument_list) @body
