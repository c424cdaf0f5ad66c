//! Memoizes the look-ups of one text: each different id is looked up once.

use crate::catalog::index::Hasher;
use crate::resolve::address;
use crate::resolve::by_path::SkillsByPath;
use crate::resolve::outcome::Outcome;
use crate::resolve::resolver::{Resolved, Resolver};
use skills_format::Link;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// The meanings of the ids in one text that have been looked up.
pub(crate) struct Memo<'r, 't, 'c> {
    pub(crate) resolver: &'r Resolver<'c>,
    /// The ids that were looked up. A text can hold a hundred thousand different ids, so the entries are
    /// small.
    known: RefCell<HashMap<Cow<'t, str>, Known<'c>, Hasher>>,
    /// The maximum number of ids for which near matches are searched.
    limit: usize,
    /// The number of ids for which near matches were searched.
    searches: Cell<usize>,
    by_path: OnceCell<SkillsByPath<'c>>,
}

/// The known meaning of an id.
enum Known<'c> {
    /// A skill has exactly the id.
    Exact(Rc<Resolved<'c>>),
    /// No skill has exactly the id. Near matches were not searched.
    Other,
    /// No skill has exactly the id. The value holds the near matches.
    Near(Rc<Resolved<'c>>),
}

impl<'c> Known<'c> {
    fn resolved(&self) -> Resolved<'c> {
        match self {
            Self::Exact(resolved) | Self::Near(resolved) => (**resolved).clone(),
            Self::Other => Outcome::Unknown.into(),
        }
    }
}

impl<'r, 't, 'c> Memo<'r, 't, 'c> {
    pub(crate) fn new(resolver: &'r Resolver<'c>, limit: usize) -> Self {
        Self {
            resolver,
            limit,
            known: RefCell::default(),
            searches: Cell::new(0),
            by_path: OnceCell::new(),
        }
    }

    /// Returns whether an id in normal form is exactly a name, an alias or a qualified id. The state of
    /// the skill is ignored.
    pub(crate) fn is_exact(&self, id: &str) -> bool {
        if let Some(known) = self.known.borrow().get(id) {
            return matches!(known, Known::Exact(_));
        }
        let known = self.look_up(id);
        let is_exact = matches!(known, Known::Exact(_));
        self.known.borrow_mut().insert(id.to_owned().into(), known);
        is_exact
    }

    /// Returns the meaning of an id in normal form.
    pub(crate) fn resolve(&self, id: Cow<'t, str>) -> Resolved<'c> {
        let mut all = self.known.borrow_mut();
        if let Some(known) = all.get_mut(&*id) {
            self.search(&id, known);
            return known.resolved();
        }
        let mut known = self.look_up(&id);
        self.search(&id, &mut known);
        let resolved = known.resolved();
        all.insert(id, known);
        resolved
    }

    /// Searches for near matches of an id that no skill has exactly. Each search compares all names, so
    /// the number of searches in one text is the policy's limit of skills.
    fn search(&self, id: &str, known: &mut Known<'c>) {
        if matches!(known, Known::Other) && self.searches.get() < self.limit {
            self.searches.set(self.searches.get() + 1);
            *known = Known::Near(Rc::new(self.resolver.near(id)));
        }
    }

    fn look_up(&self, id: &str) -> Known<'c> {
        let exact = self.resolver.exact(id);
        exact.map_or(Known::Other, |exact| Known::Exact(Rc::new(exact)))
    }

    /// Returns the meaning of a link's address. An address names at most one skill.
    pub(crate) fn linked(&self, link: &Link) -> Resolved<'c> {
        let skill = match link {
            Link::Skill(address) => address::skill(address)
                .and_then(|(source, name)| self.resolver.catalog.in_source(&source, &name)),
            Link::File(path) => address::paths(path).find_map(|path| self.by_path().file(&path)),
            _ => None,
        };
        skill.map_or_else(
            || Outcome::Unknown.into(),
            |skill| self.resolver.checked(skill),
        )
    }

    /// Returns the index by path. The first link to a file builds the index, because most texts hold no
    /// link.
    fn by_path(&self) -> &SkillsByPath<'c> {
        let catalog = self.resolver.catalog;
        self.by_path.get_or_init(|| SkillsByPath::new(catalog))
    }
}
