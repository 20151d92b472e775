; Ruby.
;
; Much of what Ruby declares is a call: of `attr_reader`, `describe`, `task`. Blocks are open, so that what is declared in
; `included do` or `class_methods do` is listed in the module itself.

; Imports

(call !receiver
  method: (identifier) @_method
  arguments: (_)
  (#any-of? @_method "require" "require_relative" "load" "autoload")) @import

; Tests

(call
  method: (identifier) @_method
  arguments: (argument_list . (_) @name)
  block: (_) @members
  (#any-of? @_method
    "describe" "context" "feature" "shared_context" "shared_examples" "shared_examples_for")) @definition.test

(call !receiver
  method: (identifier) @_method
  arguments: (argument_list . (string) @name)
  block: (_) @body
  (#any-of? @_method "it" "specify" "example" "scenario" "test" "should")) @definition.test

; Containers

; Of one without a body, the last word is no part of the signature.
(module name: (_) @name [body: (_) "end"] @members) @definition.module

(class name: (_) @name [body: (_) "end"] @members) @definition.class

(singleton_class value: (_) @name [body: (_) "end"] @members) @definition.class

; A class without the word: `Point = Struct.new(:x, :y) do`.
(assignment
  left: [(constant) (scope_resolution)] @name
  right: (call
    receiver: [(constant) @_class (scope_resolution !scope name: (constant) @_class)]
    method: (identifier) @_method
    block: (_)? @members)
  (#any-of? @_class "Class" "Data" "Struct")
  (#any-of? @_method "new" "define")) @definition.class

(assignment
  left: [(constant) (scope_resolution)] @name
  right: (call
    receiver: [(constant) @_class (scope_resolution !scope name: (constant) @_class)]
    method: (identifier) @_method
    block: (_)? @members)
  (#eq? @_class "Module")
  (#eq? @_method "new")) @definition.module

; Rake's.
(call !receiver
  method: (identifier) @_method
  arguments: (argument_list . [
    (simple_symbol) @name
    (string) @name
  ])
  block: (_) @members
  (#eq? @_method "namespace")) @definition.namespace

; Functions

(method name: (_) @name [body: (_) "end"] @body) @definition.method

(singleton_method object: (self) name: (_) @name [body: (_) "end"] @body) @definition.method

(singleton_method object: (_) @name "." @name name: (_) @name [body: (_) "end"] @body) @definition.method

(call !receiver
  method: (identifier) @_method
  arguments: (argument_list . [(simple_symbol) (string)] @name)
  block: (_)? @body
  (#any-of? @_method "define_method" "define_singleton_method")) @definition.method

(alias name: (_) @name) @definition.method

(call !receiver
  method: (identifier) @_method
  arguments: (argument_list . [(simple_symbol) (string)] @name)
  (#eq? @_method "alias_method")) @definition.method

; A query that Rails names.
(call !receiver
  method: (identifier) @_method
  arguments: (argument_list . (simple_symbol) @name . (_) @body)
  (#eq? @_method "scope")) @definition.method

(call !receiver
  method: (identifier) @_method
  arguments: (argument_list . [
    (simple_symbol) @name
    (string) @name
    (pair key: (_) @name)
  ])
  block: (_)? @body
  (#eq? @_method "task")) @definition.task

; Values

(call !receiver
  method: (identifier) @_method
  arguments: (argument_list (simple_symbol) @name @definition.property)
  (#any-of? @_method
    "attr" "attr_accessor" "attr_reader" "attr_writer"
    "cattr_accessor" "cattr_reader" "cattr_writer" "class_attribute" "mattr_accessor" "mattr_reader" "mattr_writer"))

; What a model of Rails is made of.
(call !receiver
  method: (identifier) @_method
  arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_method
    "belongs_to" "has_and_belongs_to_many" "has_many" "has_many_attached" "has_one" "has_one_attached")) @definition.property

; A value of several lines is left out, but for the function that makes it: the first choice that fits counts.
(assignment
  left: [(constant) (scope_resolution)] @name
  right: [(call block: (_) @body) (call arguments: (_) @body) (_) @body]
  (#match? @body "\n")) @definition.constant

(assignment left: [(constant) (scope_resolution)] @name) @definition.constant

(assignment left: (left_assignment_list (constant) @name @definition.constant))

(operator_assignment
  left: [(constant) (scope_resolution)] @name
  right: [(call block: (_) @body) (call arguments: (_) @body) (_) @body]
  (#match? @body "\n")) @definition.constant

(operator_assignment left: [(constant) (scope_resolution)] @name) @definition.constant

; Damage: what was to be a definition, and is no more than its first words.

(ERROR "class" @_class . (constant) @name @definition.class)

(ERROR "module" @_module . (constant) @name @definition.module)

(ERROR "def" @_def . (identifier) @name @definition.method)

(ERROR "def" @_def . (self) . "." . (identifier) @name @definition.method)
