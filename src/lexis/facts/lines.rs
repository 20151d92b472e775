//! Languages whose blocks are told by how far their lines are indented, whatever else marks them.

use super::super::{Blocks, Lexis, Lines};
#[allow(clippy::wildcard_imports, reason = "the facts are written in all of its words")]
use super::*;

/// Lines that nothing but their indentation tells apart, and `} else {`; the base of all others.
const LINES: Lines = Lines { joins: "", closers: "", middles: "", reopeners: "{", clauses: false, texts: "" };

/// Python.
pub static PYTHON: Lexis = Lexis {
    spans: &[
        line("#"),
        text("\"\"\"", "\"\"\"").on_several_lines(),
        text("'''", "'''").on_several_lines(),
        string("\""),
        string("'"),
        ESCAPED,
    ],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "([{", ..LINES }),
    declarations: Declarations {
        rules: &[import("import|from"), open("class", "class"), closed("function", "def"), value("type", "type")],
        assigned: Assigned::Names,
        modifiers: "async",
        attribute_marks: &["@"],
        reserved: "if elif else for while try except finally with return raise assert del global nonlocal pass break continue \
                   lambda yield await match case print",
        stops: &[":"],
        ..NONE
    },
};

/// Ruby.
pub static RUBY: Lexis = Lexis {
    spans: &[
        rest("=begin", "\n=end").only(When::AtLineStart),
        rest("__END__", "\n__").only(When::AtLineStart),
        line("#"),
        span("<<", End::Heredoc { spaced: false, lower: false, indented: false }, What::Literal),
        span("%", End::Pair("qQwWiIrsx"), What::Literal).only(When::NotBehindWord { unless: "" }),
        span("/", End::Regex, What::Literal).only(When::BeforeExpression { words: EXPRESSION_WORDS, commands: true }),
        span("?\"", End::Here, What::Literal).only(When::NotBehindWord { unless: "" }),
        span("?'", End::Here, What::Literal).only(When::NotBehindWord { unless: "" }),
        span("$\"", End::Here, What::Literal),
        span("$'", End::Here, What::Literal),
        string("\"").on_several_lines().with_holes(&["#{"]),
        string("'").on_several_lines(),
        string("`").with_holes(&["#{"]),
        ESCAPED,
    ],
    word: "?!@$",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "([{", closers: "end }", middles: "rescue ensure else elsif when in", ..LINES }),
    declarations: Declarations {
        rules: &[
            import("require|require_relative|load|autoload"),
            open("class", "class"),
            open("module", "module"),
            closed("method", "def"),
            open("test", "RSpec|describe|context|feature|shared_examples|shared_context").named(Name::Title),
            closed("test", "it|specify|test|scenario|should").named(Name::Title),
            open("namespace", "namespace").named(Name::Title),
            closed("task", "task").named(Name::Title),
        ],
        values: &[open("class", "Struct|Class|Data"), open("module", "Module")],
        assigned: Assigned::Capitals,
        modifiers: "private protected public private_class_method public_class_method module_function memoize helper_method",
        path: &[".", "::"],
        reserved: "if unless while until case for return begin else elsif end do then puts p raise yield super self",
        stops: &["do"],
        habits: &[Habit::Operators],
        ..NONE
    },
};

const EXPRESSION_WORDS: &str = "if unless while until case when and or not return in then do else elsif end";

/// Crystal.
pub static CRYSTAL: Lexis = Lexis {
    spans: &[
        line("#"),
        span("<<-", End::Heredoc { spaced: false, lower: true, indented: true }, What::Literal),
        span("%", End::Pair("qQwWirx"), What::Literal).only(When::NotBehindWord { unless: "" }),
        span("/", End::Regex, What::Literal).only(When::BeforeExpression { words: EXPRESSION_WORDS, commands: true }),
        string("\"").on_several_lines().with_holes(&["#{"]),
        CHARACTER,
        string("`").with_holes(&["#{"]),
    ],
    declarations: Declarations {
        rules: &[
            import("require"),
            open("class", "class"),
            open("struct", "struct"),
            open("module", "module"),
            open("enum", "enum"),
            open("lib", "lib"),
            open("annotation", "annotation"),
            closed("method", "def"),
            closed("macro", "macro"),
            closed("function", "fun"),
            value("type", "alias"),
            open("test", "describe|context").named(Name::Title),
            closed("test", "it|pending").named(Name::Title),
        ],
        values: &[],
        modifiers: "private protected abstract",
        ..RUBY.declarations
    },
    ..RUBY
};

/// Lua.
pub static LUA: Lexis = Lexis {
    spans: &[
        span("--[", End::LongBracket, What::Comment),
        line("--"),
        // A label, which is wherever its author likes it.
        line("::").only(When::FirstOnLine),
        span("[", End::LongBracket, What::Literal),
        string("\""),
        string("'"),
    ],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { closers: "end } )", middles: "else elseif until", ..LINES }),
    declarations: Declarations {
        rules: &[
            closed("function", "function"),
            open("test", "describe|context").named(Name::Title),
            closed("test", "it|test").named(Name::Title),
        ],
        values: &[closed("function", "function"), import("require")],
        modifiers: "local",
        path: &[".", ":"],
        reserved: "if for while repeat return else end do",
        stops: &["function", "return"],
        ..NONE
    },
};

/// Elixir.
pub static ELIXIR: Lexis = Lexis {
    spans: &[
        line("#"),
        text("\"\"\"", "\"\"\"").on_several_lines(),
        text("'''", "'''").on_several_lines(),
        span("~", End::Pair("sSrRcCwWDTNUHL"), What::Literal),
        span("?\\", End::Next, What::Literal).only(When::NotBehindWord { unless: "" }),
        span("?\"", End::Here, What::Literal).only(When::NotBehindWord { unless: "" }),
        span("?'", End::Here, What::Literal).only(When::NotBehindWord { unless: "" }),
        span("?#", End::Here, What::Literal).only(When::NotBehindWord { unless: "" }),
        string("\"").on_several_lines().with_holes(&["#{"]),
        string("'").on_several_lines().with_holes(&["#{"]),
    ],
    word: "?!@",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "([{", closers: "end", middles: "rescue catch else after", clauses: true, ..LINES }),
    declarations: Declarations {
        rules: &[
            import("import|alias|require|use"),
            open("module", "defmodule"),
            open("protocol", "defprotocol"),
            open("impl", "defimpl"),
            closed("function", "def|defp|defdelegate|defguard|defguardp"),
            closed("macro", "defmacro|defmacrop"),
            closed("struct", "defstruct").named(Name::Own),
            closed("exception", "defexception").named(Name::Own),
            closed("type", "@type|@typep|@opaque"),
            closed("callback", "@callback|@macrocallback"),
            open("test", "describe").named(Name::Title),
            closed("test", "test|property").named(Name::Title),
        ],
        path: &["."],
        reserved: "if unless case cond for with try receive",
        stops: &["do"],
        ..NONE
    },
};

/// Julia.
pub static JULIA: Lexis = Lexis {
    spans: &[
        nested("#=", "=#"),
        line("#"),
        text("\"\"\"", "\"\"\"").on_several_lines(),
        string("\"").on_several_lines(),
        CHARACTER,
        string("`").on_several_lines(),
    ],
    word: "!@.",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "([{", closers: "end", middles: "else elseif catch finally", ..LINES }),
    declarations: Declarations {
        rules: &[
            import("using|import|include"),
            open("module", "module|baremodule"),
            closed("struct", "struct|mutable struct"),
            closed("type", "abstract type|primitive type"),
            closed("function", "function"),
            closed("macro", "macro"),
            value("constant", "const"),
            open("test", "@testset").named(Name::Title),
        ],
        functions: Functions::Equations,
        modifiers: "@inline @noinline @generated @kwdef Base.@kwdef @enum",
        flat: "module",
        stops: &["begin", "for"],
        habits: &[Habit::Operators],
        ..NONE
    },
};

/// Nim.
pub static NIM: Lexis = Lexis {
    spans: &[
        nested("##[", "]##"),
        nested("#[", "]#"),
        line("#"),
        raw("\"\"\"", "\"\"\"").on_several_lines(),
        string("\""),
        CHARACTER,
        raw("`", "`"),
    ],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "([{", middles: "else elif except finally of", ..LINES }),
    declarations: Declarations {
        rules: &[
            import("import|from|include|export"),
            closed("function", "proc|func|iterator|converter"),
            closed("method", "method"),
            closed("macro", "macro|template"),
            value("type", "type"),
            value("constant", "const"),
            value("variable", "let|var"),
            open("test", "suite").named(Name::Title),
            closed("test", "test").named(Name::Title),
        ],
        stops: &["="],
        habits: &[Habit::Groups],
        ..NONE
    },
};

/// Haskell.
pub static HASKELL: Lexis = Lexis {
    spans: &[DIRECTIVE, nested("{-", "-}"), line("--"), string("\""), CHARACTER.only(When::NotBehindWord { unless: "" })],
    word: "'",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "([{", clauses: true, ..LINES }),
    declarations: Declarations {
        rules: &[
            import("import"),
            hidden("module|deriving|infixl|infixr|infix|default"),
            open("class", "class").named(Name::Rest),
            closed("instance", "instance").named(Name::Rest),
            closed("data", "data|newtype"),
            closed("type", "type|pattern"),
            closed("foreign", "foreign import|foreign export").named(Name::Rest),
        ],
        functions: Functions::Annotated,
        modifiers: "family ccall capi unsafe safe",
        continued_by: "where",
        stops: &["=", "where", "|"],
        ..NONE
    },
};

/// OCaml.
pub static OCAML: Lexis = Lexis {
    spans: &[
        nested("(*", "*)"),
        span("{", End::Tagged { open: b'|', close: b'|', last: b'}' }, What::Literal),
        string("\"").on_several_lines(),
        CHARACTER,
    ],
    word: "'%",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines {
        joins: "([{",
        closers: "end ) }",
        middles: "with in",
        reopeners: "struct sig object begin",
        ..LINES
    }),
    declarations: Declarations {
        rules: &[
            import("open|include"),
            open("module", "module|module type|module rec"),
            closed("constant", "let|let rec").named(Name::Binding),
            closed("and", "and"),
            closed("type", "type"),
            closed("value", "val|external"),
            closed("exception", "exception"),
            open("class", "class|class type|class virtual"),
            closed("method", "method"),
        ],
        modifiers: "rec nonrec private virtual mutable inline",
        path: &["."],
        stops: &["="],
        ..NONE
    },
};

/// F#.
pub static FSHARP: Lexis = Lexis {
    spans: &[
        span("(*)", End::Here, What::Literal),
        nested("(*", "*)"),
        line("//"),
        raw("\"\"\"", "\"\"\"").on_several_lines(),
        text("@\"", "\"").escaped(Escape::Doubled).on_several_lines(),
        string("\"").on_several_lines(),
        CHARACTER,
        raw("``", "``"),
    ],
    word: "'",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "([{", closers: "end ) } ] |", middles: "with", ..LINES }),
    declarations: Declarations {
        rules: &[
            import("open"),
            hidden("namespace"),
            open("module", "module"),
            open("type", "type"),
            closed("constant", "let|let rec").named(Name::Binding),
            closed("and", "and"),
            closed("method", "member|override|abstract|default").named(Name::Part),
            closed("constructor", "new").named(Name::Own),
            closed("exception", "exception"),
        ],
        modifiers: "rec inline mutable private internal public static member val abstract",
        attribute_marks: &["["],
        path: &["."],
        flat: "module",
        stops: &["="],
        ..NONE
    },
};

/// Scala.
pub static SCALA: Lexis = Lexis {
    spans: &[line("//"), nested("/*", "*/"), raw("\"\"\"", "\"\"\"").on_several_lines(), string("\""), CHARACTER, raw("`", "`")],
    word: "$",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "([", closers: "end } )", middles: "else catch finally", reopeners: "{ =", ..LINES }),
    declarations: Declarations {
        rules: &[
            import("import"),
            hidden("package"),
            open("class", "class"),
            open("object", "object|package object"),
            open("trait", "trait"),
            open("enum", "enum"),
            open("extension", "extension").named(Name::Own),
            closed("given", "given"),
            closed("function", "def"),
            value("constant", "val"),
            value("variable", "var"),
            closed("type", "type"),
            closed("test", "test|property|it|scenario").named(Name::Title),
            open("test", "describe|feature").named(Name::Title),
            open("test", "should|when|must|can|that|which").named(Name::Sentence),
            closed("test", "in|ignore").named(Name::Sentence),
        ],
        modifiers: "abstract final sealed implicit lazy override private protected case inline transparent infix open opaque into erased",
        attribute_marks: &["@"],
        path: &["."],
        continued_by: "extends with derives",
        stops: &["=", "{"],
        habits: &[Habit::Operators],
        ..NONE
    },
};

/// Perl.
pub static PERL: Lexis = Lexis {
    spans: &[
        rest("=", "\n=cut").only(When::AtLineStartBeforeLetter),
        rest("__END__", "\n__END__").only(When::AtLineStart),
        rest("__DATA__", "\n__END__").only(When::AtLineStart),
        line("#").only(When::Apart),
        span("<<", End::Heredoc { spaced: false, lower: false, indented: false }, What::Literal),
        ESCAPED,
        span("qq", End::Pair(""), What::Literal).only(When::NotBehindWord { unless: "" }),
        span("qw", End::Pair(""), What::Literal).only(When::NotBehindWord { unless: "" }),
        span("q", End::Pair(""), What::Literal).only(When::NotBehindWord { unless: "" }),
        string("\""),
        string("'").only(When::NotBehindWord { unless: "" }),
    ],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "(", closers: "} )", ..LINES }),
    declarations: Declarations {
        rules: &[
            import("use|require|no"),
            open("module", "package"),
            open("class", "class"),
            closed("function", "sub|method"),
            value("constant", "use constant"),
        ],
        modifiers: "my our async",
        path: &["::"],
        flat: "module",
        stops: &["{", ";"],
        ..NONE
    },
};

/// The shells that descend from Bourne's.
pub static SHELL: Lexis = Lexis {
    spans: &[
        line("#").only(When::Apart),
        ESCAPED,
        span("<<<", End::Here, What::Literal),
        span("<<", End::Heredoc { spaced: true, lower: true, indented: false }, What::Literal),
        text("$'", "'").on_several_lines(),
        raw("'", "'").on_several_lines(),
        string("\"").on_several_lines().with_holes(&["$(", "${"]),
    ],
    word: "-.:@",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { closers: "} )", ..LINES }),
    declarations: Declarations {
        rules: &[
            import("source|."),
            closed("function", "function"),
            closed("alias", "alias"),
            closed("test", "@test").named(Name::Title),
        ],
        functions: Functions::Commands,
        assigned: Assigned::Capitals,
        modifiers: "export readonly declare typeset local -a -A -r -x -i -g -aA -ar -Ar -ra -rA -rx -gA -ga -gx",
        reserved: "if then else elif fi for while until do done case esac",
        stops: &["{", "="],
        ..NONE
    },
};

/// Erlang.
pub static ERLANG: Lexis = Lexis {
    spans: &[
        line("%"),
        span("$\\", End::Next, What::Literal),
        span("$\"", End::Here, What::Literal),
        span("$'", End::Here, What::Literal),
        span("$%", End::Here, What::Literal),
        text("\"\"\"", "\"\"\"").on_several_lines(),
        string("\"").on_several_lines(),
        string("'"),
    ],
    word: "@",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "([{", middles: "end", clauses: true, ..LINES }),
    declarations: Declarations {
        rules: &[
            import("-include|-include_lib|-import"),
            hidden("-module|-export|-spec|-compile|-behaviour|-export_type"),
            closed("record", "-record").named(Name::Argument),
            closed("macro", "-define").named(Name::Argument),
            closed("type", "-type|-opaque"),
            closed("callback", "-callback"),
        ],
        functions: Functions::Clauses,
        stops: &["->", "when"],
        ..NONE
    },
};

/// Makefiles.
pub static MAKE: Lexis = Lexis {
    spans: &[line("#").only(When::Apart), ESCAPED],
    word: "-.",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "(", closers: "endef", ..LINES }),
    declarations: Declarations {
        rules: &[
            import("include|-include|sinclude"),
            closed("macro", "define"),
            hidden("ifeq|ifneq|ifdef|ifndef|else|endif|vpath|undefine"),
        ],
        functions: Functions::Labels { kind: "target", nested: false },
        assigned: Assigned::Names,
        assignments: &["=", ":=", "?=", "::="],
        modifiers: "export override private",
        habits: &[Habit::Verbatim],
        ..NONE
    },
};

/// CMake.
pub static CMAKE: Lexis = Lexis {
    spans: &[
        span("#[", End::LongBracket, What::Comment),
        line("#"),
        span("[", End::LongBracket, What::Literal),
        string("\"").on_several_lines(),
    ],
    word: "-",
    is_case_blind: true,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "(", closers: "endfunction endmacro", ..LINES }),
    declarations: Declarations {
        rules: &[
            import("include|find_package"),
            closed("function", "function").named(Name::Argument),
            closed("macro", "macro").named(Name::Argument),
            closed("project", "project").named(Name::Argument),
            closed("target", "add_library|add_executable|add_custom_target").named(Name::Argument),
            value("variable", "set|option").named(Name::Argument),
        ],
        ..NONE
    },
};

/// YAML: keys of two levels.
pub static YAML: Lexis = Lexis {
    spans: &[
        line("#").only(When::Apart),
        string("\"").only(When::NotBehindWord { unless: "" }),
        raw("'", "'").only(When::NotBehindWord { unless: "" }),
    ],
    word: "./",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "[{", texts: "|>", ..LINES }),
    declarations: Declarations { functions: Functions::Labels { kind: "key", nested: true }, ..NONE },
};

/// Visual Basic.
pub static VISUAL_BASIC: Lexis = Lexis {
    spans: &[DIRECTIVE, line("'"), string("\"").escaped(Escape::Doubled)],
    word: "",
    is_case_blind: true,
    begins_behind: "",
    blocks: Blocks::Lines(Lines { joins: "({", closers: "end", middles: "else elseif case catch finally get set", ..LINES }),
    declarations: Declarations {
        rules: &[
            import("imports"),
            hidden("option|attribute"),
            open("module", "namespace|module"),
            open("class", "class"),
            open("struct", "structure"),
            open("interface", "interface"),
            closed("enum", "enum"),
            closed("function", "sub|function|declare sub|declare function"),
            closed("property", "property"),
            closed("operator", "operator"),
            closed("event", "event|custom event"),
            closed("type", "type|delegate sub|delegate function"),
            value("constant", "const"),
        ],
        modifiers: "public private protected friend shared overridable overrides mustoverride mustinherit notinheritable partial \
                    readonly writeonly shadows static async iterator default overloads withevents ptrsafe",
        attribute_marks: &["<"],
        path: &["."],
        habits: &[Habit::Operators],
        ..NONE
    },
};
