//! What the ids of one text mean: each is looked up once, however often it stands there.

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

/// The ids of one text, as they are met.
pub(crate) struct Memo<'r, 't, 'c> {
    pub(crate) resolver: &'r Resolver<'c>,
    /// What each id means that a skill has exactly; `None`: no skill has it. Text can hold a hundred
    /// thousand different ids: their entries are small.
    exact: RefCell<HashMap<Cow<'t, str>, Option<Rc<Resolved<'c>>>, Hasher>>,
    /// What the ids mean for which near matches were searched.
    near: RefCell<HashMap<Cow<'t, str>, Resolved<'c>, Hasher>>,
    located: OnceCell<SkillsByPath<'c>>,
}

impl<'r, 't, 'c> Memo<'r, 't, 'c> {
    pub(crate) fn new(resolver: &'r Resolver<'c>) -> Self {
        Self {
            resolver,
            exact: RefCell::default(),
            near: RefCell::default(),
            located: OnceCell::new(),
        }
    }

    /// Whether an id, in normal form, is exactly a name, an alias or a qualified id, whatever the
    /// state of its skill.
    pub(crate) fn is_exact(&self, id: &str) -> bool {
        self.exact(id, || id.to_owned().into(), Option::is_some)
    }

    /// What an id means, in normal form.
    pub(crate) fn meaning(&self, id: Cow<'t, str>) -> Resolved<'c> {
        let exact = self.exact(&id, || id.clone(), |known| known.as_deref().cloned());
        exact.unwrap_or_else(|| self.near(id))
    }

    /// What the address of a link means. It never stands for more than the one skill.
    pub(crate) fn linked(&self, link: &Link) -> Resolved<'c> {
        let entry = match link {
            Link::Skill(address) => address::skill(address)
                .and_then(|(source, name)| self.resolver.catalog.in_source(&source, &name)),
            Link::File(path) => address::paths(path).find_map(|path| self.located().file(&path)),
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
        let meaning = self.resolver.exact(id).map(Rc::new);
        let result = of(&meaning);
        self.exact.borrow_mut().insert(key(), meaning);
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
        let meaning = self.resolver.near(&id);
        near.insert(id, meaning.clone());
        meaning
    }

    /// Made for the first link to a file: most texts hold none.
    fn located(&self) -> &SkillsByPath<'c> {
        let catalog = self.resolver.catalog;
        self.located.get_or_init(|| SkillsByPath::new(catalog))
    }
}
