//! Tree-sitter queries, read and matched by stk itself.
//!
//! `tree_sitter::Query` scans a grammar's whole parse table each time one is built: 1 ms for Go, 14 for C++, in every
//! new process. The hook is a new process for each Read, so stk reads the `.scm` text on its own (some microseconds,
//! `read`) and tries at each node only the patterns that are rooted in its kind (`matching`). The language is
//! tree-sitter's own, and `tree_sitter::Query` is the oracle that the tests hold this module against; what it cannot
//! read it refuses with file, line and column, and never guesses.

mod error;
mod kinds;
mod matching;
mod predicate;
mod read;

pub use error::QueryError;
pub use matching::{Capture, MAX_STACK, Matcher, Visitor};

use std::sync::{Mutex, PoisonError};

use kinds::Kinds;
use predicate::Predicate;

/// Index of a node kind in its grammar.
type KindId = u16;
/// Index of a field in its grammar; 0 is no field.
type FieldId = u16;

/// A query file, resolved against one grammar.
pub struct Query<'q> {
    patterns: Vec<Pattern<'q>>,
    /// For each kind of the grammar, and last for `ERROR`, the patterns whose first node may be of that kind, in file order.
    rooted: Vec<Vec<u16>>,
    /// Patterns whose first node may be of any kind.
    rooted_anywhere: Vec<u16>,
    /// Whether one says in which field a node at its top is, `((comment) body: (block))`.
    names_fields_at_top: bool,
}

/// One pattern of a query file.
struct Pattern<'q> {
    /// Byte offset of the pattern in the query text.
    at: usize,
    /// The nodes at its top: one, or several siblings in a group.
    steps: Vec<Step>,
    predicates: Vec<Predicate<'q>>,
    captures: Vec<CaptureName<'q>>,
}

/// What a capture's name says about the node it stands on: the vocabulary of `queries/README.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `@definition.KIND`: this node is one row of that kind.
    Definition(&'static str),
    /// `@name`: the row's name.
    Name,
    /// `@body`: the signature stops here, and nothing inside is listed.
    Body,
    /// `@members`: the signature stops here, and what is inside is listed.
    Members,
    /// `@import`: a row that folds with its neighbours.
    Import,
    /// `@attribute`: stands above a declaration, and is no part of it.
    Attribute,
    /// `@whole`: a row right inside this node is all of this node.
    Whole,
    /// `@prototype`: the row declares what is defined elsewhere, and is listed in header files only.
    Prototype,
    /// `@overload`: the row is the head of an overload, and is left out where the function itself follows.
    Overload,
    /// `@injection.content`: text that the grammar leaves unread.
    Content,
    /// `@_anything`, `@doc`, `@ignore`, `@reference.*`, `@local.*`: for predicates, or for other tools.
    Ignored,
}

struct CaptureName<'q> {
    name: &'q str,
    role: Role,
}

impl Role {
    /// What may be captured, for messages.
    const WORDS: &'static str = "@definition.KIND, @name, @body, @members, @import, @attribute, @overload, @prototype, @whole, \
        @injection.content, @_anything, @doc, @ignore, @reference.*, @local.*";

    fn of(capture: &str) -> Option<Self> {
        Some(match capture {
            "name" => Self::Name,
            "body" => Self::Body,
            "members" => Self::Members,
            "import" => Self::Import,
            "attribute" => Self::Attribute,
            "overload" => Self::Overload,
            "whole" => Self::Whole,
            "prototype" => Self::Prototype,
            "injection.content" => Self::Content,
            // `@module` stands, beside `@definition.module`, in the tags.scm of C#.
            "doc" | "ignore" | "module" => Self::Ignored,
            _ if capture.starts_with('_') => Self::Ignored,
            _ => match capture.split_once('.')? {
                ("definition", kind) if !kind.is_empty() => Self::Definition(interned(kind)),
                ("reference" | "local", _) => Self::Ignored,
                _ => return None,
            },
        })
    }
}

/// A kind that outlives its query. The words of the built-in queries are few; one of a user's own is kept for good.
fn interned(kind: &str) -> &'static str {
    const KINDS: [&str; 18] = [
        "class",
        "constant",
        "constructor",
        "enum",
        "field",
        "function",
        "impl",
        "interface",
        "macro",
        "method",
        "module",
        "property",
        "struct",
        "test",
        "trait",
        "type",
        "union",
        "variable",
    ];
    static OTHERS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    if let Some(known) = KINDS.iter().find(|known| **known == kind) {
        return known;
    }
    let mut others = OTHERS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = others.iter().find(|known| **known == kind) {
        return known;
    }
    others.push(Box::leak(kind.into()));
    others[others.len() - 1]
}

/// One element of a pattern: a node, a choice or a group, with how often it stands there.
#[derive(Clone)]
struct Step {
    shape: Shape,
    field: FieldId,
    /// An anchor `.` stands before it: no named sibling between the one before and this.
    immediate: bool,
    quantifier: Quantifier,
    /// Indices into [`Pattern::captures`].
    captures: Vec<u8>,
    /// Where an element without captures fits at several siblings, the first leaves most to those that follow, and is
    /// enough; only captures, or an anchor behind it, make the others count.
    is_tried_everywhere: bool,
    /// A bare `_`, which fits tokens too, with an anchor behind it: that means the very next sibling.
    is_any_token_before_anchor: bool,
}

#[derive(Clone)]
enum Shape {
    Node(NodeShape),
    /// `[a b]`: one of them.
    Choice(Vec<Step>),
    /// `(a b)` of nodes: siblings in this order.
    Group(Vec<Step>),
}

#[derive(Clone)]
struct NodeShape {
    test: Test,
    children: Vec<Step>,
    without_fields: Vec<FieldId>,
    /// An anchor `.` stands after the last child: no named sibling follows it.
    ends_with_anchor: bool,
}

/// Which nodes match, their children apart.
#[derive(Clone, PartialEq, Eq)]
enum Test {
    /// `_`
    Any,
    /// `(_)`
    Named,
    /// `(kind)`, `"token"`, `(ERROR)`
    Kind(KindId),
    /// `(supertype)`: one of its kinds.
    OneOf(Vec<KindId>),
    /// `(MISSING)`, `(MISSING kind)`
    Missing(Option<KindId>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantifier {
    One,
    Optional,
    Any,
    Some,
}

impl<'q> Query<'q> {
    /// Reads a query. `file` is only for messages.
    ///
    /// Errors: the first place that is no query, or that names a node, field or capture which does not exist.
    pub fn new(text: &'q str, grammar: &tree_sitter::Language, file: &str) -> Result<Self, QueryError> {
        let kinds = Kinds::of(grammar);
        let mut patterns = read::patterns(text, &kinds).map_err(|fault| QueryError::new(file, text, &fault))?;
        for pattern in &mut patterns {
            settle(&mut pattern.steps, false);
        }
        let mut query = Self {
            patterns,
            rooted: vec![Vec::new(); kinds.count() + 1],
            rooted_anywhere: Vec::new(),
            names_fields_at_top: false,
        };
        query.index();
        Ok(query)
    }

    /// How many patterns the file has.
    pub fn pattern_count(&self) -> usize {
        self.patterns.len()
    }

    /// Byte offset of a pattern in the query text.
    pub fn pattern_at(&self, pattern: u16) -> usize {
        self.patterns[usize::from(pattern)].at
    }

    fn index(&mut self) {
        for (number, pattern) in self.patterns.iter().enumerate() {
            if pattern.is_for_other_tools() {
                continue;
            }
            self.names_fields_at_top |= pattern.steps.iter().any(Step::names_field);
            let mut roots = Vec::new();
            let anywhere = !first_kinds(&pattern.steps, &mut roots);
            if anywhere {
                self.rooted_anywhere.push(number as u16);
                continue;
            }
            roots.sort_unstable();
            roots.dedup();
            for kind in roots {
                let slot = self.slot(kind);
                self.rooted[slot].push(number as u16);
            }
        }
    }
}

impl Step {
    fn begins_anchored(&self) -> bool {
        match &self.shape {
            Shape::Node(_) => self.immediate,
            Shape::Choice(steps) | Shape::Group(steps) => steps.first().is_some_and(Self::begins_anchored),
        }
    }

    /// Whether it says in which field a node is, those inside of nodes apart.
    fn names_field(&self) -> bool {
        self.field != 0
            || match &self.shape {
                Shape::Node(_) => false,
                Shape::Choice(steps) | Shape::Group(steps) => steps.iter().any(Self::names_field),
            }
    }

    fn has_captures(&self) -> bool {
        let inner = match &self.shape {
            Shape::Node(shape) => &shape.children,
            Shape::Choice(steps) | Shape::Group(steps) => steps,
        };
        !self.captures.is_empty() || inner.iter().any(Self::has_captures)
    }
}

/// Sets what a step must know of those behind it. `anchored`: whether an anchor stands behind the last.
fn settle(steps: &mut [Step], anchored: bool) {
    let mut anchored = anchored;
    for step in steps.iter_mut().rev() {
        step.is_tried_everywhere = anchored || step.has_captures();
        match &mut step.shape {
            Shape::Node(node) => {
                step.is_any_token_before_anchor = anchored && node.test == Test::Any;
                settle(&mut node.children, node.ends_with_anchor);
            }
            Shape::Choice(branches) => branches.iter_mut().for_each(|branch| settle(std::slice::from_mut(branch), anchored)),
            Shape::Group(steps) => settle(steps, anchored),
        }
        anchored = step.begins_anchored();
    }
}

impl Query<'_> {
    /// Where `rooted` holds a kind.
    fn slot(&self, kind: KindId) -> usize {
        usize::from(kind).min(self.rooted.len() - 1)
    }
}

impl Pattern<'_> {
    /// A grammar's own `tags.scm` also says what a reference is; an outline has no use for these.
    fn is_for_other_tools(&self) -> bool {
        self.captures.iter().all(|capture| matches!(capture.role, Role::Ignored | Role::Name))
            && self.captures.iter().any(|capture| capture.name.starts_with("reference."))
    }
}

/// Collects the kinds of node with which a list of steps may begin. False: any kind.
fn first_kinds(steps: &[Step], into: &mut Vec<KindId>) -> bool {
    for step in steps {
        let known = match &step.shape {
            Shape::Node(node) => match &node.test {
                Test::Kind(kind) | Test::Missing(Some(kind)) => {
                    into.push(*kind);
                    true
                }
                Test::OneOf(kinds) => {
                    into.extend(kinds);
                    true
                }
                Test::Any | Test::Named | Test::Missing(None) => false,
            },
            Shape::Choice(branches) => branches.iter().all(|branch| first_kinds(std::slice::from_ref(branch), into)),
            Shape::Group(steps) => first_kinds(steps, into),
        };
        if !known {
            return false;
        }
        if matches!(step.quantifier, Quantifier::One | Quantifier::Some) {
            return true;
        }
    }
    true
}
