//! Computes the id of a skill, and lists skills by their ids.

use crate::catalog::Catalog;
use crate::catalog::entry::Skill;
use crate::catalog::plugins::Plugins;
use crate::source::SkillContent;
use skills_format::text::path::PathText as _;
use std::borrow::Cow;

impl<'c> Skill<'c> {
    /// Returns `source:name`. This id finds the skill unless a nearer skill of its source has the name.
    pub fn qualified_id(&self) -> String {
        format!("{}:{}", self.source().name(), self.name())
    }

    /// Returns the shortest id that finds the skill:
    ///
    /// 1. the name;
    /// 2. the qualified id, if the name means another skill, or several;
    /// 3. the path of its `SKILL.md`, if a nearer skill of its source has the name.
    pub fn id(&self) -> Cow<'c, str> {
        self.id_under(Plugins::Merged)
    }

    /// Does the same as [`Skill::id`] under a profile. If plugins are namespaces, their skills have only
    /// qualified ids, and take no name from another skill.
    pub fn id_under(&self, plugins: Plugins) -> Cow<'c, str> {
        if self.is_named_by_its_name(plugins) {
            self.name().into()
        } else {
            self.id_in_source().into()
        }
    }

    fn is_named_by_its_name(&self, plugins: Plugins) -> bool {
        let claim = self.catalog.claim(self.name(), plugins);
        let named = match claim.first {
            Some(_) => claim.named(),
            // If no trusted skill has the name, the name leads to an untrusted skill.
            None => self.catalog.first_named(self.name(), plugins),
        };
        named == Some(*self)
    }

    /// Returns the qualified id, or the path of the `SKILL.md` if the qualified id finds another skill.
    fn id_in_source(&self) -> String {
        if let SkillContent::Folder(skill) = self.content
            && self.nearest_in_source() != Some(*self)
        {
            return skill.path().shown().into_owned();
        }
        self.qualified_id()
    }

    fn nearest_in_source(&self) -> Option<Skill<'c>> {
        let mut named = self.catalog.with_name(self.name());
        named.find(|other| other.source == self.source)
    }

    /// Returns the skill that answers to the name instead: a sealed skill, a skill of a higher rank, or
    /// a nearer skill of the same source.
    pub fn shadowed_by(&self) -> Option<Skill<'c>> {
        self.shadowed_under(Plugins::Merged)
    }

    /// Does the same as [`Skill::shadowed_by`] under a profile. If plugins are namespaces, only a nearer
    /// skill of the same plugin shadows a plugin's skill, and a plugin's skill shadows no skill of
    /// another source.
    pub fn shadowed_under(&self, plugins: Plugins) -> Option<Skill<'c>> {
        if self.answers_to_bare_names(plugins) {
            let claim = self.catalog.claim(self.name(), plugins);
            if claim.includes(*self) {
                return None;
            }
            let by_name = claim.first.filter(|first| first.is_above(self));
            if let Some(by_name) = by_name.or_else(|| self.shadowed_by_untrusted(plugins)) {
                return Some(by_name);
            }
        }
        self.nearest_in_source().filter(|nearest| nearest != self)
    }

    /// Returns the untrusted skill of a higher rank that precedes this untrusted skill.
    fn shadowed_by_untrusted(&self, plugins: Plugins) -> Option<Skill<'c>> {
        if self.is_trusted() {
            return None;
        }
        let named = self.catalog.with_name(self.name());
        let mut untrusted =
            named.filter(|other| other.answers_to_bare_names(plugins) && !other.is_trusted());
        untrusted.next().filter(|first| first.is_above(self))
    }

    fn is_above(&self, other: &Skill<'_>) -> bool {
        self.is_sealed() || self.source().rank() < other.source().rank()
    }
}

/// A skill with the id that it is listed by.
#[derive(Clone, Debug)]
pub struct Listed<'c> {
    /// The id by which the skill is listed.
    pub id: Cow<'c, str>,
    /// The skill.
    pub entry: Skill<'c>,
}

impl Catalog {
    /// Iterates over the skills that a model may start, each with the id that it is listed by: enabled,
    /// trusted, eligible and open to the model, in the order of [`iter`](Self::iter). `plugins` is the
    /// value of the profile's policy.
    pub fn for_model(&self, plugins: Plugins) -> impl Iterator<Item = (Cow<'_, str>, Skill<'_>)> {
        for_model(self, plugins).map(|skill| (skill.id, skill.entry))
    }
}

/// Iterates over every trusted skill that is not shadowed, in the catalog's order, enabled or disabled.
pub fn listed(catalog: &Catalog, plugins: Plugins) -> impl Iterator<Item = Listed<'_>> {
    catalog
        .iter()
        .filter_map(move |entry| listed_as(&entry, plugins).map(|id| Listed { id, entry }))
}

/// Iterates over the skills of [`listed`] that the model may start.
pub fn for_model(catalog: &Catalog, plugins: Plugins) -> impl Iterator<Item = Listed<'_>> {
    listed(catalog, plugins)
        .filter(|skill| skill.entry.is_model_invocable() && is_ready(&skill.entry))
}

/// Iterates over the skills of [`listed`] that a person may start.
pub fn for_user(catalog: &Catalog, plugins: Plugins) -> impl Iterator<Item = Listed<'_>> {
    listed(catalog, plugins)
        .filter(|skill| skill.entry.is_user_invocable() && is_ready(&skill.entry))
}

/// Iterates over the skills of [`listed`] that a person cannot start: they are disabled, the host does
/// not meet their needs, or only the model may start them.
pub fn for_user_asleep(catalog: &Catalog, plugins: Plugins) -> impl Iterator<Item = Listed<'_>> {
    listed(catalog, plugins)
        .filter(|skill| !(skill.entry.is_user_invocable() && is_ready(&skill.entry)))
}

fn is_ready(entry: &Skill<'_>) -> bool {
    entry.is_enabled() && entry.is_eligible()
}

/// Returns the id that finds the skill, also for a skill that is not listed.
pub fn id_of<'c>(entry: &Skill<'c>, plugins: Plugins) -> Cow<'c, str> {
    listed_as(entry, plugins).unwrap_or_else(|| entry.qualified_id().into())
}

/// Returns the id that the skill is listed by: the bare name; the qualified id for one of several skills
/// of equal rank, and for a plugin's skill if plugins are namespaces. Returns `None` if the skill is
/// shadowed or untrusted.
pub fn listed_as<'c>(entry: &Skill<'c>, plugins: Plugins) -> Option<Cow<'c, str>> {
    if !entry.is_trusted() {
        return None;
    }
    if !entry.answers_to_bare_names(plugins) {
        let is_nearest = entry.nearest_in_source() == Some(*entry);
        return is_nearest.then(|| entry.qualified_id().into());
    }
    let claim = entry.catalog.claim(entry.name(), plugins);
    if !claim.includes(*entry) {
        None
    } else if claim.named() == Some(*entry) {
        Some(entry.name().into())
    } else {
        Some(entry.qualified_id().into())
    }
}
