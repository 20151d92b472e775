//! Languages whose blocks are told in other ways.

use super::super::{Blocks, Lexis, Statements};
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

/// SQL, in the dialects people write.
pub static SQL: Lexis = Lexis {
    spans: &[
        line("--"),
        block("/*", "*/"),
        span("$", End::Tagged { open: b'$', close: b'$', last: b'$' }, What::Literal).only(When::NotBehindWord { unless: "as" }),
        string("'").escaped(Escape::Doubled).on_several_lines(),
        string("\"").escaped(Escape::Doubled),
        string("`").escaped(Escape::Doubled),
        raw("[", "]").only(When::NotBehindWord { unless: "" }),
    ],
    word: "@$#",
    is_case_blind: true,
    begins_behind: "",
    blocks: Blocks::Statements(Statements { delimited: Some(&SQL_DELIMITED), ..SQL_STATEMENTS }),
    declarations: SQL_DECLARATIONS,
};

/// The SQL of MySQL, as its own client reads it: `DELIMITER` says what ends a routine.
static SQL_DELIMITED: Lexis = Lexis {
    spans: &[
        line("--"),
        line("#"),
        block("/*", "*/"),
        string("'").on_several_lines(),
        string("\""),
        string("`").escaped(Escape::Doubled),
    ],
    word: "@",
    is_case_blind: true,
    begins_behind: "",
    blocks: Blocks::Statements(SQL_STATEMENTS),
    declarations: SQL_DECLARATIONS,
};

const SQL_DECLARATIONS: Declarations = Declarations {
    rules: &[
        closed("table", "create table|create foreign table"),
        closed("view", "create view|alter view"),
        closed("index", "create index|create index on"),
        closed("credential", "create credential|create database scoped credential"),
        closed("function", "create function|alter function|create aggregate"),
        closed("procedure", "create procedure|create proc|alter procedure|alter proc"),
        closed("package", "create package|create package body"),
        closed("trigger", "create trigger|alter trigger"),
        closed("event", "create event|create event session|create event trigger"),
        closed("type", "create type|create domain"),
        closed("schema", "create schema|create database"),
        closed("sequence", "create sequence"),
        closed("extension", "create extension"),
        closed("policy", "create policy"),
        closed("role", "create role|create user|create login"),
        closed("publication", "create publication|create subscription"),
        closed("server", "create server"),
        closed("synonym", "create synonym"),
        closed("task", "create task|create stage|create stream|create pipe"),
        closed("macro", "create macro"),
    ],
    modifiers: "or replace if not exists temp temporary global local unlogged unique clustered nonclustered concurrently \
                materialized recursive definer force editionable noneditionable external virtual fulltext spatial alter \
                constraint columnstore transient secure aggregate",
    path: &["."],
    stops: &["as", "begin", "end"],
    ..NONE
};

const SQL_STATEMENTS: Statements = Statements {
    routines: "function procedure trigger package event",
    heads_end: "is declare",
    begins: "begin",
    transactions: "tran transaction work distributed",
    begins_inside: "case",
    ends: "end",
    ends_of_others: "if loop while repeat for",
    changes: "alter",
    batch_ends: "go /",
    delimiter: "delimiter",
    delimited: None,
};
