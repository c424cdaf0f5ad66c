//! Computes the ids of a skill.
use crate::catalog::skill::Skill;
use crate::source::SkillContent;
use skills_format::text::path::PathText as _;
use std::borrow::Cow;

impl<'c> Skill<'c> {
    /// Returns the shortest id that finds the skill:
    ///
    /// 1. the name;
    /// 2. the qualified id, if the name means another skill, or several;
    /// 3. the path of its `SKILL.md`, if a nearer skill of its source has the name.
    pub fn id(&self) -> Cow<'c, str> {
        if self.is_named_by_its_name() {
            return self.name().into();
        }
        match self.content {
            SkillContent::Folder(skill) if self.nearest_in_source() != Some(*self) => {
                skill.path().shown().into_owned().into()
            }
            _ => self.to_string().into(),
        }
    }

    fn is_named_by_its_name(&self) -> bool {
        let Some(catalog) = self.catalog else {
            return true;
        };
        // If no trusted skill has the name, the name leads to an untrusted skill.
        catalog.claim(self.name()).named() == Some(*self)
    }

    fn nearest_in_source(&self) -> Option<Skill<'c>> {
        let mut named = self.catalog?.with_name(self.name()).into_iter();
        named.find(|other| other.source == self.source)
    }

    /// Returns the id that the skill is listed by: the bare name; the qualified id for one of several skills
    /// of equal rank, and for a plugin's skill if plugins are namespaces. Returns `None` if the skill is
    /// shadowed or untrusted.
    pub(crate) fn listed_as(&self) -> Option<Cow<'c, str>> {
        let Some(catalog) = self.catalog else {
            return Some(self.name().into());
        };
        if !self.is_trusted() {
            return None;
        }
        if !self.answers_to_bare_names() {
            let is_nearest = self.nearest_in_source() == Some(*self);
            return is_nearest.then(|| self.to_string().into());
        }
        let claim = catalog.claim(self.name());
        if !claim.includes(*self) {
            None
        } else if claim.named() == Some(*self) {
            Some(self.name().into())
        } else {
            Some(self.to_string().into())
        }
    }

    /// Returns the skill that answers to the name instead: a sealed skill, a skill of a higher rank, or
    /// a nearer skill of the same source. If plugins are namespaces, only a nearer skill of the same plugin shadows a
    /// plugin's skill, and a plugin's skill shadows no skill of another source.
    pub fn shadowed_by(&self) -> Option<Skill<'c>> {
        if self.answers_to_bare_names() {
            let claim = self.catalog?.claim(self.name());
            if claim.includes(*self) {
                return None;
            }
            let by_name = claim.first.filter(|first| first.is_above(self));
            if let Some(by_name) = by_name.or_else(|| self.shadowed_by_untrusted()) {
                return Some(by_name);
            }
        }
        self.nearest_in_source().filter(|nearest| nearest != self)
    }

    /// Returns the untrusted skill of a higher rank that precedes this untrusted skill.
    fn shadowed_by_untrusted(&self) -> Option<Skill<'c>> {
        if self.is_trusted() {
            return None;
        }
        let mut named = self.catalog?.with_name(self.name()).into_iter();
        let first = named.find(|other| other.answers_to_bare_names() && !other.is_trusted());
        first.filter(|first| first.is_above(self))
    }

    fn is_above(&self, other: &Skill<'_>) -> bool {
        self.fields().sealed || self.layer().rank < other.layer().rank
    }
}
