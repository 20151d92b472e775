; Imports
(import_declaration) @import

; Types
([(type_spec name: (_) @name type: (struct_type (_) @body)) (type_alias name: (_) @name type: (struct_type (_) @body))]
  @definition.struct)
([(type_spec name: (_) @name type: (interface_type "{" @members)) (type_alias name: (_) @name type: (interface_type "{" @members))]
  @definition.interface)
[(type_spec name: (_) @name) (type_alias name: (_) @name)] @definition.type

; Functions
(function_declaration name: (_) @name) @definition.function
(method_declaration name: (_) @name) @definition.method
; The methods of an interface that is declared, not of one that is part of another type.
(type_spec type: (interface_type (method_elem name: (_) @name) @definition.method))
(type_alias type: (interface_type (method_elem name: (_) @name) @definition.method))
; What is declared in a function is local, be it a method's, or one that a variable is set to.
(block) @body

; Values
; Names without their field: of several constants in a line tree-sitter's own engine would see but the first.
; `var _ I = (*T)(nil)` is a check and names nothing.
([(const_spec (identifier) @name) (var_spec name: (identifier) @name)] (#eq? @name "_"))
; The lines of a value are no part of the signature; what it is made of is.
((var_spec name: (identifier) @name
    value: (_ . [
      (composite_literal body: (_) @body)
      (unary_expression operand: (composite_literal body: (_) @body))
      (func_literal body: (_) @body)
      (call_expression arguments: (_) @body)
    ] .)) @definition.variable
  (#match? @body "\n"))
((var_spec name: (identifier) @name value: (_) @body) @definition.variable (#match? @body "\n"))
((const_spec (identifier) @name value: (_) @body) @definition.constant (#match? @body "\n"))
(var_spec name: (identifier) @name) @definition.variable
(const_spec (identifier) @name) @definition.constant
