//! Decides which skill answers to a name. [`Catalog::claim`] decides, and all other functions ask it.

use crate::catalog::Catalog;
use crate::catalog::index::{Found, Spot, Spots};
use crate::catalog::skill::Skill;
use skills_format::mention::Id;
use skills_format::nfc;
use std::borrow::Cow;
use std::path::Path;

/// The skills that answer to a bare name. All of them are trusted; some can be disabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim<'c> {
    /// `None`: no trusted skill has the name.
    pub(crate) first: Option<Skill<'c>>,
    /// The other skills with an equal right to the name, in order of sources. A source can have the name more than once,
    /// with the nearest skill first.
    pub(crate) others: &'c [Spot],
}

impl Catalog {
    /// Finds the skills that answer to a bare name in normal form. A disabled skill keeps its right to a
    /// name. Allocates nothing, unless several bundles have the name.
    pub(crate) fn claim(&self, name: &str) -> Claim<'_> {
        match self.found(name) {
            Some(found) => self.claim_of(found),
            None => self.claim_of_bundles(name),
        }
    }

    /// Returns the skills of a name in normal form. Returns `None` if only bundles can have the name.
    fn found(&self, name: &str) -> Option<&Found> {
        #[cfg(test)]
        crate::counted::LOOK_UPS.with(|count| count.update(|count| count + 1));
        self.merged().names.get(name)
    }

    fn claim_of<'c>(&'c self, found: &'c Found) -> Claim<'c> {
        match found.spots.get(..found.claims) {
            Some([first, others @ ..]) => Claim {
                first: Skill::of(self, *first),
                others,
            },
            _ => None.into(),
        }
    }

    fn claim_of_bundles(&self, name: &str) -> Claim<'_> {
        let merged = self.merged();
        if let &[(source, bundle)] = merged.bundles.as_slice() {
            let skill = bundle.by_name(name);
            return skill
                .map(|skill| Skill::bundled_in(self, source, skill))
                .into();
        }
        let mut spots = merged.in_bundles(|bundle| bundle.by_name(name));
        spots.next().and_then(|spot| Skill::of(self, spot)).into()
    }

    /// Finds the skill of an id: a bare name, `source:name`, or the path of a skill's folder or of its
    /// `SKILL.md`. Also finds a skill that may not be started, such as an untrusted skill. Returns `None` if no
    /// skill, or several enabled skills of equal rank, have the name.
    ///
    /// # Cost
    ///
    /// A name and `source:name` cost what [`Catalog`] states. A path is compared with the paths of all
    /// skills.
    pub fn get(&self, id: &str) -> Option<Skill<'_>> {
        // The written name first, without normalization: most ids are names in normal form.
        let claim = self.claim_or_untrusted(id);
        if claim.first.is_some() {
            return claim.answer();
        }
        let is_plain = |byte: u8| {
            byte.is_ascii() && byte != b':' && !std::path::is_separator(char::from(byte))
        };
        // Such an id is in normal form, has no source and is not a path: no other look-up can find it.
        if id.bytes().all(is_plain) {
            return None;
        }
        let by_path = self.of_path(id);
        by_path.or_else(|| match (Id::parse(id), nfc(id)) {
            (
                Id {
                    source: Some(source),
                    name,
                },
                _,
            ) => self.in_source(source, name),
            (_, Cow::Owned(id)) => self.claim_or_untrusted(&id).answer(),
            (_, Cow::Borrowed(_)) => None,
        })
    }

    /// Finds the skills that answer to a bare name in normal form, or the first skill of the name if none of
    /// them is trusted. Looks the name up once.
    fn claim_or_untrusted(&self, name: &str) -> Claim<'_> {
        let Some(found) = self.found(name) else {
            return self.claim_of_bundles(name);
        };
        let claim = self.claim_of(found);
        if claim.first.is_some() {
            return claim;
        }
        let mut named = Spots::of(&found.spots).filter_map(|spot| Skill::of(self, spot));
        named.find(Skill::answers_to_bare_names).into()
    }

    /// Returns the first skill that a bare name can mean, trusted or not.
    pub(crate) fn first_named(&self, name: &str) -> Option<Skill<'_>> {
        let mut named = self.with_name(name);
        named.find(Skill::answers_to_bare_names)
    }

    /// Iterates over every skill with this name, in order of precedence.
    pub(crate) fn with_name(&self, name: &str) -> impl Iterator<Item = Skill<'_>> {
        #[cfg(test)]
        crate::counted::LOOK_UPS.with(|count| count.update(|count| count + 1));
        let name = nfc(name);
        let merged = self.merged();
        let spots = match merged.names.get(&*name) {
            Some(found) => Spots::of(&found.spots),
            None => merged.in_bundles(|bundle| bundle.by_name(&name)),
        };
        spots.filter_map(|spot| Skill::of(self, spot))
    }

    /// Iterates over every skill with this alias, in order of precedence.
    pub(crate) fn aliased(&self, alias: &str) -> impl Iterator<Item = Skill<'_>> {
        #[cfg(test)]
        crate::counted::LOOK_UPS.with(|count| count.update(|count| count + 1));
        let alias = nfc(alias);
        let merged = self.merged();
        let spots = match merged.aliases.get(&*alias) {
            Some(found) => Spots::of(&found.spots),
            None => merged.in_bundles(|bundle| bundle.by_alias(&alias)),
        };
        spots.filter_map(|spot| Skill::of(self, spot))
    }

    /// Finds the skill with this name in one source, also if the skill is shadowed. If the source has
    /// several, the nearest is returned.
    pub(crate) fn in_source(&self, source: &str, name: &str) -> Option<Skill<'_>> {
        let mut named = self.with_name(name);
        named.find(|skill| skill.source() == source)
    }

    /// Finds the skill of a folder, or of the `SKILL.md` in the folder. Also finds a skill that has no
    /// other id, because a nearer skill of its source has the name. Compares the written paths.
    pub(crate) fn by_path(&self, path: &Path) -> Option<Skill<'_>> {
        let is_file = |name: &str| path.file_name().is_some_and(|file| file == name);
        self.iter().find(|skill| {
            skill.folder().is_some_and(|dir| {
                dir == path || is_file(skill.file_name()) && path.parent() == Some(dir)
            })
        })
    }

    /// Returns the skill of an id that is a path.
    pub(crate) fn of_path(&self, id: &str) -> Option<Skill<'_>> {
        let is_path = id.contains(std::path::is_separator);
        is_path.then(|| self.by_path(Path::new(id)))?
    }
}

impl<'c> From<Option<Skill<'c>>> for Claim<'c> {
    fn from(first: Option<Skill<'c>>) -> Self {
        Self { first, others: &[] }
    }
}

impl<'c> Claim<'c> {
    /// Iterates over the nearest skill of each source, in order of sources.
    pub(crate) fn iter(self) -> impl Iterator<Item = Skill<'c>> {
        let mut before = self.first.map(|first| first.source);
        let others = self.others.iter().filter(move |spot| {
            let is_next = Some(spot.source) != before;
            before = Some(spot.source);
            is_next
        });
        let others = others.filter_map(move |spot| Skill::of(self.first?.catalog?, *spot));
        self.first.into_iter().chain(others)
    }

    pub(crate) fn enabled(self) -> impl Iterator<Item = Skill<'c>> {
        self.iter().filter(Skill::is_enabled)
    }

    /// Returns whether the skill has a right to the name.
    pub(crate) fn includes(self, skill: Skill<'c>) -> bool {
        self.iter().any(|other| other == skill)
    }

    /// Returns the skill that the name alone identifies: the only one, or the only enabled one.
    pub(crate) fn named(self) -> Option<Skill<'c>> {
        if self.others.is_empty() {
            return self.first;
        }
        let mut enabled = self.enabled();
        enabled.next().filter(|_| enabled.next().is_none())
    }

    /// Returns the skill that the name means: the only enabled skill, or the first if all are disabled. Returns `None`
    /// if several enabled skills answer to the name.
    pub(crate) fn answer(self) -> Option<Skill<'c>> {
        // Most names have one skill: nothing is asked about it.
        if self.others.is_empty() || self.enabled().next().is_none() {
            return self.first;
        }
        self.named()
    }
}

impl Skill<'_> {
    /// Returns whether a bare name can mean the skill.
    pub(crate) fn answers_to_bare_names(&self) -> bool {
        !self.layer().namespaced
    }
}

#[cfg(test)]
mod properties;
