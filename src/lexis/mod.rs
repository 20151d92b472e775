//! How texts of a language are written: what is a comment or a string in them, what a word is, how blocks are marked, and
//! which words declare something.
//!
//! These are the facts that can be told without a grammar. [`scan`] reads a text by them, at several hundred megabytes a
//! second; the declaration lines ([`crate::outline::declarations`]) find what a text declares. The facts themselves stand
//! in [`facts`], a constant for each language.

pub mod facts;
pub mod scan;
mod span;

/// How a language is written.
#[derive(Debug)]
pub struct Lexis {
    /// Stretches of text in which nothing counts, in the order in which they are tried: at most [`Self::MAX_SPANS`].
    pub spans: &'static [Span],
    /// What a word may hold besides ASCII letters, digits, `_` and everything beyond ASCII.
    pub word: &'static str,
    /// Whether `End` is the same word as `end`.
    pub is_case_blind: bool,
    /// What stands before the first of these is no code: `<?php`. Empty where all is.
    pub begins_behind: &'static str,
    /// How statements and blocks are told apart.
    pub blocks: Blocks,
    /// What declares something.
    pub declarations: Declarations,
}

/// A comment, a string, or anything else that is read as one piece.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// How it begins.
    pub open: &'static str,
    /// What must stand before it.
    pub when: When,
    /// How it ends.
    pub end: End,
    /// What it is.
    pub what: What,
}

/// What a [`Span`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Might as well not be there.
    Comment,
    /// A string, a character, a regular expression.
    Literal,
    /// A line for a preprocessor.
    Directive,
}

/// What must stand before a [`Span`], so that it is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Anything.
    Always,
    /// No word, and no closing bracket: `don't` and `1'000` have no strings in them.
    NotBehindWord {
        /// Words behind which it may begin nevertheless.
        unless: &'static str,
    },
    /// White space, or what ends a command; or the beginning.
    Apart,
    /// The beginning of a line.
    AtLineStart,
    /// The beginning of a line, and a letter behind it.
    AtLineStartBeforeLetter,
    /// Nothing but white space on its line.
    FirstOnLine,
    /// One of these prefixes, and perhaps `#` marks between; an empty one needs some.
    BehindPrefix(&'static [&'static str]),
    /// What an expression may begin behind: else `/` divides.
    BeforeExpression {
        /// The words behind which one begins.
        words: &'static str,
        /// Whether a name may be a command, with an expression behind it: `puts /x/`.
        commands: bool,
    },
}

/// How a [`Span`] ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Where it begins: it only keeps its bytes from meaning something else.
    Here,
    /// Behind the byte that follows.
    Next,
    /// Before the end of the line.
    Line,
    /// Before the end of the line, or before this text if that comes first.
    LineOr(&'static str),
    /// Before the end of the line, if that has no backslash before it.
    Directive,
    /// Behind this text.
    Text {
        /// The text.
        close: &'static str,
        /// Whether the rest of the file belongs to it where the text does not come.
        to_the_end: bool,
    },
    /// Behind this text, and there may be spans of the same kind inside.
    Nested(&'static str),
    /// Behind a closing quote.
    Quote(Quote),
    /// Behind the next `'`, if that comes at once: else this is no character, but a lifetime or the like.
    Character,
    /// Behind a `"` and as many `#` as stand before the first.
    Hashes,
    /// Behind as many quotes as it began with.
    Quotes,
    /// `[==[` ends with `]==]`; `open` is what stands before, and the first bracket.
    LongBracket,
    /// `R"x(` ends with `)x"`.
    Delimited,
    /// `$x$` ends with `$x$`, `{x|` with `|x}`.
    Tagged {
        /// What stands behind the tag.
        open: u8,
        /// What stands before it at the end.
        close: u8,
        /// What stands behind it at the end.
        last: u8,
    },
    /// At a line that holds only the word that follows `open`.
    Heredoc {
        /// Whether white space may stand between `open` and the word.
        spaced: bool,
        /// Whether a word without quotes may have small letters.
        lower: bool,
        /// Whether the last line may be indented without being asked for.
        indented: bool,
    },
    /// Behind the mate of the bracket, or the second of the mark, that follows `open` and at most one of these letters.
    Pair(&'static str),
    /// Behind the next `/` that is in no `[]`, and its flags.
    Regex,
}

/// A string between quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quote {
    /// The closing quote.
    pub close: &'static str,
    /// What keeps a quote from closing.
    pub escape: Escape,
    /// Whether it may have several lines. One that may not, and is not closed on its line, is no string at all.
    pub has_lines: bool,
    /// How code inside begins: it ends with the bracket's mate. All begin with the same byte.
    pub holes: &'static [&'static str],
}

/// What keeps a quote from closing a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// Nothing.
    None,
    /// This byte before it.
    Byte(u8),
    /// A second one behind it.
    Doubled,
}

/// How statements and blocks are told apart.
#[derive(Debug, Clone, Copy)]
pub enum Blocks {
    /// By braces.
    Braces {
        /// Whether the end of a line ends a statement, unless something says that it goes on.
        newline_ends: bool,
    },
    /// By how far lines are indented.
    Lines(Lines),
    /// Every bracket at the beginning of a line begins a list, which is one declaration.
    Lists,
    /// By headings: each reaches to the next.
    Sections,
    /// By what ends statements.
    Statements(Statements),
    /// By tags.
    Elements {
        /// How the scripts are written.
        script: &'static Lexis,
    },
}

/// Blocks that are told by how far their lines are indented, whatever else marks them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// Brackets inside which a line's end is none.
    pub joins: &'static str,
    /// Words and brackets that end a block on a line of their own.
    pub closers: &'static str,
    /// Words that go on with a block, and are no further in than its head.
    pub middles: &'static str,
    /// Words and brackets at the end of a closing line with which the block goes on.
    pub reopeners: &'static str,
    /// Whether neighbouring functions of the same name are one.
    pub clauses: bool,
    /// Marks which at the end of a line say that the lines further in are text: `run: |`
    pub texts: &'static str,
}

/// Statements that a semicolon ends, some of which hold statements. Words count in whatever letters.
#[derive(Debug, Clone, Copy)]
pub struct Statements {
    /// Declarations of these kinds hold statements.
    pub routines: &'static str,
    /// Words behind which no more of a routine's signature comes.
    pub heads_end: &'static str,
    /// Words that begin what a routine holds, and blocks in that.
    pub begins: &'static str,
    /// Words behind these on their line with which they begin no block: `begin transaction`.
    pub transactions: &'static str,
    /// Words that begin a block only inside of one.
    pub begins_inside: &'static str,
    /// Words that end a block.
    pub ends: &'static str,
    /// Words behind these on their line with which they end what no word has begun: `end if`.
    pub ends_of_others: &'static str,
    /// Words with which a statement declares something only if it has a body: `alter procedure`.
    pub changes: &'static str,
    /// Lines that end whatever stands before them.
    pub batch_ends: &'static str,
    /// The word of a line that says what ends statements from there on.
    pub delimiter: &'static str,
    /// How a text is written that has such a line.
    pub delimited: Option<&'static Lexis>,
}

/// What declares something.
#[derive(Debug, Clone, Copy)]
pub struct Declarations {
    /// Declarations that begin with words.
    pub rules: &'static [Rule],
    /// What makes more than a value of the name it is assigned to: `x = function`, `const X = struct`, `type X struct`.
    pub values: &'static [Rule],
    /// What lines for a preprocessor declare, by the word behind the mark.
    pub directives: &'static [Rule],
    /// Functions that are told by their shape.
    pub functions: Functions,
    /// What is assigned without a word before it.
    pub assigned: Assigned,
    /// Words that may stand before a declaration, and between its words.
    pub modifiers: &'static str,
    /// The same, with something in parentheses behind them.
    pub attributes: &'static str,
    /// How attributes begin that stand before a declaration and are no part of it: `@`, `#[`, `[`.
    pub attribute_marks: &'static [&'static str],
    /// What joins words to one name: `::`, `.`
    pub path: &'static [&'static str],
    /// Modifiers that name what has no name of its own.
    pub anonymous: &'static str,
    /// What assigns.
    pub assignments: &'static [&'static str],
    /// Declarations of these kinds have members that commas set apart.
    pub separated: &'static str,
    /// The kind of whatever has a block at the outermost level, or in one of that kind; empty where it has no row.
    pub block_kind: &'static str,
    /// Declarations of these kinds hold what follows them, up to the next or to the end.
    pub flat: &'static str,
    /// What else is true of its declarations.
    pub habits: &'static [Habit],
    /// Words with which a statement goes on, or which may follow the parentheses of a function.
    pub continued_by: &'static str,
    /// Words with which statements begin that declare nothing.
    pub reserved: &'static str,
    /// Words that with a colon are no more than a label: `public:`
    pub labels: &'static str,
    /// Words whose braces belong to a type, not to what it is the type of.
    pub typed_by: &'static str,
    /// Signatures end before these.
    pub stops: &'static [&'static str],
}

/// What is true of the declarations of some languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    /// The accessors of a property stand on lines of their own behind it.
    Accessors,
    /// A line that is further in than the key before it goes on with its value.
    Continuations,
    /// A type without a body is declared elsewhere.
    ForwardTypes,
    /// Several declarations may stand in parentheses, or further in, behind one word.
    Groups,
    /// The constructor of a class may stand in its head, and begin a line there.
    HeadConstructors,
    /// Marks can be names: `func ==(…)`.
    Operators,
    /// Heads of a function without a body may stand before the one that has it.
    OverloadHeads,
    /// A variable with a block is a property.
    Properties,
    /// What has a block may be any text: `a:hover {`.
    Selectors,
    /// Tests stand in the function `main`.
    TestsInMain,
    /// A function that returns a `type` has the members of that.
    TypeFunctions,
    /// A macro holds whatever stands before its closing word.
    Verbatim,
}

/// A declaration that begins with words.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The kind of its rows.
    pub kind: &'static str,
    /// The words; several that mean the same are set apart by `|`. Modifiers may stand between two words.
    pub words: &'static str,
    /// What follows.
    pub body: Body,
    /// Where its name is.
    pub name: Name,
}

/// What follows the head of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// Declarations, which are listed.
    Members,
    /// What is not listed.
    Closed,
    /// A value. It is listed at the outermost level and in modules only.
    Value,
    /// It stands alone, and folds with its neighbours.
    Import,
    /// Declarations, which are listed as if the head were not there; it has no row.
    Through,
    /// Nothing of it is listed.
    Hidden,
}

/// Where the name of a declaration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Name {
    /// The next word, with what is joined to it.
    Next,
    /// The next word, which something is assigned to.
    Assigned,
    /// The last word before what is assigned.
    Assignee,
    /// The last word before what a type is derived from.
    Last,
    /// The word before the first parenthesis.
    Called,
    /// All of the rest.
    Rest,
    /// The strings that follow, joined by a dot; else the word of the rule.
    Strings,
    /// The next word; what is more than a name makes it a function.
    Binding,
    /// The last part of the next word and what is joined to it: `this.Name`
    Part,
    /// The first word in the parentheses that follow.
    Argument,
    /// The string that follows, in parentheses or not; else the next word.
    Title,
    /// All that stands before the word, a string among it: `"a list" should "be sorted" in {`
    Sentence,
    /// The word of the rule.
    Own,
}

/// Functions that are told by their shape: a name, parentheses and a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Functions {
    /// None are: a word says so.
    None,
    /// A type stands before the name.
    Typed {
        /// Whether a name with a body and without parentheses is a property.
        properties: bool,
    },
    /// A type stands before the name, or a sign before the type, and words with colons behind it.
    Messages,
    /// Nothing need stand before the name, in declarations of these kinds.
    Bare(&'static str),
    /// Nothing need stand before the name, at the outermost level.
    Commands,
    /// `name ::` says so.
    Annotated,
    /// A name with parentheses at the beginning of a line.
    Clauses,
    /// `name(…) = …`
    Equations,
    /// `name:`
    Labels {
        /// The kind of its rows.
        kind: &'static str,
        /// Whether one level of names inside is listed too.
        nested: bool,
    },
}

/// What is assigned without a word before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assigned {
    /// Nothing that is listed, except for functions and the like.
    Nothing,
    /// Names at the outermost level.
    Names,
    /// Names that begin with a capital letter, wherever types are.
    Capitals,
}

impl Rule {
    /// Whether it is begun by a word, or goes on with it.
    pub fn has_word(&self, word: &[u8]) -> bool {
        self.words.as_bytes().split(|byte| matches!(byte, b'|' | b' ')).any(|known| known == word)
    }
}

/// Whether a word is in a list of [`Declarations`], such as its modifiers.
pub fn is_among(words: &str, word: &[u8]) -> bool {
    words.as_bytes().split(|byte| *byte == b' ').any(|known| known == word)
}

impl Declarations {
    /// Whether there is a rule with a word of which this is true.
    pub fn has_rule(&self, word: &[u8], is_wanted: impl Fn(&Rule) -> bool) -> bool {
        self.rules.iter().any(|rule| is_wanted(rule) && rule.has_word(word))
    }

    /// Whether something is true of them.
    pub fn has(&self, habit: Habit) -> bool {
        self.habits.contains(&habit)
    }
}

impl Lexis {
    /// How many spans a language may have.
    pub const MAX_SPANS: usize = 20;
}
