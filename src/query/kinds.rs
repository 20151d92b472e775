//! A grammar's names: node kinds, fields and supertypes, as a query spells them.

use std::cell::Cell;
use std::collections::HashMap;

use tree_sitter::Language;

use super::{FieldId, KindId, Test};

/// The number that nodes of kind `ERROR` bear in every grammar.
pub(super) const ERROR: KindId = KindId::MAX;

/// The node kinds and fields of one grammar by name. tree-sitter itself looks a name up by comparing it with every other, which
/// for the names of one query costs more than reading them all once.
pub(super) struct Kinds<'g> {
    grammar: &'g Language,
    named: HashMap<&'g str, Entry>,
    anonymous: HashMap<&'g str, Entry>,
    fields: HashMap<&'g str, FieldId>,
}

struct Entry {
    id: KindId,
    /// More than one number bears this name (an alias): only tree-sitter knows which one its nodes show.
    is_shared: bool,
    /// That one, once it was asked for.
    public: Cell<Option<KindId>>,
}

impl<'g> Kinds<'g> {
    pub(super) fn of(grammar: &'g Language) -> Self {
        let count = grammar.node_kind_count();
        let (mut named, mut anonymous) = (HashMap::with_capacity(count), HashMap::with_capacity(count));
        for id in 0..count as KindId {
            let supertype = grammar.node_kind_is_supertype(id);
            if !supertype && !grammar.node_kind_is_visible(id) {
                continue;
            }
            if let Some(name) = grammar.node_kind_for_id(id) {
                let names = if supertype || grammar.node_kind_is_named(id) { &mut named } else { &mut anonymous };
                let entry = Entry { id, is_shared: false, public: Cell::new(None) };
                names.entry(name).and_modify(|entry: &mut Entry| entry.is_shared = true).or_insert(entry);
            }
        }
        let fields = (1..=grammar.field_count() as FieldId).filter_map(|id| Some((grammar.field_name_for_id(id)?, id)));
        Self { grammar, named, anonymous, fields: fields.collect() }
    }

    /// How many kinds there are, [`ERROR`] apart.
    pub(super) fn count(&self) -> usize {
        self.grammar.node_kind_count()
    }

    /// What `(name)` matches. Err: why it is no name of this grammar.
    pub(super) fn named(&self, name: &str) -> Result<Test, String> {
        if name == "ERROR" {
            return Ok(Test::Kind(ERROR));
        }
        let Some(entry) = self.named.get(name) else {
            return Err(format!("the grammar has no node ({name})"));
        };
        if !self.grammar.node_kind_is_supertype(entry.id) {
            return Ok(Test::Kind(self.public(entry, name, true)));
        }
        let mut kinds = Vec::new();
        if self.subtypes(entry.id, &mut kinds) && !kinds.is_empty() {
            Ok(Test::OneOf(kinds))
        } else {
            Err(format!("({name}) is a supertype of which this grammar does not list the nodes; name them in [ ]"))
        }
    }

    /// What `(supertype/name)` matches.
    pub(super) fn subtype(&self, supertype: &str, name: &str) -> Result<Test, String> {
        match (self.named(supertype)?, self.named(name)?) {
            (Test::OneOf(kinds), Test::Kind(kind)) if kinds.contains(&kind) => Ok(Test::Kind(kind)),
            _ => Err(format!("({name}) is no subtype of ({supertype})")),
        }
    }

    /// What `"token"` matches. Err: why it is no token of this grammar.
    pub(super) fn anonymous(&self, token: &str) -> Result<KindId, String> {
        match self.anonymous.get(token) {
            Some(entry) => Ok(self.public(entry, token, false)),
            None => Err(format!("the grammar has no token \"{token}\"")),
        }
    }

    /// The number of a field. Err: why it is no field of this grammar.
    pub(super) fn field(&self, name: &str) -> Result<FieldId, String> {
        self.fields.get(name).copied().ok_or_else(|| format!("the grammar has no field `{name}`"))
    }

    fn public(&self, entry: &Entry, name: &str, named: bool) -> KindId {
        if !entry.is_shared {
            return entry.id;
        }
        let public = entry.public.get().unwrap_or_else(|| self.grammar.id_for_node_kind(name, named));
        entry.public.set(Some(public));
        public
    }

    /// Collects the visible kinds below a supertype. False: a hidden rule stands between, whose nodes nobody lists.
    fn subtypes(&self, supertype: KindId, into: &mut Vec<KindId>) -> bool {
        self.grammar.subtypes_for_supertype(supertype).iter().all(|&id| {
            if self.grammar.node_kind_is_supertype(id) {
                return self.subtypes(id, into);
            }
            let name = self.grammar.node_kind_for_id(id).unwrap_or_default();
            let named = self.grammar.node_kind_is_named(id);
            let names = if named { &self.named } else { &self.anonymous };
            names.get(name).map(|entry| into.push(self.public(entry, name, named))).is_some()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_the_number_that_tree_sitter_gives_it() {
        for language in crate::language::all() {
            let Some(grammar) = language.grammar() else { continue };
            let kinds = Kinds::of(&grammar);
            for (name, id) in &kinds.fields {
                assert_eq!(Some(*id), grammar.field_id_for_name(name).map(FieldId::from), "{}: {name}", language.name);
            }
            for (names, named) in [(&kinds.named, true), (&kinds.anonymous, false)] {
                for (name, entry) in names {
                    assert_eq!(
                        kinds.public(entry, name, named),
                        grammar.id_for_node_kind(name, named),
                        "{}: {name}",
                        language.name
                    );
                }
            }
        }
    }
}
