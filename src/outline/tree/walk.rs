//! The walk: each node outside closed bodies is shown to the query once.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::row::{Name, Row, Span};
use super::{Text, file_order};
use crate::outline::imports;
use crate::query::{Matcher, Query, Role, Visitor};

/// What is inside these is not listed unless the query says `@members`.
const CLOSED_KINDS: [&str; 5] = ["constructor", "function", "macro", "method", "test"];

/// From how many bytes on a file has wrappers, and which share of it, in percent, these hold at least.
const WRAPPER: (usize, usize) = (16 * 1024, 80);

/// Damage of so many lines in one place harms what stands there, and nothing else.
const LIGHT: usize = 4;

/// What the walk of a tree has found; nothing of the tree itself.
#[derive(Default)]
pub struct Found {
    pub(super) rows: Vec<Row>,
    /// The bodies of which nothing is listed.
    pub(super) closed: Vec<Range<usize>>,
    /// Bodies that would be closed, but hold nearly the whole file: their functions are listed, their variables are not.
    pub(super) forced: Vec<Range<usize>>,
    /// Comments and attributes: no part of a signature.
    pub(super) gaps: Vec<Range<usize>>,
    /// Texts that the grammar leaves unread.
    pub(super) unread: Vec<tree_sitter::Range>,
    /// The brackets that stand in these, with the row where each ends: an item does not end inside one.
    pub(super) groups: Vec<(Range<usize>, usize)>,
    pub(super) damage: usize,
    /// The worst of it in one place.
    pub(super) worst_damage: usize,
}

/// What a query says about a node that is a body: the earliest pattern's word counts.
struct Body {
    pattern: u16,
    is_closed: bool,
    range: Range<usize>,
}

struct Walk<'a> {
    text: Text<'a>,
    body_field: Option<u16>,
    found: Found,
    /// By node id.
    bodies: HashMap<usize, Body>,
    /// By the ids of nodes that are names: the pattern that took it.
    taken: HashMap<usize, u16>,
    /// The ids of nodes that are heads of overloads.
    heads: HashSet<usize>,
    /// By node id: the span of the node above it, where a row of the node is all of that.
    wholes: HashMap<usize, Span>,
}

impl Found {
    /// What the query finds in a tree. None: it asked for more comparisons than any file is worth.
    pub(super) fn in_tree(tree: &Tree, query: &Query<'_>, text: Text<'_>) -> Option<Self> {
        let body_field = tree.language().field_id_for_name("body").map(u16::from);
        let mut walk = Walk {
            text,
            body_field,
            found: Self::default(),
            bodies: HashMap::new(),
            taken: HashMap::new(),
            heads: HashSet::new(),
            wholes: HashMap::new(),
        };
        let mut matcher = Matcher::new(query, tree, text.source);
        matcher.walk(tree.root_node(), &mut walk);
        matcher.is_within_budget().then(|| walk.finish())
    }

    /// Adds what another tree of the same text holds.
    pub(super) fn add(&mut self, other: Self) {
        self.rows.extend(other.rows);
        self.closed.extend(other.closed);
        self.forced.extend(other.forced);
        self.gaps.extend(other.gaps);
        self.unread.extend(other.unread);
        self.groups.extend(other.groups);
    }

    /// Puts together what several readers found, each in a share of the same text. They have all read the heads and the ends
    /// of the blocks that they share; whoever met no damage knows best where these end. None: they do not agree.
    pub(in crate::outline) fn join(mut shares: Vec<Self>) -> Option<Self> {
        shares.sort_by_key(|found| found.damage > 0);
        let mut shares = shares.into_iter();
        let mut all = shares.next()?;
        for mut found in shares {
            let known: HashMap<_, _> = all.rows.iter().map(|row| (row.key(), (row.kind, row.range.clone()))).collect();
            let mut do_agree = true;
            found.rows.retain(|row| {
                let same = known.get(&row.key());
                do_agree &= found.damage > 0 || same.is_none_or(|same| *same == (row.kind, row.range.clone()));
                same.is_none()
            });
            if !do_agree {
                return None;
            }
            all.damage += found.damage;
            all.worst_damage = all.worst_damage.max(found.worst_damage);
            all.add(found);
        }
        Some(all)
    }

    /// Whether nowhere so much is damaged that what stands around it may be too.
    pub(in crate::outline) fn is_light(&self) -> bool {
        self.worst_damage <= LIGHT
    }

    /// Brings everything into file order.
    pub(super) fn sort(&mut self) {
        self.rows.sort_by_key(file_order);
        self.closed.sort_unstable_by_key(|body| body.start);
        self.gaps.sort_unstable_by_key(|gap| gap.start);
        self.gaps.dedup();
        self.groups.sort_unstable_by_key(|(group, _)| group.start);
    }

    /// Takes the parts that were not parsed: those that lie in comments are no part of a signature. Returns those that lie
    /// neither in comments nor in closed bodies. All are in file order.
    pub(super) fn take_skipped(&mut self, parts: &[Range<usize>]) -> Vec<Range<usize>> {
        let (mut closed, mut gaps) = (self.closed.iter().peekable(), self.gaps.iter_mut().peekable());
        let mut nothing = 0..0;
        let (mut closed_until, mut around) = (0, &mut nothing);
        let mut is_open = |part: &&Range<usize>| {
            while let Some(body) = closed.next_if(|body| body.start <= part.start) {
                closed_until = closed_until.max(body.end);
            }
            while let Some(gap) = gaps.next_if(|gap| gap.start < part.start) {
                if gap.end >= around.end {
                    around = gap;
                }
            }
            // A comment whose end was left out with what is in it ends before.
            let is_in_comment = part.start <= around.end;
            if is_in_comment {
                around.end = around.end.max(part.end);
            }
            !is_in_comment && part.end > closed_until
        };
        parts.iter().filter(|part| is_open(part)).cloned().collect()
    }
}

impl<'t> Visitor<'t> for Walk<'_> {
    fn found(&mut self, pattern: u16, captures: &[(Role, Node<'t>)]) {
        self.take(pattern, captures);
    }

    /// Whether something inside it is listed.
    fn enters(&mut self, node: Node<'t>, parent: Option<Node<'t>>) -> bool {
        // What the grammar could not place is an extra too, but no comment: it was written to be read.
        if node.is_extra() && !node.is_error() && node.end_byte() > node.start_byte() {
            self.found.gaps.push(node.byte_range());
        }
        let is_open = self.bodies.get(&node.id()).is_none_or(|body| !self.is_closed(body));
        let damage = damage(node, is_open, self.text.source);
        if damage > 0 {
            // What is missing may have been to end all that it is missing in.
            let reach = parent.filter(|_| node.is_missing()).map_or(damage, lines);
            self.found.worst_damage = self.found.worst_damage.max(reach);
        }
        self.found.damage += damage;
        is_open
    }
}

impl Walk<'_> {
    fn is_closed(&self, body: &Body) -> bool {
        body.is_closed && !self.wraps_the_file(&body.range)
    }

    fn wraps_the_file(&self, body: &Range<usize>) -> bool {
        wraps(body, self.text.source.len())
    }

    fn take(&mut self, pattern: u16, captures: &[(Role, Node<'_>)]) {
        let mut row = None;
        let mut names = Vec::new();
        let mut bodies = Vec::new();
        let mut is_listed = true;
        for &(role, node) in captures {
            match role {
                Role::Definition(kind) => row = Some((node, kind)),
                Role::Import => row = Some((node, imports::KIND)),
                Role::Name => names.push(Name::of(node)),
                Role::Body => bodies.push((node, true)),
                Role::Members => bodies.push((node, false)),
                Role::Attribute => self.found.gaps.push(node.byte_range()),
                Role::Whole => self.take_whole(node),
                Role::Overload => drop(self.heads.insert(node.id())),
                Role::Prototype => is_listed = self.text.is_header,
                Role::Content => self.leave_unread(node),
                Role::Ignored => {}
            }
        }
        let (node, kind) = row.filter(|_| is_listed).unwrap_or((captures[0].1, ""));
        if bodies.is_empty() && !kind.is_empty() {
            let inside = self.body_field.and_then(|field| node.child_by_field_id(field));
            bodies.extend(inside.map(|inside| (inside, CLOSED_KINDS.contains(&kind))));
        }
        let is_late = names.iter().any(|name| self.taken.get(&name.node_id).is_some_and(|first| *first < pattern));
        if !is_late {
            self.taken.extend(names.iter().map(|name| (name.node_id, pattern)));
        }
        // What becomes no row has no say about bodies either.
        for &(inside, is_closed) in bodies.iter().filter(|_| !is_late) {
            let said = Body { pattern, is_closed, range: inside.byte_range() };
            match self.bodies.get_mut(&inside.id()) {
                Some(known) if known.pattern <= pattern => {}
                Some(known) => *known = said,
                None => drop(self.bodies.insert(inside.id(), said)),
            }
        }
        if !kind.is_empty() || !names.is_empty() {
            let bodies: Vec<_> = bodies.into_iter().map(|(inside, _)| inside).collect();
            self.found.rows.push(Row::of(node, self.text.source, pattern, kind, names, &bodies));
        }
    }

    fn take_whole(&mut self, node: Node<'_>) {
        let whole = self.wholes.get(&node.id()).cloned().unwrap_or_else(|| Span::of(node, self.text.source));
        for inside in node.children(&mut node.walk()) {
            self.wholes.insert(inside.id(), whole.clone());
        }
    }

    fn leave_unread(&mut self, node: Node<'_>) {
        let part = inside(node);
        // Several patterns may say the same of a node, one after the other.
        if self.found.unread.last().copied() == part {
            return;
        }
        self.found.unread.extend(part);
        let mut cursor = node.walk();
        let groups = node.children(&mut cursor).filter(|child| child.child_count() > 0);
        self.found.groups.extend(groups.map(|group| (group.byte_range(), group.end_position().row)));
    }

    fn finish(mut self) -> Found {
        for row in &mut self.found.rows {
            row.is_head = self.heads.contains(&row.node_id);
            if let Some(whole) = self.wholes.get(&row.node_id) {
                row.set_span(whole);
            }
        }
        keep_earliest_pattern_of_each_name(&mut self.found.rows);
        let closed = self.bodies.values().filter(|body| body.is_closed).map(|body| body.range.clone());
        (self.found.forced, self.found.closed) = closed.partition(|body| self.wraps_the_file(body));
        self.found
    }
}

/// Whether a body holds nearly all of a big file: such a one is never closed, since its one row would send the reader to the
/// file again.
pub fn wraps(body: &Range<usize>, file: usize) -> bool {
    let (size, share) = WRAPPER;
    file >= size && body.len() / share >= file / 100
}

/// What a node itself adds to the damage.
fn damage(node: Node<'_>, is_open: bool, source: &[u8]) -> usize {
    let last = || node.child(node.child_count().saturating_sub(1));
    match (node.is_error(), is_open) {
        (true, _) => lines(node),
        _ if node.is_missing() => 1,
        // A body that does not end where it should has swallowed what follows it.
        (_, false) if node.has_error() && (last().is_some_and(|last| last.is_missing()) || is_dedented(node, source)) => {
            lines(node)
        }
        _ => 0,
    }
}

/// How many lines a node lies on.
fn lines(node: Node<'_>) -> usize {
    node.end_position().row + 1 - node.start_position().row
}

/// Whether some line of a node, apart from the first and the last, begins with a word and is indented no deeper than the
/// line on which the node begins.
fn is_dedented(node: Node<'_>, source: &[u8]) -> bool {
    let indent = |line: &[u8]| line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let first = memchr::memrchr(b'\n', &source[..node.start_byte()]).map_or(0, |newline| newline + 1);
    let limit = indent(&source[first..]);
    let inside = &source[node.start_byte()..node.end_byte()];
    let lines: Vec<_> = inside.split(|byte| *byte == b'\n').skip(1).collect();
    lines.iter().rev().skip(1).any(|line| indent(line) <= limit && line.get(indent(line)).is_some_and(u8::is_ascii_alphabetic))
}

/// What stands in a node, its brackets apart; None where that is nothing.
fn inside(node: Node<'_>) -> Option<tree_sitter::Range> {
    let bracket = |index| node.child(index).filter(|child| !child.is_named());
    let (first, last) = (bracket(0), bracket(node.child_count().saturating_sub(1)));
    let (start_byte, start_point) =
        first.map_or((node.start_byte(), node.start_position()), |first| (first.end_byte(), first.end_position()));
    let (end_byte, end_point) =
        last.map_or((node.end_byte(), node.end_position()), |last| (last.start_byte(), last.start_position()));
    (start_byte < end_byte).then_some(tree_sitter::Range { start_byte, end_byte, start_point, end_point })
}

fn keep_earliest_pattern_of_each_name(rows: &mut Vec<Row>) {
    rows.sort_by_key(|row| row.pattern);
    let mut taken = HashSet::with_capacity(rows.len());
    rows.retain(|row| {
        if row.names.is_empty() {
            return taken.insert(row.node_id);
        }
        let free = row.names.iter().all(|name| !taken.contains(&name.node_id));
        if free {
            taken.extend(row.names.iter().map(|name| name.node_id));
        }
        free && !row.kind.is_empty()
    });
}
