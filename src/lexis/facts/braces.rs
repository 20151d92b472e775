//! Languages whose blocks stand in braces.

use super::super::{Blocks, Lexis};
#[allow(clippy::wildcard_imports, reason = "the facts are written in all of its words")]
use super::*;

const BRACES: Blocks = Blocks::Braces { newline_ends: false };
const BRACES_AND_LINES: Blocks = Blocks::Braces { newline_ends: true };

/// C.
pub static C: Lexis = Lexis {
    spans: &[DIRECTIVE, line("//"), block("/*", "*/"), string("\""), CHARACTER],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[
            closed("struct", "struct").named(Name::Last),
            closed("union", "union").named(Name::Last),
            closed("enum", "enum").named(Name::Last),
            value("type", "typedef").named(Name::Last),
            value("constant", "const").named(Name::Assignee),
        ],
        directives: &[closed("macro", "define"), import("include|include_next|import")],
        functions: Functions::Typed { properties: false },
        modifiers: "static extern inline const volatile register __inline __inline__ __extension__ _Noreturn",
        attributes: "__attribute__ __declspec _Alignas alignas __asm__ asm",
        attribute_marks: &["[["],
        continued_by: "const",
        reserved: "if else for while do switch case default return goto break continue sizeof",
        habits: &[Habit::ForwardTypes],
        ..NONE
    },
};

/// C++, its header files and those of C.
pub static CPP: Lexis = Lexis {
    spans: &[
        DIRECTIVE,
        line("//"),
        block("/*", "*/"),
        span("\"", End::Delimited, What::Literal).only(When::BehindPrefix(&["R", "u8R", "uR", "UR", "LR"])),
        string("\""),
        CHARACTER,
    ],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[
            open("struct", "struct").named(Name::Last),
            open("class", "class").named(Name::Last),
            open("union", "union").named(Name::Last),
            closed("enum", "enum").named(Name::Last),
            open("module", "namespace"),
            value("type", "using").named(Name::Assigned),
            value("type", "typedef").named(Name::Last),
            value("concept", "concept").named(Name::Assigned),
            value("constant", "const|constexpr|constinit").named(Name::Assignee),
        ],
        directives: &[closed("macro", "define"), import("include|include_next|import")],
        functions: Functions::Typed { properties: false },
        modifiers: "static extern inline const volatile register virtual explicit friend constexpr consteval constinit \
                    mutable typename template export public private protected signals slots Q_SIGNALS Q_SLOTS final \
                    __inline __inline__ __extension__ __global__ __device__ __host__",
        attributes: "__attribute__ __declspec alignas explicit requires noexcept throw decltype __asm__ asm __launch_bounds__",
        attribute_marks: &["[["],
        path: &["::"],
        continued_by: "const volatile override final noexcept requires try mutable throw",
        labels: "public private protected signals slots Q_SIGNALS Q_SLOTS",
        reserved: "if else for while do switch case default return goto break continue sizeof new delete throw catch \
                   co_return co_yield co_await",
        habits: &[Habit::ForwardTypes],
        ..C.declarations
    },
};

/// C#.
pub static CSHARP: Lexis = Lexis {
    spans: &[
        DIRECTIVE,
        line("//"),
        block("/*", "*/"),
        span("\"\"\"", End::Quotes, What::Literal),
        span("$\"\"\"", End::Quotes, What::Literal),
        text("@\"", "\"").escaped(Escape::Doubled).on_several_lines(),
        text("$@\"", "\"").escaped(Escape::Doubled).on_several_lines().with_holes(&["{"]),
        text("@$\"", "\"").escaped(Escape::Doubled).on_several_lines().with_holes(&["{"]),
        text("$\"", "\"").with_holes(&["{"]),
        string("\""),
        CHARACTER,
    ],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[
            import("using|extern alias|global using"),
            open("module", "namespace"),
            open("class", "class"),
            open("struct", "struct|record struct"),
            open("record", "record|record class"),
            open("interface", "interface"),
            closed("enum", "enum"),
            closed("delegate", "delegate").named(Name::Called),
            closed("event", "event").named(Name::Last),
        ],
        functions: Functions::Typed { properties: true },
        modifiers: "public private protected internal static abstract sealed virtual override partial readonly unsafe new \
                    extern async const volatile ref required file fixed implicit explicit",
        attribute_marks: &["["],
        path: &["."],
        flat: "module",
        continued_by: "where",
        reserved: "if else for foreach while do switch case default return goto break continue throw catch try finally new \
                   await yield lock checked unchecked stackalloc typeof nameof sizeof is as in out get set init add remove",
        ..NONE
    },
};

/// Java.
pub static JAVA: Lexis = Lexis {
    spans: &[line("//"), block("/*", "*/"), text("\"\"\"", "\"\"\"").on_several_lines(), string("\""), CHARACTER],
    word: "$",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[
            import("import"),
            hidden("package"),
            open("class", "class"),
            open("interface", "interface"),
            open("enum", "enum"),
            open("record", "record"),
            open("annotation", "@interface"),
        ],
        functions: Functions::Typed { properties: false },
        modifiers: "public private protected static abstract final native synchronized transient volatile strictfp default \
                    sealed non",
        attribute_marks: &["@"],
        path: &["."],
        continued_by: "throws default",
        reserved: "if else for while do switch case return break continue throw catch try finally new assert yield",
        ..NONE
    },
};

const EXPRESSION_WORDS: &str = "return typeof case in of delete void throw new else do yield await instanceof default import \
                                from export extends as";

/// JavaScript with JSX.
pub static JAVASCRIPT: Lexis = Lexis {
    spans: &[
        line("//"),
        block("/*", "*/"),
        span("/", End::Regex, What::Literal).only(When::BeforeExpression { words: EXPRESSION_WORDS, commands: false }),
        text("`", "`").on_several_lines().with_holes(&["${"]),
        string("\"").only(When::NotBehindWord { unless: EXPRESSION_WORDS }),
        string("'").only(When::NotBehindWord { unless: EXPRESSION_WORDS }),
    ],
    word: "$",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES_AND_LINES,
    declarations: Declarations {
        rules: &[
            import("import"),
            open("class", "class"),
            closed("function", "function"),
            value("constant", "const"),
            value("variable", "let|var"),
            open("test", "describe|context|suite").named(Name::Title),
            closed("test", "it|test|specify").named(Name::Title),
            through("if|else|try|catch|finally"),
        ],
        values: &[closed("function", "function"), open("class", "class"), closed("function", "=>")],
        functions: Functions::Bare("class {}"),
        modifiers: "export default async static get set accessor",
        attribute_marks: &["@"],
        path: &["."],
        anonymous: "default",
        separated: "enum interface {}",
        continued_by: "extends implements else catch finally",
        reserved: "if else for while do switch case return break continue throw catch try finally new delete typeof void \
                   yield await with function",
        ..NONE
    },
};

/// TypeScript with JSX.
pub static TYPESCRIPT: Lexis = Lexis {
    spans: JAVASCRIPT.spans,
    word: "$",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES_AND_LINES,
    declarations: Declarations {
        rules: &[
            import("import"),
            open("class", "class"),
            open("interface", "interface"),
            closed("enum", "enum|const enum"),
            open("module", "namespace|module|global"),
            value("type", "type"),
            closed("function", "function"),
            value("constant", "const"),
            value("variable", "let|var"),
            open("test", "describe|context|suite").named(Name::Title),
            closed("test", "it|test|specify").named(Name::Title),
            through("if|else|try|catch|finally"),
        ],
        functions: Functions::Bare("class interface {}"),
        modifiers: "export default async static get set accessor declare abstract public private protected readonly override",
        habits: &[Habit::OverloadHeads],
        ..JAVASCRIPT.declarations
    },
};

/// Go.
pub static GO: Lexis = Lexis {
    spans: &[line("//"), block("/*", "*/"), raw("`", "`").on_several_lines(), string("\""), CHARACTER],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES_AND_LINES,
    declarations: Declarations {
        rules: &[
            import("import"),
            hidden("package"),
            closed("function", "func"),
            value("type", "type"),
            value("constant", "const"),
            value("variable", "var"),
        ],
        values: &[closed("struct", "struct"), open("interface", "interface")],
        functions: Functions::Bare("interface"),
        typed_by: "interface struct",
        reserved: "if else for switch case default return goto break continue go defer select range",
        habits: &[Habit::Groups],
        ..NONE
    },
};

/// Rust.
pub static RUST: Lexis = Lexis {
    spans: &[
        line("//"),
        nested("/*", "*/"),
        span("\"", End::Hashes, What::Literal).only(When::BehindPrefix(&["r", "br", "cr"])),
        string("\"").on_several_lines(),
        CHARACTER.only(When::NotBehindWord { unless: "b" }),
    ],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[
            import("use|extern crate"),
            open("module", "mod"),
            closed("struct", "struct"),
            closed("enum", "enum"),
            closed("union", "union"),
            open("trait", "trait"),
            open("impl", "impl").named(Name::Rest),
            closed("function", "fn"),
            closed("macro", "macro_rules|macro"),
            value("type", "type"),
            value("constant", "const"),
            value("static", "static"),
        ],
        modifiers: "pub async unsafe extern const default safe auto",
        attributes: "pub",
        attribute_marks: &["#![", "#["],
        continued_by: "where",
        ..NONE
    },
};

/// Objective-C.
pub static OBJECTIVE_C: Lexis = Lexis {
    spans: &[
        span("@interface", End::Line, What::Directive).only(When::FirstOnLine),
        span("@implementation", End::Line, What::Directive).only(When::FirstOnLine),
        span("@protocol", End::Line, What::Directive).only(When::FirstOnLine),
        span("@optional", End::Line, What::Directive).only(When::FirstOnLine),
        span("@required", End::Line, What::Directive).only(When::FirstOnLine),
        span("@end", End::Line, What::Directive).only(When::FirstOnLine),
        DIRECTIVE,
        line("//"),
        block("/*", "*/"),
        string("\""),
        CHARACTER,
    ],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[
            import("@import"),
            hidden("@property|@synthesize|@dynamic|@class"),
            closed("struct", "struct").named(Name::Last),
            closed("union", "union").named(Name::Last),
            closed("enum", "enum").named(Name::Last),
            value("type", "typedef").named(Name::Last),
            value("constant", "const").named(Name::Assignee),
        ],
        directives: &[
            closed("macro", "define"),
            import("include|import"),
            open("interface", "interface"),
            open("implementation", "implementation"),
            open("protocol", "protocol"),
        ],
        functions: Functions::Messages,
        attributes: "__attribute__ NS_ENUM NS_OPTIONS NS_SWIFT_NAME API_AVAILABLE",
        ..C.declarations
    },
};

/// Kotlin.
pub static KOTLIN: Lexis = Lexis {
    spans: &[
        line("//"),
        nested("/*", "*/"),
        raw("\"\"\"", "\"\"\"").on_several_lines().with_holes(&["${"]),
        string("\"").with_holes(&["${"]),
        CHARACTER,
        raw("`", "`"),
    ],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES_AND_LINES,
    declarations: Declarations {
        rules: &[
            import("import"),
            hidden("package|init"),
            open("interface", "interface|fun interface"),
            open("enum", "enum class"),
            open("class", "class"),
            open("object", "object"),
            closed("constructor", "constructor").named(Name::Own),
            closed("function", "fun").named(Name::Called),
            value("constant", "const val"),
            value("variable", "val|var"),
            value("type", "typealias"),
        ],
        modifiers: "public private protected internal abstract final open sealed data inner inline value enum annotation \
                    companion override suspend tailrec operator infix external const lateinit vararg expect actual noinline \
                    crossinline reified",
        attribute_marks: &["@"],
        path: &["."],
        anonymous: "companion",
        continued_by: "where by else catch finally",
        reserved: "if else for while do when try return throw",
        block_kind: "block",
        habits: &[Habit::Accessors, Habit::HeadConstructors],
        stops: &["="],
        ..NONE
    },
};

/// Swift.
pub static SWIFT: Lexis = Lexis {
    spans: &[
        span("#if", End::Line, What::Directive).only(When::FirstOnLine),
        span("#else", End::Line, What::Directive).only(When::FirstOnLine),
        span("#endif", End::Line, What::Directive).only(When::FirstOnLine),
        line("//"),
        nested("/*", "*/"),
        span("\"", End::Hashes, What::Literal).only(When::BehindPrefix(&[""])),
        text("\"\"\"", "\"\"\"").on_several_lines().with_holes(&["\\("]),
        string("\"").with_holes(&["\\("]),
        raw("`", "`"),
    ],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES_AND_LINES,
    declarations: Declarations {
        rules: &[
            import("import"),
            hidden("case|operator|precedencegroup"),
            open("class", "class"),
            open("actor", "actor"),
            open("struct", "struct"),
            open("enum", "enum"),
            open("protocol", "protocol"),
            open("extension", "extension"),
            closed("function", "func"),
            closed("constructor", "init").named(Name::Own),
            closed("method", "deinit|subscript").named(Name::Own),
            closed("macro", "macro"),
            closed("type", "typealias"),
            value("constant", "let"),
            value("variable", "var"),
        ],
        modifiers: "public private fileprivate internal package open static class final override mutating nonmutating lazy weak \
                    unowned required convenience dynamic optional indirect isolated nonisolated consuming borrowing prefix \
                    postfix infix distributed async unsafe",
        attributes: "public private fileprivate internal package unowned nonisolated",
        attribute_marks: &["@"],
        path: &["."],
        continued_by: "where throws rethrows async else catch",
        habits: &[Habit::Operators, Habit::Properties],
        ..NONE
    },
};

/// PHP.
pub static PHP: Lexis = Lexis {
    spans: &[
        rest("?>", "<?php"),
        span("//", End::LineOr("?>"), What::Comment),
        block("/*", "*/"),
        span("# ", End::LineOr("?>"), What::Comment),
        span("##", End::LineOr("?>"), What::Comment),
        span("#-", End::LineOr("?>"), What::Comment),
        span("#!", End::LineOr("?>"), What::Comment),
        span("<<<", End::Heredoc { spaced: true, lower: true, indented: true }, What::Literal),
        string("'").on_several_lines(),
        string("\"").on_several_lines().with_holes(&["{$"]),
        string("`").on_several_lines(),
    ],
    word: "$",
    is_case_blind: true,
    begins_behind: "<?php",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[
            import("use|require|require_once|include|include_once"),
            through("namespace|if|else|elseif"),
            open("class", "class"),
            open("interface", "interface"),
            open("trait", "trait"),
            open("enum", "enum"),
            closed("function", "function"),
            value("constant", "const"),
            open("test", "describe").named(Name::Title),
            closed("test", "it|test").named(Name::Title),
        ],
        modifiers: "abstract final public private protected static readonly var",
        attribute_marks: &["#["],
        path: &["\\"],
        continued_by: "extends implements",
        reserved: "for foreach while do switch case default return break continue throw try catch finally new echo print",
        ..NONE
    },
};

/// Dart.
pub static DART: Lexis = Lexis {
    spans: &[
        line("//"),
        nested("/*", "*/"),
        raw("'''", "'''").on_several_lines().only(When::BehindPrefix(&["r"])),
        raw("\"\"\"", "\"\"\"").on_several_lines().only(When::BehindPrefix(&["r"])),
        raw("'", "'").only(When::BehindPrefix(&["r"])),
        raw("\"", "\"").only(When::BehindPrefix(&["r"])),
        text("'''", "'''").on_several_lines().with_holes(&["${"]),
        text("\"\"\"", "\"\"\"").on_several_lines().with_holes(&["${"]),
        string("'").with_holes(&["${"]),
        string("\"").with_holes(&["${"]),
    ],
    word: "$",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[
            import("import|export|part"),
            hidden("library"),
            open("class", "class"),
            open("mixin", "mixin"),
            open("extension", "extension|extension type"),
            open("enum", "enum"),
            value("type", "typedef"),
            value("constant", "const|final").named(Name::Assignee),
            value("variable", "var|late").named(Name::Assignee),
            open("test", "group").named(Name::Title),
            closed("test", "test|testWidgets").named(Name::Title),
        ],
        functions: Functions::Typed { properties: true },
        modifiers: "abstract external factory static const final late covariant base sealed interface mixin",
        attribute_marks: &["@"],
        path: &["."],
        continued_by: "extends with implements on async sync native",
        reserved: "if else for while do switch case default return break continue throw rethrow try catch finally new await \
                   yield assert",
        habits: &[Habit::TestsInMain],
        ..NONE
    },
};

/// Zig.
pub static ZIG: Lexis = Lexis {
    spans: &[line("//"), span("\\\\", End::Line, What::Literal), string("\""), CHARACTER],
    word: "@",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[
            closed("function", "fn"),
            closed("test", "test").named(Name::Title),
            value("constant", "const"),
            value("variable", "var"),
            through("comptime|return struct|return enum|return union|return opaque"),
        ],
        values: &[
            open("struct", "struct"),
            open("enum", "enum"),
            open("union", "union"),
            open("opaque", "opaque"),
            closed("error", "error"),
            import("@import"),
        ],
        modifiers: "pub export extern inline noinline threadlocal packed comptime async",
        attributes: "packed",
        separated: "struct enum union opaque",
        typed_by: "error struct enum union",
        habits: &[Habit::TypeFunctions],
        ..NONE
    },
};

/// Groovy, and the build files of Gradle.
pub static GROOVY: Lexis = Lexis {
    spans: &[
        line("//"),
        block("/*", "*/"),
        text("'''", "'''").on_several_lines(),
        text("\"\"\"", "\"\"\"").on_several_lines().with_holes(&["${"]),
        string("'"),
        string("\"").with_holes(&["${"]),
        span("/", End::Regex, What::Literal).only(When::BeforeExpression { words: "return in case", commands: false }),
    ],
    word: "$",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES_AND_LINES,
    declarations: Declarations {
        rules: &[
            import("import"),
            hidden("package"),
            open("class", "class"),
            open("interface", "interface"),
            open("trait", "trait"),
            open("enum", "enum"),
            open("annotation", "@interface"),
            open("task", "task"),
        ],
        functions: Functions::Typed { properties: false },
        modifiers: "public private protected static abstract final native synchronized transient volatile default",
        block_kind: "block",
        ..JAVA.declarations
    },
};

/// D.
pub static D: Lexis = Lexis {
    spans: &[
        line("//"),
        block("/*", "*/"),
        nested("/+", "+/"),
        raw("`", "`").on_several_lines(),
        raw("\"", "\"").on_several_lines().only(When::BehindPrefix(&["r"])),
        string("\"").on_several_lines(),
        CHARACTER,
    ],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[
            import("import"),
            hidden("module"),
            open("class", "class"),
            open("interface", "interface"),
            open("struct", "struct"),
            open("union", "union"),
            open("template", "template"),
            closed("enum", "enum"),
            closed("test", "unittest").named(Name::Own),
            closed("constructor", "this|~this").named(Name::Own),
            value("type", "alias"),
            through("version|static if|static foreach|debug|else|private|public|protected|package|extern"),
        ],
        functions: Functions::Typed { properties: false },
        modifiers: "public private protected package export static abstract final override synchronized const immutable shared \
                    inout ref pure nothrow extern deprecated scope lazy __gshared mixin",
        attributes: "extern deprecated align package pragma",
        attribute_marks: &["@"],
        continued_by: "const immutable inout shared pure nothrow in out if do body return",
        labels: "public private protected package static",
        reserved: "if else for foreach foreach_reverse while do switch case default return break continue throw try catch \
                   finally new assert delete with",
        ..NONE
    },
};

/// Solidity.
pub static SOLIDITY: Lexis = Lexis {
    spans: &[line("//"), block("/*", "*/"), string("\""), string("'")],
    word: "$",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[
            import("import"),
            hidden("pragma|using"),
            open("contract", "contract"),
            open("interface", "interface"),
            open("library", "library"),
            closed("struct", "struct"),
            closed("enum", "enum"),
            closed("event", "event"),
            closed("error", "error"),
            closed("modifier", "modifier"),
            closed("function", "function"),
            closed("constructor", "constructor").named(Name::Own),
            closed("function", "receive|fallback").named(Name::Own),
            value("type", "type"),
        ],
        modifiers: "abstract",
        ..NONE
    },
};

/// Protocol Buffers.
pub static PROTO: Lexis = Lexis {
    spans: &[line("//"), block("/*", "*/"), string("\""), string("'")],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[
            import("import"),
            hidden("syntax|edition|package|option|oneof|reserved|extensions"),
            open("message", "message"),
            open("extension", "extend"),
            closed("enum", "enum"),
            open("service", "service"),
            closed("method", "rpc"),
        ],
        path: &["."],
        ..NONE
    },
};

/// GraphQL schemas and queries.
pub static GRAPHQL: Lexis = Lexis {
    spans: &[line("#"), text("\"\"\"", "\"\"\"").on_several_lines(), string("\"")],
    word: "@",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES_AND_LINES,
    declarations: Declarations {
        rules: &[
            closed("type", "type"),
            closed("interface", "interface"),
            closed("input", "input"),
            closed("enum", "enum"),
            closed("union", "union"),
            closed("scalar", "scalar"),
            closed("directive", "directive"),
            closed("schema", "schema").named(Name::Own),
            closed("query", "query"),
            closed("mutation", "mutation"),
            closed("subscription", "subscription"),
            closed("fragment", "fragment"),
        ],
        modifiers: "extend",
        attribute_marks: &[],
        continued_by: "implements on",
        ..NONE
    },
};

/// Terraform and other files in HashiCorp's configuration language.
pub static HCL: Lexis = Lexis {
    spans: &[
        line("#"),
        line("//"),
        block("/*", "*/"),
        span("<<", End::Heredoc { spaced: false, lower: true, indented: false }, What::Literal),
        string("\"").with_holes(&["${"]),
    ],
    word: "-",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES_AND_LINES,
    declarations: Declarations {
        rules: &[
            closed("resource", "resource").named(Name::Strings),
            closed("data", "data").named(Name::Strings),
            closed("module", "module").named(Name::Strings),
            closed("variable", "variable").named(Name::Strings),
            closed("output", "output").named(Name::Strings),
            closed("provider", "provider").named(Name::Strings),
            closed("block", "locals|terraform|moved|import|removed|check").named(Name::Strings),
        ],
        block_kind: "block",
        ..NONE
    },
};

/// The keyframes of an animation, by whichever maker of browsers.
const KEYFRAMES: Rule = closed("keyframes", "@keyframes|@-webkit-keyframes|@-moz-keyframes|@-o-keyframes").named(Name::Rest);

/// CSS.
pub static CSS: Lexis = Lexis {
    spans: &[block("/*", "*/"), string("\""), string("'")],
    word: "-",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES,
    declarations: Declarations {
        rules: &[import("@import|@charset|@use|@forward"), KEYFRAMES],
        block_kind: "rule",
        habits: &[Habit::Selectors],
        ..NONE
    },
};

/// SCSS and Less.
pub static SCSS: Lexis = Lexis {
    spans: &[
        line("//"),
        block("/*", "*/"),
        string("\""),
        string("'"),
        span("#{", End::Text { close: "}", to_the_end: false }, What::Literal),
        span("@{", End::Text { close: "}", to_the_end: false }, What::Literal),
        span("://", End::Here, What::Literal),
    ],
    word: "-$",
    declarations: Declarations {
        rules: &[
            import("@import|@charset|@use|@forward"),
            hidden("@return"),
            through("@include|@if|@else|@each|@for|@while"),
            KEYFRAMES,
            closed("mixin", "@mixin"),
            closed("function", "@function"),
        ],
        ..CSS.declarations
    },
    ..CSS
};

/// R.
pub static R: Lexis = Lexis {
    spans: &[line("#"), string("\"").on_several_lines(), string("'").on_several_lines(), raw("`", "`")],
    word: ".\\",
    is_case_blind: false,
    begins_behind: "",
    blocks: BRACES_AND_LINES,
    declarations: Declarations {
        rules: &[
            import("library|require"),
            closed("class", "setClass|setRefClass").named(Name::Title),
            closed("method", "setMethod|setGeneric|setValidity").named(Name::Title),
            closed("test", "test_that|describe|it").named(Name::Title),
            through("if|else"),
        ],
        values: &[closed("function", "function|\\"), closed("class", "R6Class|R6::R6Class|ggproto|setRefClass|setClass")],
        assignments: &["<-", "<<-", "="],
        path: &["::"],
        continued_by: "else",
        ..NONE
    },
};

/// PowerShell.
pub static POWERSHELL: Lexis = Lexis {
    spans: &[
        block("<#", "#>"),
        line("#"),
        span("@\"", End::Text { close: "\n\"@", to_the_end: false }, What::Literal),
        span("@'", End::Text { close: "\n'@", to_the_end: false }, What::Literal),
        string("\"").escaped(Escape::Byte(b'`')).on_several_lines().with_holes(&["$("]),
        string("'").escaped(Escape::Doubled).on_several_lines(),
        span("`", End::Next, What::Literal),
    ],
    word: "-$:",
    is_case_blind: true,
    begins_behind: "",
    blocks: BRACES_AND_LINES,
    declarations: Declarations {
        rules: &[
            import("using|import-module"),
            open("class", "class"),
            closed("enum", "enum"),
            closed("function", "function|filter|workflow|configuration"),
            open("test", "describe|context|inmodulescope").named(Name::Title),
            closed("test", "it").named(Name::Title),
            through("if|else|elseif|try|catch|finally|begin|process|end"),
        ],
        functions: Functions::Bare("class"),
        modifiers: "hidden static",
        attribute_marks: &["["],
        ..NONE
    },
};
