; Attributes
[(attribute_item) (inner_attribute_item)] @attribute

; Imports
[(use_declaration) (extern_crate_declaration)] @import

; Containers
(mod_item name: (_) @name) @definition.module
(trait_item name: (_) @name) @definition.trait
(impl_item "!"? @name trait: (_) @name "for" @name type: (_) @name) @definition.impl
(impl_item !trait type: (_) @name) @definition.impl
; Many macros are called with whole items, which to the grammar are mere tokens; in `cfg_if!` they stand one level deeper.
(macro_invocation (token_tree
  ["const" "enum" "fn" "impl" "mod" "static" "struct" "trait" "type" "union"]) @injection.content)
(macro_invocation (token_tree (token_tree
  ["const" "enum" "fn" "impl" "mod" "static" "struct" "trait" "type" "union"])) @injection.content)

; Types
(struct_item name: (_) @name body: (field_declaration_list) @body) @definition.struct
; The second is that of `bitflags!`, with a type behind its name.
[
  (struct_item name: (_) @name body: (ordered_field_declaration_list) ";" @body)
  (struct_item name: (_) @name (ERROR "{" @body))
] @definition.struct
(struct_item name: (_) @name !body) @definition.struct
(union_item name: (_) @name body: (_) @body) @definition.union
(enum_item name: (_) @name body: (_) @body) @definition.enum
; What an impl sets its trait's types and constants to is no row, the trait's own are. Nor is what the grammar makes of the
; flags in `bitflags!`.
[
  (impl_item body: (_ [(type_item name: (_) @name) (const_item name: (_) @name)]))
  (const_item (ERROR) name: (_) @name)
]
[(type_item name: (_) @name) (associated_type name: (_) @name)] @definition.type

; Functions
(impl_item body: (_ (function_item name: (_) @name) @definition.method))
(trait_item body: (_ [(function_item name: (_) @name) (function_signature_item name: (_) @name)] @definition.method))
[(function_item name: (_) @name) (function_signature_item name: (_) @name)] @definition.function
(macro_definition name: (_) @name ["(" "[" "{"] @body) @definition.macro
(macro_rule) @body

; Values
; `const _` names nothing, but may hold items.
(const_item name: (_) @name value: (block) @members (#eq? @name "_"))
(const_item name: (_) @name (#eq? @name "_"))
; The lines of a value are no part of the signature, and what is declared in one is local.
([(const_item name: (_) @name value: (_) @body) (static_item name: (_) @name value: (_) @body)] @definition.constant
  (#match? @body "\n"))
[(const_item name: (_) @name) (static_item name: (_) @name)] @definition.constant
[(const_item value: (_) @body) (static_item value: (_) @body)]
