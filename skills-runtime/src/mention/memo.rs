//! The memo of one text: each different id is looked up once.

use crate::catalog::index::Hasher;
use crate::mention::Outcome;
use crate::mention::address;
use crate::mention::by_path::SkillsByPath;
use crate::mention::resolver::{Resolved, Resolver};
use skills_format::Link;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// What the ids of one text mean, as far as they have been looked up.
pub(crate) struct Memo<'r, 't, 'c> {
    pub(crate) resolver: &'r Resolver<'c>,
    /// The ids that were looked up. `None`: no skill has exactly the id. A text can hold a hundred
    /// thousand different ids, so the entries are small.
    exact: RefCell<HashMap<Cow<'t, str>, Option<Rc<Resolved<'c>>>, Hasher>>,
    /// The ids for which near matches were searched.
    near: RefCell<HashMap<Cow<'t, str>, Resolved<'c>, Hasher>>,
    by_path: OnceCell<SkillsByPath<'c>>,
}

impl<'r, 't, 'c> Memo<'r, 't, 'c> {
    pub(crate) fn new(resolver: &'r Resolver<'c>) -> Self {
        Self {
            resolver,
            exact: RefCell::default(),
            near: RefCell::default(),
            by_path: OnceCell::new(),
        }
    }

    /// Whether an id, in normal form, is exactly a name, an alias or a qualified id. The state of the
    /// skill does not count.
    pub(crate) fn is_exact(&self, id: &str) -> bool {
        self.exact(id, || id.to_owned().into(), Option::is_some)
    }

    /// What an id in normal form means.
    pub(crate) fn resolve(&self, id: Cow<'t, str>) -> Resolved<'c> {
        let exact = self.exact(&id, || id.clone(), |known| known.as_deref().cloned());
        exact.unwrap_or_else(|| self.near(id))
    }

    /// What the address of a link means. An address names at most one skill.
    pub(crate) fn linked(&self, link: &Link) -> Resolved<'c> {
        let entry = match link {
            Link::Skill(address) => address::skill(address)
                .and_then(|(source, name)| self.resolver.catalog.in_source(&source, &name)),
            Link::File(path) => address::paths(path).find_map(|path| self.by_path().file(&path)),
            _ => None,
        };
        entry.map_or_else(
            || Outcome::Unknown.into(),
            |entry| self.resolver.checked(entry),
        )
    }

    fn exact<T>(
        &self,
        id: &str,
        key: impl Fn() -> Cow<'t, str>,
        of: impl Fn(&Option<Rc<Resolved<'c>>>) -> T,
    ) -> T {
        if let Some(known) = self.exact.borrow().get(id) {
            return of(known);
        }
        let resolved = self.resolver.exact(id).map(Rc::new);
        let result = of(&resolved);
        self.exact.borrow_mut().insert(key(), resolved);
        result
    }

    fn near(&self, id: Cow<'t, str>) -> Resolved<'c> {
        let mut near = self.near.borrow_mut();
        if let Some(known) = near.get(&id) {
            return known.clone();
        }
        if near.len() >= self.resolver.policy.limit {
            return Outcome::Unknown.into();
        }
        let resolved = self.resolver.near(&id);
        near.insert(id, resolved.clone());
        resolved
    }

    /// The index by path. It is made for the first link to a file, since most texts hold no link.
    fn by_path(&self) -> &SkillsByPath<'c> {
        let catalog = self.resolver.catalog;
        self.by_path.get_or_init(|| SkillsByPath::new(catalog))
    }
}
