//! Decides which skill answers to a name. [`Catalog::claim`] decides, and all other functions ask it.

use crate::bundle::{Baked, Bundle};
use crate::catalog::Catalog;
use crate::catalog::index::{Index, Spot};
use crate::catalog::skill::Skill;
use crate::source::SkillContent;
use skills_format::mention::Id;
use skills_format::nfc;
use std::borrow::Cow;
use std::path::Path;

/// The skills that answer to a bare name. Some can be disabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim<'c> {
    /// If no trusted skill has the name: the first skill that the name can mean.
    pub(crate) first: Option<Skill<'c>>,
    /// The other skills with an equal right to the name, in order of sources. A source can have the name more than once,
    /// with the nearest skill first.
    pub(crate) others: &'c [Spot],
    /// Whether trusted skills answer.
    pub(crate) is_trusted: bool,
}

impl Catalog {
    /// Finds the skills that answer to a bare name in normal form. A disabled skill keeps its right to a
    /// name. Allocates nothing.
    pub(crate) fn claim(&self, name: &str) -> Claim<'_> {
        let mut claim = Claim {
            first: None,
            others: &[],
            is_trusted: true,
        };
        let merged = self.merged();
        let Some(found) = merged.names.get(name) else {
            let bundles = merged.bundles.iter();
            let named = bundles.filter_map(|&(source, it)| Some((source, it.by_name(name)?)));
            let is_sealed = |skill: Baked| skill.fields().sealed;
            let first = named.reduce(|first, next| {
                if is_sealed(next.1) && !is_sealed(first.1) {
                    next
                } else {
                    first
                }
            });
            claim.first = first.map(|(source, skill)| self.bundled(source, skill));
            return claim;
        };
        match found.spots.split_at(found.claims) {
            ([first, others @ ..], _) => {
                claim.first = Some(Skill::of(self, *first));
                claim.others = others;
            }
            ([], spots) => {
                let mut named = spots.iter().map(|spot| Skill::of(self, *spot));
                claim.first = named.find(Skill::answers_to_bare_names);
                claim.is_trusted = false;
            }
        }
        claim
    }

    pub(crate) fn bundled(&self, source: usize, skill: Baked) -> Skill<'_> {
        Skill {
            catalog: Some(self),
            source,
            index: skill.index(),
            content: SkillContent::Bundled(skill),
        }
    }

    /// Returns every skill with this name, in order of precedence.
    pub(crate) fn with_name(&self, name: &str) -> Vec<Skill<'_>> {
        self.listed(&self.merged().names, name, Bundle::by_name)
    }

    /// Returns every skill with this alias, in order of precedence.
    pub(crate) fn aliased(&self, alias: &str) -> Vec<Skill<'_>> {
        self.listed(&self.merged().aliases, alias, Bundle::by_alias)
    }

    fn listed(
        &self,
        index: &Index,
        key: &str,
        find: fn(&'static Bundle, &str) -> Option<Baked>,
    ) -> Vec<Skill<'_>> {
        let key = nfc(key);
        if let Some(found) = index.get(&*key) {
            return found
                .spots
                .iter()
                .map(|spot| Skill::of(self, *spot))
                .collect();
        }
        self.ordered(Vec::new(), &key, find)
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
        let claim = self.claim(id);
        if claim.first.is_some() {
            return claim.answer();
        }
        // An id in ASCII is in normal form. Without a source, and if it is no path, no other look-up can find it.
        // Without an early end the loop has no branch: most ids are plain.
        let odd = |byte: u8| {
            byte >> 7
                | [b':', b'/', b'\\']
                    .map(|it| u8::from(byte == it))
                    .iter()
                    .sum::<u8>()
        };
        if id.bytes().fold(0, |found, byte| found | odd(byte)) == 0 {
            return None;
        }
        let by_path = self.of_path(id);
        let Id { source, name } = Id::parse(id);
        by_path.or_else(|| match (source, nfc(id)) {
            (Some(source), _) => self.in_source(source, name),
            (None, Cow::Owned(id)) => self.claim(&id).answer(),
            (None, Cow::Borrowed(_)) => None,
        })
    }

    /// Finds the skill with this name in one source, also if the skill is shadowed. If the source has
    /// several, the nearest is returned.
    pub(crate) fn in_source(&self, source: &str, name: &str) -> Option<Skill<'_>> {
        let mut named = self.with_name(name).into_iter();
        named.find(|skill| skill.source() == source)
    }

    /// Returns the skill of an id that is the path of its folder, or of the `SKILL.md` in the folder. Also finds a skill
    /// that has no other id, because a nearer skill of its source has the name. Compares the written paths.
    pub(crate) fn of_path(&self, id: &str) -> Option<Skill<'_>> {
        if !id.contains(std::path::is_separator) {
            return None;
        }
        let path = Path::new(id);
        let is_file = |name: &str| path.file_name().is_some_and(|file| file == name);
        self.iter().find(|skill| {
            skill.folder().is_some_and(|dir| {
                dir == path || is_file(skill.file_name()) && path.parent() == Some(dir)
            })
        })
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
        let others = others.filter_map(move |spot| Some(Skill::of(self.first?.catalog?, *spot)));
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
        if self.others.is_empty() || self.enabled().next().is_some() {
            return self.named();
        }
        self.first
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
