; TypeScript and TSX. What lies in a function's body is not listed, so whatever the walk comes to stands at the top of the
; file, in a namespace, a class or an object, in a block of an `if` or `try`, or in a function that wraps the file.

; Attributes
(decorator) @attribute @body

; Imports
[(import_statement) (import_alias)] @import
(export_statement source: (_)) @import
(program
  (_ (variable_declarator
    name: (_) @name
    value: [
      (call_expression function: (identifier) @_require)
      (call_expression function: (call_expression function: (identifier) @_require))
      (call_expression arguments: (arguments . (call_expression function: (identifier) @_require)))
      (member_expression object: (call_expression function: (identifier) @_require))
      (as_expression (call_expression function: (identifier) @_require))
    ]) @import)
  (#eq? @_require "require"))
(program
  (expression_statement [
    (call_expression function: (identifier) @_require)
    (assignment_expression
      left: (member_expression property: (_) @name)
      right: (call_expression function: (identifier) @_require))
  ] @import)
  (#eq? @_require "require"))

; Wrappers: what stands directly in a function that is called on the spot, or that is the file's only statement, is at the top.
(call_expression function: [(function_expression body: (_) @members) (parenthesized_expression (_ body: (_) @members))])
(call_expression
  function: (member_expression
    object: [(function_expression body: (_) @members) (parenthesized_expression (_ body: (_) @members))]
    property: (property_identifier) @_call)
  (#any-of? @_call "apply" "bind" "call"))
(call_expression
  function: [(function_expression) (parenthesized_expression (function_expression))]
  arguments: (arguments [
    (function_expression body: (_) @members)
    (parenthesized_expression (_ body: (_) @members))
  ]))
(call_expression
  function: [(identifier) @_define (member_expression property: (property_identifier) @_define)]
  arguments: (arguments (_ body: (_) @members))
  (#any-of? @_define "define" "require" "requirejs" "ready" "$" "jQuery"))
(program
  . [(comment) (hash_bang_line) (expression_statement (string))]*
  . (expression_statement (call_expression arguments: (arguments (_ body: (_) @members))))
  . (comment)* .)

; Tests
(call_expression
  function: [
    (identifier) @_describe
    (member_expression object: (identifier) @_describe)
    (member_expression object: (identifier) property: (property_identifier) @_describe)
    (member_expression object: (member_expression object: (identifier) @_describe))
    (member_expression object: (member_expression property: (property_identifier) @_describe))
    (call_expression function: (member_expression object: (identifier) @_describe))
    (call_expression function: (member_expression object: (member_expression object: (identifier) @_describe)))
  ]
  arguments: (arguments . (_) @name (_ body: (_) @members))
  (#any-of? @_describe "context" "describe" "fdescribe" "suite" "xdescribe")) @definition.test
(call_expression
  function: [
    (identifier) @_it
    (member_expression object: (identifier) @_it property: (property_identifier) @_which)
    (member_expression object: (member_expression object: (identifier) @_it property: (property_identifier) @_which))
    (call_expression function: (member_expression object: (identifier) @_it))
    (call_expression function: (member_expression object: (member_expression object: (identifier) @_it)))
  ]
  arguments: (arguments . [(string) (template_string) (binary_expression)] @name . (_)? @body)
  (#any-of? @_it "Deno" "QUnit" "bench" "fit" "it" "specify" "tap" "test" "xit" "xtest")
  (#not-eq? @_which "describe")) @definition.test
(call_expression
  function: [(identifier) @_describe (member_expression object: (identifier) @_describe)]
  arguments: (arguments (_ body: (statement_block (_ (variable_declarator
    name: (_) @name
    value: [(call_expression) (new_expression) (object)] @body)))))
  (#any-of? @_describe "context" "describe" "fdescribe" "suite" "xdescribe"))
(call_expression
  function: (member_expression property: (property_identifier) @_each)
  arguments: (arguments (_ body: (statement_block (expression_statement (call_expression function: (identifier) @_it))) @members))
  (#eq? @_each "forEach")
  (#any-of? @_it "describe" "it" "test"))

; What has a name of its own is not called module.exports.
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name @_exports)
  right: [(class name: (_)) (function_expression name: (_))]
  (#eq? @_module "module")
  (#eq? @_exports "exports"))

; Containers
(module name: (_) @name) @definition.module
(internal_module name: (_) @name) @definition.module
(ambient_declaration "global" @name (statement_block) @members) @definition.module
((expression_statement (identifier) @name) . (statement_block) @definition.module @members (#eq? @name "global"))
(abstract_class_declaration name: (_) @name) @definition.class
(class_declaration name: (_) @name) @definition.class
(variable_declarator
  name: (identifier) @name
  value: [
    (class body: (_) @members)
    (_ (class body: (_) @members))
    (call_expression arguments: (arguments (class body: (_) @members)))
  ]) @definition.class
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (class name: (_) @name body: (_) @members)
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.class
(assignment_expression
  left: (member_expression object: (identifier) @name @_module "." @name property: (property_identifier) @name @_exports)
  right: (class body: (_) @members)
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.class
(assignment_expression
  left: [(identifier) @name (member_expression property: (_) @name)]
  right: (class body: (_) @members)) @definition.class
(expression_statement
  (call_expression arguments: (arguments . (string) @name (class body: (_) @members))) @definition.class)
(expression_statement
  (call_expression arguments: (arguments (class name: (_) @name body: (_) @members))) @definition.class)
(export_statement "=" (class name: (_) @name body: (_) @members)) @definition.class
(export_statement
  "default" @name
  value: [
    (class body: (_) @members)
    (call_expression arguments: (arguments (class body: (_) @members)))
  ]) @definition.class

; Types
(interface_declaration name: (_) @name) @definition.interface
(type_alias_declaration name: (_) @name value: (object_type) @members) @definition.type
; `Readonly<{…}>`: its lines are no more part of the signature than those of an object type by itself.
((type_alias_declaration
  name: (_) @name
  value: (generic_type type_arguments: (type_arguments . (object_type)) @body)) @definition.type
  (#match? @body "\n"))
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(object_type) @body

; Heads of overloads: the row is the one that has the body.
((function_signature name: (_) @name)
  . (comment)*
  . [
    (function_declaration name: (_) @_name)
    ((function_signature name: (_) @_name) . [(comment) (function_signature)]* . (function_declaration))
  ]
  (#eq? @name @_name))
((export_statement declaration: (function_signature name: (_) @name))
  . (comment)*
  . [
    (export_statement declaration: (function_declaration name: (_) @_name))
    ((export_statement declaration: (function_signature name: (_) @_name))
      . [(comment) (export_statement declaration: (function_signature))]*
      . (export_statement declaration: (function_declaration)))
  ]
  (#eq? @name @_name))
((method_signature name: (_) @name)
  . [(comment) (decorator) ";"]*
  . [
    (method_definition name: (_) @_name)
    ((method_signature name: (_) @_name) . [(comment) (decorator) (method_signature) ";"]* . (method_definition))
  ]
  (#eq? @name @_name))

; Functions
(function_declaration name: (_) @name) @definition.function
(generator_function_declaration name: (_) @name) @definition.function
(function_signature name: (_) @name) @definition.function
([(method_definition name: (_) @name) (method_signature name: (_) @name)] @definition.constructor (#eq? @name "constructor"))
(method_definition ["get" "set"] name: (_) @name body: (_) @body) @definition.property
(method_definition name: (_) @name) @definition.method
(method_signature ["get" "set"] name: (_) @name) @definition.property
(method_signature name: (_) @name) @definition.method
(abstract_method_signature ["get" "set"] name: (_) @name) @definition.property
(abstract_method_signature name: (_) @name) @definition.method
(interface_body (call_signature parameters: (formal_parameters "(" @name ")" @name)) @definition.method)
(interface_body (construct_signature "new" @name) @definition.constructor)
(class_static_block body: (_) @body)

; Functions that are values: as they stand, behind a cast or an alternative, or handed to a function that wraps them.
(public_field_definition
  name: (_) @name
  value: [
    (_ body: (_) @body)
    (call_expression arguments: (arguments (_ body: (_) @body)))
  ]) @definition.method
(pair key: (_) @name value: (class body: (_) @members)) @definition.class
(pair
  key: (_) @name
  value: [
    (_ body: (_) @body)
    (parenthesized_expression (_ body: (_) @body))
    (call_expression function: (identifier) arguments: (arguments (_ body: (_) @body)))
  ]) @definition.method
(variable_declarator value: [
  (assignment_expression left: (member_expression property: (_) @name) right: (_ body: (_)))
  (parenthesized_expression
    (assignment_expression left: (member_expression property: (_) @name) right: (_ body: (_))))
])
(variable_declarator
  name: (identifier) @name
  value: [
    (_ body: (_) @body)
    (assignment_expression right: (_ body: (_) @body))
    (binary_expression right: [(_ body: (_) @body) (parenthesized_expression (_ body: (_) @body))])
    (parenthesized_expression (_ body: (_) @body))
    (parenthesized_expression (assignment_expression right: (_ body: (_) @body)))
    (ternary_expression (_ body: (_) @body))
    (as_expression [(_ body: (_) @body) (parenthesized_expression (_ body: (_) @body))])
    (satisfies_expression [(_ body: (_) @body) (parenthesized_expression (_ body: (_) @body))])
    (_ . (type_arguments) . (_ body: (_) @body))
    (_ . (type_arguments) . (parenthesized_expression (_ body: (_) @body)))
  ]) @definition.function
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (function_expression name: (_) @name body: (_) @members)
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.function
(assignment_expression
  left: (member_expression object: (identifier) @name @_module "." @name property: (property_identifier) @name @_exports)
  right: (_ body: (_) @members)
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.function
(assignment_expression
  left: [
    (member_expression object: (member_expression property: (property_identifier) @_prototype) property: (_) @name)
    (subscript_expression object: (member_expression property: (property_identifier) @_prototype) index: (_) @name)
  ]
  right: (_ body: (_) @body)
  (#eq? @_prototype "prototype")) @definition.method
(expression_statement (assignment_expression
  left: (member_expression property: (_) @name)
  right: (assignment_expression right: (_ body: (_) @body))) @definition.function)
(expression_statement (assignment_expression
  right: (assignment_expression left: (member_expression property: (_) @name) right: (_ body: (_) @body))) @definition.function)
(assignment_expression
  left: [(identifier) @name (member_expression property: (_) @name) (subscript_expression index: (_) @name)]
  right: (_ body: (_) @body)) @definition.function
(export_statement
  "default" @name
  value: [
    (_ body: (_) @body)
    (call_expression arguments: (arguments [
      (_ body: (_) @body)
      (call_expression arguments: (arguments (_ body: (_) @body)))
    ]))
  ]) @definition.function
(call_expression
  function: (member_expression property: (property_identifier) @_define)
  arguments: (arguments
    . (_) @_target
    . (_) @name
    . (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]) @members)
  (#eq? @_define "defineProperty")
  (#not-any-of? @_target "_exports" "exports" "module.exports")) @definition.property
(call_expression
  function: (member_expression property: (property_identifier) @_define)
  arguments: (arguments . (_) @name . (_) . (object) @body)
  (#eq? @_define "defineProperty"))
(expression_statement
  (call_expression
    function: (member_expression object: [
      (identifier) @_object
      (member_expression)
      (this)
      (call_expression function: (identifier))
    ])
    arguments: (arguments
      . [(string) (template_string)] @name
      [(_ body: (_) @body) (array (_ body: (_) @body))])) @definition.function
  (#not-any-of? @_object "jest" "vi"))
(call_expression
  function: (member_expression object: (call_expression function: (member_expression)))
  arguments: (arguments
    . [(string) (template_string)] @name
    [(_ body: (_) @body) (array (_ body: (_) @body))]) @definition.function)

; Objects that hold functions
(pair
  key: (_) @name
  value: (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]) @members) @definition.property
(assignment_expression
  left: (member_expression object: (identifier) @name @_module "." @name property: (property_identifier) @name @_exports)
  right: [
    (object) @members
    (parenthesized_expression (object) @members)
    (as_expression (object) @members)
    (satisfies_expression (object) @members)
    (call_expression arguments: (arguments (object) @members))
  ]
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.constant
(assignment_expression
  left: (member_expression object: (_) @name "." @name property: (_) @name @_prototype)
  right: [(object) @members (call_expression arguments: (arguments (object) @members))]
  (#eq? @_prototype "prototype")) @definition.constant
(assignment_expression
  left: (member_expression property: (_) @name)
  right: [
    (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]) @members
    (binary_expression (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]) @members)
    (call_expression
      arguments: (arguments (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]) @members))
    (call_expression function: [(function_expression body: (_) @members) (parenthesized_expression (_ body: (_) @members))])
    (parenthesized_expression (call_expression function: (function_expression body: (_) @members)))
  ]) @definition.constant
(expression_statement (assignment_expression
  left: (member_expression
    object: [(identifier) @_exports (member_expression property: (property_identifier) @_exports)]
    property: (_) @name)
  right: [
    (object) @members
    (array) (call_expression) (new_expression) (number) (regex) (string) (template_string)
  ])
  (#eq? @_exports "exports")) @definition.constant
(export_statement
  "default" @name
  value: [
    (object) @members
    (parenthesized_expression (object) @members)
    (as_expression (object) @members)
    (satisfies_expression (object) @members)
    (call_expression arguments: (arguments (object) @members))
    (array) (await_expression) (binary_expression) (call_expression) (new_expression) (ternary_expression)
  ]) @definition.constant
(expression_statement [
  (call_expression
    function: [(identifier) @name (member_expression property: (property_identifier) @_extend) @name]
    arguments: (arguments
      . (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]) @members))
  (call_expression
    arguments: (arguments
      . [(identifier) (member_expression) (string)] @name
      (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]) @members))
  (new_expression
    constructor: (_) @name
    arguments: (arguments
      . (object [(method_definition) (pair value: [(arrow_function) (function_expression)])]) @members))
] @definition.object
  (#any-of? @_extend "each" "extend" "mixin" "reopen"))

; What a syntax error leaves of a declaration: often only its head.
(expression_statement (function_expression name: (_) @name) @definition.function)
(ERROR "class" @_word . (identifier) @name @definition.class)
(ERROR "interface" @_word . (identifier) @name @definition.interface)
(ERROR "function" @_word . (identifier) @name @definition.function)
(ERROR ["const" "let" "var"] @_word . (identifier) @name @definition.function . "=" . "async"? . (formal_parameters))
(ERROR (property_identifier) @name @definition.method . (formal_parameters) . (type_annotation)? . "{")
(ERROR (identifier) @_test . "(" . (string) @name @definition.test . ","
  (#any-of? @_test "context" "describe" "fdescribe" "fit" "it" "specify" "suite" "test" "xdescribe" "xit" "xtest"))
(ERROR "{" (_ (variable_declarator name: (_) @name)))

; Variables of a block, or of a function that wraps the file, are no constants of the file.
[
  (arrow_function body: (statement_block (_ (variable_declarator name: (_) @name))))
  (catch_clause body: (statement_block (_ (variable_declarator name: (_) @name))))
  (do_statement body: (statement_block (_ (variable_declarator name: (_) @name))))
  (else_clause (statement_block (_ (variable_declarator name: (_) @name))))
  (finally_clause body: (statement_block (_ (variable_declarator name: (_) @name))))
  (for_in_statement body: (statement_block (_ (variable_declarator name: (_) @name))))
  (for_statement initializer: (_ (variable_declarator name: (_) @name)))
  (for_statement body: (statement_block (_ (variable_declarator name: (_) @name))))
  (function_declaration body: (statement_block (_ (variable_declarator name: (_) @name))))
  (function_expression body: (statement_block (_ (variable_declarator name: (_) @name))))
  (if_statement consequence: (statement_block (_ (variable_declarator name: (_) @name))))
  (method_definition body: (statement_block (_ (variable_declarator name: (_) @name))))
  (program (statement_block (_ (variable_declarator name: (_) @name))))
  (statement_block (statement_block (_ (variable_declarator name: (_) @name))))
  (switch_case body: (_ (variable_declarator name: (_) @name)))
  (switch_case body: (statement_block (_ (variable_declarator name: (_) @name))))
  (switch_default body: (_ (variable_declarator name: (_) @name)))
  (switch_default body: (statement_block (_ (variable_declarator name: (_) @name))))
  (try_statement body: (statement_block (_ (variable_declarator name: (_) @name))))
  (while_statement body: (statement_block (_ (variable_declarator name: (_) @name))))
]

; Values
(variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: [(identifier) (call_expression) (member_expression property: (property_identifier) @_method)]
    arguments: (arguments [
      (_ body: (_) @body)
      (call_expression arguments: (arguments (_ body: (_) @body)))
    ]))
  (#not-any-of? @_method "every" "filter" "find" "flatMap" "forEach" "map" "reduce" "some" "sort" "then")) @definition.function
(lexical_declaration
  "const"
  (variable_declarator
    name: (identifier) @name
    value: [
      (object) @members
      (array . (object)) @body
      (array (comment)) @body
      (binary_expression right: (object) @members)
      (parenthesized_expression (object) @members)
      (as_expression (object) @members)
      (satisfies_expression (object) @members)
      (call_expression arguments: (arguments (object) @members))
      (call_expression arguments: (template_string) @body)
      (call_expression function: [(function_expression body: (_) @members) (parenthesized_expression (_ body: (_) @members))])
      (parenthesized_expression (call_expression function: (function_expression body: (_) @members)))
      (new_expression arguments: (arguments (object) @members))
      (_)
    ]?) @definition.constant)
(variable_declarator
  name: (identifier) @name
  value: [
    (object) @members
    (array . (object)) @body
    (array (comment)) @body
    (binary_expression right: (object) @members)
    (parenthesized_expression (object) @members)
    (as_expression (object) @members)
    (satisfies_expression (object) @members)
    (call_expression arguments: (arguments (object) @members))
    (call_expression arguments: (template_string) @body)
    (call_expression function: [(function_expression body: (_) @members) (parenthesized_expression (_ body: (_) @members))])
    (parenthesized_expression (call_expression function: (function_expression body: (_) @members)))
    (new_expression arguments: (arguments (object) @members))
    (_)
  ]?) @definition.variable
(program
  (_ (variable_declarator
    name: [
      (object_pattern . [
        (shorthand_property_identifier_pattern) @name
        (object_assignment_pattern left: (_) @name)
        (pair_pattern value: (identifier) @name)
      ])
      (array_pattern . (identifier) @name)
    ]
    value: [
      (call_expression function: (_) @_require)
      (await_expression) (identifier) (member_expression) (object)
    ]) @definition.constant)
  (#not-eq? @_require "require"))
(export_statement declaration: (_ (variable_declarator
  name: [
    (object_pattern . [
      (shorthand_property_identifier_pattern) @name
      (object_assignment_pattern left: (_) @name)
      (pair_pattern value: (identifier) @name)
    ])
    (array_pattern . (identifier) @name)
  ]) @definition.constant))
(export_statement declaration: (_ (variable_declarator
  name: [
    (object_pattern [
      (shorthand_property_identifier_pattern) @name @definition.constant
      (object_assignment_pattern left: (_) @name) @definition.constant
      (pair_pattern value: (identifier) @name) @definition.constant
    ])
    (array_pattern (identifier) @name @definition.constant)
  ])))

; What is inside these is nobody's goal.
(arrow_function body: (_) @body)
(function_expression body: (_) @body)
(generator_function body: (_) @body)
(array) @body
(public_field_definition value: (_) @body)
(required_parameter value: (_) @body)
