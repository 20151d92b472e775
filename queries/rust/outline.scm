; Imports
[(use_declaration) (extern_crate_declaration)] @import
(attribute_item) @attribute
(inner_attribute_item) @attribute

; Containers
(mod_item name: (identifier) @name) @definition.module
(impl_item trait: (_) @name "for" @name type: (_) @name) @definition.impl
(impl_item type: (_) @name) @definition.impl
(trait_item name: (type_identifier) @name) @definition.trait
(foreign_mod_item) @members

; Types
(struct_item name: (type_identifier) @name body: (_)? @body) @definition.struct
(union_item name: (type_identifier) @name body: (_) @body) @definition.union
(enum_item name: (type_identifier) @name body: (_) @body) @definition.enum
(type_item name: (type_identifier) @name) @definition.type

; Functions
(impl_item body: (declaration_list [(function_item name: (identifier) @name) (function_signature_item name: (identifier) @name)] @definition.method))
(trait_item body: (declaration_list [(function_item name: (identifier) @name) (function_signature_item name: (identifier) @name)] @definition.method))
(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(macro_definition name: (identifier) @name) @definition.macro

; Values
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.constant
