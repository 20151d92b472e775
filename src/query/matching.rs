//! Matching: one pattern at one node, every way in which it fits.
//!
//! A pattern's elements are tried against the children of a node from left to right, with backtracking; what remains
//! to be matched is handed down as a closure, so that a choice inside a group inside a repetition needs no stack of
//! its own. As in tree-sitter, an element that stands once is tried at every sibling, a repetition takes as many
//! neighbours as it can, and an optional element is left out only where the pattern does not fit with it.

use tree_sitter::{Node, Tree, TreeCursor};

use super::kinds::ERROR;
use super::predicate::Predicate;
use super::{FieldId, NodeShape, Quantifier, Query, Role, Shape, Step, Test};

/// A node that a pattern captured.
#[derive(Clone, Copy)]
pub struct Capture<'t> {
    pub(super) index: u8,
    /// The node.
    pub node: Node<'t>,
}

/// What a walk is told to.
pub trait Visitor<'t> {
    /// A pattern, by its number, matches with the node that is visited as its first one.
    fn found(&mut self, pattern: u16, captures: &[(Role, Node<'t>)]);

    /// All matches at a node were told. False: the nodes inside it are not visited. `parent` is None for the root.
    fn enters(&mut self, node: Node<'t>, parent: Option<Node<'t>>) -> bool;
}

/// Matches the patterns of one query at the nodes of one tree.
pub struct Matcher<'a, 't> {
    query: &'a Query<'a>,
    source: &'a [u8],
    cursor: TreeCursor<'t>,
    captures: Vec<Capture<'t>>,
    /// Those of the pattern that is being matched.
    predicates: &'a [Predicate<'a>],
    /// Children of the node that is matched at, and of nodes below it, by the id of their parent: its patterns ask for the
    /// same, and the walk goes on with them.
    known: Vec<(usize, Vec<Child<'t>>)>,
    /// Vectors to use again.
    spare: Vec<Vec<Child<'t>>>,
    /// How many nodes may still be compared with a pattern.
    budget: u64,
    /// Where the stack stood when the pattern in hand began, as an address.
    stack: usize,
}

#[derive(Clone, Copy)]
struct Child<'t> {
    node: Node<'t>,
    kind: u16,
    field: FieldId,
    named: bool,
}

/// Nodes that may be compared with patterns, for each byte of source and in all: enough for any real query, and an end
/// for one that tries each sibling with each other, or each way through a hundred choices.
const BUDGET: (u64, u64) = (200, 2_000_000);
/// What a match costs, in comparisons: it may become a row.
const MATCH: u64 = 50;

/// Bytes of stack that a match may take: each element of a pattern and each round of a repetition takes some. A thread
/// that matches has to have more.
pub const MAX_STACK: usize = 1024 * 1024;

/// The children of how many nodes are kept while one node is matched at.
const MAX_KNOWN: usize = 16;

/// How often a repetition of more than single nodes goes round.
const MAX_ROUNDS: usize = 100;

/// What remains to be matched, from the child with this number on. True: at least one match was found.
type Rest<'r, 'a, 't> = dyn FnMut(&mut Matcher<'a, 't>, usize) -> bool + 'r;

impl<'a, 't> Matcher<'a, 't> {
    /// A matcher over `tree`, which was parsed from `source`.
    pub fn new(query: &'a Query<'a>, tree: &'t Tree, source: &'a [u8]) -> Self {
        Self {
            query,
            source,
            cursor: tree.walk(),
            captures: Vec::new(),
            predicates: &[],
            known: Vec::new(),
            spare: Vec::new(),
            budget: BUDGET.0 * source.len() as u64 + BUDGET.1,
            stack: 0,
        }
    }

    /// False once the query asked for more comparisons than any file is worth: what was found is then incomplete.
    pub fn is_within_budget(&self) -> bool {
        self.budget > 0
    }

    /// Visits every node of a tree from `root` on, outer ones first, in file order, and tells of every match.
    pub fn walk(&mut self, root: Node<'t>, visitor: &mut dyn Visitor<'t>) {
        // The way down to the node that is visited: each with its siblings, and its number among these.
        let mut path = vec![(vec![Child::of(root, 0)], 0)];
        while let Some((siblings, index)) = path.last() {
            let Some(child) = siblings.get(*index) else {
                self.spare.extend(path.pop().map(|(siblings, _)| siblings));
                if let Some((_, index)) = path.last_mut() {
                    *index += 1;
                }
                continue;
            };
            self.matches_at(siblings, *index, visitor);
            let parent = path.len().checked_sub(2).map(|above| path[above].0[path[above].1].node);
            if visitor.enters(child.node, parent) && child.node.child_count() > 0 {
                let with_fields = self.query.names_fields_at_top;
                let children = self.take_known(child.node).unwrap_or_else(|| self.children_of(child.node, with_fields));
                path.push((children, 0));
            } else if let Some((_, index)) = path.last_mut() {
                *index += 1;
            }
        }
    }

    /// Tells of every match whose first node is the one of this number, in the order of the query file.
    fn matches_at(&mut self, siblings: &[Child<'t>], index: usize, visitor: &mut dyn Visitor<'t>) {
        let query = self.query;
        let rooted = &query.rooted[query.slot(siblings[index].kind)];
        self.spare.extend(self.known.drain(..).map(|(_, children)| children));
        if rooted.is_empty() && query.rooted_anywhere.is_empty() {
            return;
        }
        let (mut left, mut right) = (rooted.iter().peekable(), query.rooted_anywhere.iter().peekable());
        loop {
            let from_left = match (left.peek(), right.peek()) {
                (Some(a), Some(b)) => a < b,
                (a, b) => match (a, b) {
                    (None, None) => return,
                    _ => a.is_some(),
                },
            };
            let Some(&pattern) = (if from_left { left.next() } else { right.next() }) else { return };
            self.match_pattern(pattern, siblings, index, visitor);
        }
    }

    fn match_pattern(&mut self, number: u16, siblings: &[Child<'t>], index: usize, visitor: &mut dyn Visitor<'t>) {
        let query = self.query;
        let pattern = &query.patterns[usize::from(number)];
        let mut report = |matcher: &mut Self, _: usize| {
            let cost: u64 = pattern.predicates.iter().map(|predicate| predicate.cost(&matcher.captures)).sum();
            matcher.spend(MATCH + cost);
            if matcher.budget == 0 {
                return false;
            }
            let holds = pattern.predicates.iter().all(|predicate| predicate.holds(&matcher.captures, matcher.source));
            if holds {
                let captures: Vec<_> =
                    matcher.captures.iter().map(|c| (pattern.captures[usize::from(c.index)].role, c.node)).collect();
                visitor.found(number, &captures);
            }
            holds
        };
        self.captures.clear();
        self.predicates = &pattern.predicates;
        self.stack = here();
        if let [Step { shape: Shape::Node(shape), quantifier: Quantifier::One, field: 0, captures, .. }] = &pattern.steps[..] {
            // One node at the top: nobody asks for its siblings.
            if Self::fits(shape, &siblings[index]) {
                self.match_node(shape, captures, &siblings[index], &mut |matcher| report(matcher, 0));
            }
        } else {
            self.match_steps(&pattern.steps, siblings, index, Next::Exact, &mut report);
        }
    }

    /// Matches `steps` against `siblings` from number `from` on, then `rest`.
    fn match_steps(
        &mut self,
        steps: &'a [Step],
        siblings: &[Child<'t>],
        from: usize,
        next: Next,
        rest: &mut Rest<'_, 'a, 't>,
    ) -> bool {
        let Some((step, after)) = steps.split_first() else { return rest(self, from) };
        if !self.may_go_on() {
            return false;
        }
        let behind = if step.is_any_token_before_anchor { Next::Exact } else { Next::Any };
        let once = |matcher: &mut Self, rest: &mut Rest<'_, 'a, 't>| {
            matcher.match_once(step, siblings, from, next, &mut |matcher, end| {
                matcher.match_steps(after, siblings, end, behind, rest)
            })
        };
        match step.quantifier {
            Quantifier::One => once(self, rest),
            Quantifier::Optional => {
                once(self, rest) || self.match_steps(after, siblings, from, next.without(step, from == 0), rest)
            }
            Quantifier::Some => self.match_repeated(step, after, siblings, from, next, rest),
            Quantifier::Any => {
                self.match_repeated(step, after, siblings, from, next, rest)
                    || self.match_steps(after, siblings, from, next.without(step, from == 0), rest)
            }
        }
    }

    /// One or more of `step`, each right behind the one before, as many as there are.
    fn match_repeated(
        &mut self,
        step: &'a Step,
        after: &'a [Step],
        siblings: &[Child<'t>],
        from: usize,
        next: Next,
        rest: &mut Rest<'_, 'a, 't>,
    ) -> bool {
        let mut rounds = 0;
        self.match_rounds(step, siblings, from, next, &mut rounds, &mut |matcher, end| {
            matcher.match_steps(after, siblings, end, Next::Any, rest)
        })
    }

    fn match_rounds(
        &mut self,
        step: &'a Step,
        siblings: &[Child<'t>],
        from: usize,
        next: Next,
        rounds: &mut usize,
        rest: &mut Rest<'_, 'a, 't>,
    ) -> bool {
        if !self.may_go_on() {
            return false;
        }
        if let Shape::Node(shape @ NodeShape { children, .. }) = &step.shape
            && children.is_empty()
            && next == Next::Exact
        {
            return self.match_run(step, shape, siblings, from, rest);
        }
        self.match_once(step, siblings, from, next, &mut |matcher, end| {
            *rounds += 1;
            let more = end > from && *rounds < MAX_ROUNDS && matcher.match_rounds(step, siblings, end, Next::Exact, rounds, rest);
            *rounds -= 1;
            more || rest(matcher, end)
        })
    }

    /// A run of neighbours without children of their own to match, such as comments: it may be as long as the file.
    fn match_run(
        &mut self,
        step: &'a Step,
        shape: &'a NodeShape,
        siblings: &[Child<'t>],
        from: usize,
        rest: &mut Rest<'_, 'a, 't>,
    ) -> bool {
        let fits = |child: &&Child<'t>| (step.field == 0 || step.field == child.field) && Self::fits(shape, child);
        let length = siblings[from..].iter().take_while(fits).count();
        self.spend(length as u64);
        let mark = self.captures.len();
        for child in &siblings[from..from + length] {
            self.captures.extend(step.captures.iter().map(|&index| Capture { index, node: child.node }));
        }
        let mut found = false;
        for taken in (1..=length).rev() {
            self.captures.truncate(mark + taken * step.captures.len());
            found = rest(self, from + taken);
            if found || self.budget == 0 {
                break;
            }
        }
        self.captures.truncate(mark);
        found
    }

    /// `step` once: at each sibling where it fits, or at the first that leads to a match.
    fn match_once(
        &mut self,
        step: &'a Step,
        siblings: &[Child<'t>],
        from: usize,
        next: Next,
        rest: &mut Rest<'_, 'a, 't>,
    ) -> bool {
        match &step.shape {
            Shape::Choice(branches) => {
                let mut found = false;
                for branch in branches {
                    found |= self.match_steps(std::slice::from_ref(branch), siblings, from, next, rest);
                }
                found
            }
            Shape::Group(steps) => self.match_steps(steps, siblings, from, next, rest),
            Shape::Node(shape) => {
                let immediate = step.immediate && next != Next::Free;
                let mut found = false;
                for (index, child) in siblings.iter().enumerate().skip(from) {
                    if self.budget == 0 {
                        return found;
                    }
                    self.budget -= 1;
                    if (step.field == 0 || step.field == child.field) && Self::fits(shape, child) {
                        found |= self.match_node(shape, &step.captures, child, &mut |matcher| rest(matcher, index + 1));
                        if found && !step.is_tried_everywhere {
                            return true;
                        }
                    }
                    if next == Next::Exact || immediate && child.named {
                        break;
                    }
                }
                found
            }
        }
    }

    /// Counts one step, and ends the match where there were too many, or too many inside each other.
    fn may_go_on(&mut self) -> bool {
        self.spend(1);
        if self.stack.abs_diff(here()) > MAX_STACK {
            self.budget = 0;
        }
        self.budget > 0
    }

    fn spend(&mut self, comparisons: u64) {
        self.budget = self.budget.saturating_sub(comparisons);
    }

    /// Whether a node itself fits, its children apart.
    fn fits(shape: &NodeShape, child: &Child<'t>) -> bool {
        let fits = match &shape.test {
            Test::Any => child.kind != ERROR,
            Test::Named => child.kind != ERROR && child.named,
            Test::Kind(kind) => child.kind == *kind,
            Test::OneOf(kinds) => kinds.contains(&child.kind),
            Test::Missing(kind) => child.node.is_missing() && kind.is_none_or(|kind| child.kind == kind),
        };
        fits && shape.without_fields.iter().all(|field| child.node.child_by_field_id(*field).is_none())
    }

    /// Captures a node that fits, and matches its children.
    fn match_node(
        &mut self,
        shape: &'a NodeShape,
        captures: &[u8],
        child: &Child<'t>,
        rest: &mut dyn FnMut(&mut Self) -> bool,
    ) -> bool {
        let mark = self.captures.len();
        self.captures.extend(captures.iter().map(|&index| Capture { index, node: child.node }));
        let found = if !captures.is_empty() && !self.may_hold() {
            false
        } else if shape.children.is_empty() {
            rest(self)
        } else {
            let children = self.take_known(child.node).unwrap_or_else(|| self.children_of(child.node, true));
            let found = self.match_steps(&shape.children, &children, 0, Next::Any, &mut |matcher, end| {
                let closed = shape.ends_with_anchor && children[end..].iter().any(|child| child.named);
                !closed && rest(matcher)
            });
            if self.known.len() < MAX_KNOWN {
                self.known.push((child.node.id(), children));
            } else {
                self.spare.push(children);
            }
            found
        };
        self.captures.truncate(mark);
        found
    }

    /// Whether the predicates can still hold. What cannot is not pursued: a long run of siblings may follow.
    fn may_hold(&mut self) -> bool {
        let predicates = self.predicates;
        self.spend(predicates.iter().map(|predicate| predicate.cost_to_go_on(&self.captures)).sum());
        predicates.iter().all(|predicate| predicate.may_hold(&self.captures, self.source))
    }

    fn take_known(&mut self, node: Node<'t>) -> Option<Vec<Child<'t>>> {
        let id = node.id();
        let known = self.known.iter().position(|(parent, _)| *parent == id)?;
        Some(self.known.swap_remove(known).1)
    }

    fn children_of(&mut self, node: Node<'t>, with_fields: bool) -> Vec<Child<'t>> {
        let mut children = self.spare.pop().unwrap_or_default();
        children.clear();
        self.cursor.reset(node);
        let mut is_child = self.cursor.goto_first_child();
        while is_child {
            let field = if with_fields { self.cursor.field_id() } else { None };
            children.push(Child::of(self.cursor.node(), field.map_or(0, FieldId::from)));
            is_child = self.cursor.goto_next_sibling();
        }
        children
    }
}

/// Where the stack stands, as an address.
fn here() -> usize {
    let on_stack = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&on_stack)).addr()
}

impl<'t> Child<'t> {
    fn of(node: Node<'t>, field: FieldId) -> Self {
        Self { node, kind: node.kind_id(), field, named: node.is_named() }
    }
}

/// Where the next element of a pattern may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// At any sibling, or behind an anchor at the first named one.
    Any,
    /// The same, but an anchor does not count: what it would tie to was left out.
    Free,
    /// At the very next sibling, named or not.
    Exact,
}

impl Next {
    /// Where the element after `step` may stand when `step`, which is optional, was left out.
    fn without(self, step: &Step, at_start: bool) -> Self {
        match (step.begins_anchored(), self) {
            (_, Self::Exact) => Self::Exact,
            (false, _) => Self::Free,
            (true, _) if at_start => Self::Exact,
            (true, _) => Self::Any,
        }
    }
}
