; Attributes
(modifiers [(annotation) (marker_annotation)] @attribute)
(module_declaration [(annotation) (marker_annotation)] @attribute)

; Imports
(import_declaration) @import

; Containers
(module_declaration name: (_) @name) @definition.module

; Types
(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.record
(enum_declaration name: (_) @name) @definition.enum
(interface_declaration name: (_) @name) @definition.interface
(annotation_type_declaration name: (_) @name) @definition.annotation

; Functions
; Also those in the body of an enum's constant, which itself is no row.
(method_declaration name: (_) @name) @definition.method
(constructor_declaration name: (_) @name) @definition.constructor
(compact_constructor_declaration name: (_) @name) @definition.constructor
(annotation_type_element_declaration name: (_) @name) @definition.method

; Values
; Fields are no rows, and what their values declare is local: anonymous classes, lambdas. So it is in initializers, and in
; what an enum's constants are made of. A file without a class has its fields at the top, where the grammar calls them local.
[(field_declaration) (constant_declaration) (local_variable_declaration) (argument_list) (block)] @body
