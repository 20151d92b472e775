//! Languages whose blocks are told in other ways.

use super::super::{Blocks, Lexis};
#[allow(clippy::wildcard_imports, reason = "the facts are written in all of its words")]
use super::*;

/// Clojure.
pub static CLOJURE: Lexis = Lexis {
    spans: &[line(";"), ESCAPED, string("\"").on_several_lines()],
    word: "-+*/<>=!?&.%$:'",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lists,
    declarations: Declarations {
        rules: &[
            closed("function", "defn|defn-"),
            closed("macro", "defmacro"),
            closed("constant", "def|defonce|def-"),
            closed("method", "defmethod"),
            closed("multimethod", "defmulti"),
            closed("protocol", "defprotocol|definterface"),
            closed("record", "defrecord"),
            closed("type", "deftype"),
            closed("spec", "s/def|s/fdef"),
            closed("test", "deftest|defspec"),
        ],
        ..NONE
    },
};

/// Common Lisp, Emacs Lisp, Scheme and Racket.
pub static LISP: Lexis = Lexis {
    spans: &[line(";"), nested("#|", "|#"), ESCAPED, string("\"").on_several_lines()],
    word: "-+*/<>=!?&.%$:@^~",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Lists,
    declarations: Declarations {
        rules: &[
            import("require|use-package|import"),
            closed("function", "defun|defsubst|cl-defun|define|define*|define-public|defun*|defalias|define-inline"),
            closed("macro", "defmacro|cl-defmacro|define-syntax|define-syntax-rule|define-macro|define-compiler-macro"),
            closed("method", "defmethod|cl-defmethod"),
            closed("generic", "defgeneric|cl-defgeneric"),
            closed("class", "defclass|define-class|defstruct|cl-defstruct|define-record-type|struct|define-condition"),
            closed("variable", "defvar|defvar-local|defparameter|defcustom|defface|defgroup"),
            closed("constant", "defconst|defconstant"),
            closed("mode", "define-minor-mode|define-derived-mode|define-globalized-minor-mode"),
            closed("test", "ert-deftest|deftest|test-case"),
            closed("package", "defpackage|define-module"),
        ],
        ..NONE
    },
};

/// TOML: sections, and the keys that stand before the first.
pub static TOML: Lexis = Lexis {
    spans: &[
        line("#"),
        text("\"\"\"", "\"\"\"").on_several_lines(),
        raw("'''", "'''").on_several_lines(),
        string("\""),
        raw("'", "'"),
    ],
    word: "-",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Sections,
    declarations: NONE,
};

/// INI files and what is written like them.
pub static INI: Lexis = Lexis {
    spans: &[line("#").only(When::FirstOnLine), line(";").only(When::FirstOnLine)],
    word: "-.",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Sections,
    declarations: Declarations { habits: &[Habit::Continuations], ..NONE },
};

/// Dockerfiles: a section for each stage.
pub static DOCKERFILE: Lexis = Lexis {
    spans: &[
        line("#").only(When::FirstOnLine),
        ESCAPED,
        span("<<", End::Heredoc { spaced: false, lower: true, indented: false }, What::Literal),
    ],
    word: "-./:",
    is_case_blind: true,
    begins_behind: "",
    blocks: Blocks::Sections,
    declarations: Declarations { rules: &[closed("stage", "from").named(Name::Rest)], ..NONE },
};

/// Components in files of their own, as those of Vue and Svelte.
pub static COMPONENT: Lexis = Lexis {
    spans: &[],
    word: "",
    is_case_blind: false,
    begins_behind: "",
    blocks: Blocks::Elements { script: &TYPESCRIPT },
    declarations: NONE,
};
