//! Resolves one id: its meaning, and whether this surface may start the skill now.

// Several skills of equal rank are offered by their qualified ids, also if all of them are disabled.

use crate::catalog::Catalog;
use crate::catalog::skill::Skill;
use crate::resolve::outcome::{Outcome, Surface};
use skills_format::mention::{Id, Near, NearKind, Refusal};

/// A resolver of ids for one catalog and one surface.
#[derive(Clone, Copy)]
pub(crate) struct Resolver<'c> {
    pub(crate) catalog: &'c Catalog,
    pub(crate) surface: Surface,
}

/// The meaning of one id. The skill may be started if the outcome is `Found`.
#[derive(Clone, Debug)]
pub(crate) struct Resolved<'c> {
    pub(crate) outcome: Outcome,
    pub(crate) skill: Option<Skill<'c>>,
}

impl<'c> Resolver<'c> {
    /// Returns the meaning of an id that a skill has exactly. Returns `None` if no skill has the id.
    pub(crate) fn exact(self, id: &str) -> Option<Resolved<'c>> {
        #[cfg(test)]
        crate::counted::LOOK_UPS.with(|count| count.update(|count| count + 1));
        let Id { source, name } = Id::parse(id);
        // Never looked up as a bare name: `other:deploy` must not start a skill of another source.
        if let Some(source) = source {
            if let Some(skill) = self.catalog.in_source(source, name) {
                return Some(self.checked(skill));
            }
            let mut aliased = self.catalog.aliased(name);
            aliased.retain(|skill| skill.source() == source);
            return self.choose(aliased);
        }
        let claim = self.catalog.claim(name);
        if let Some(first) = claim.first.filter(|_| claim.is_trusted) {
            return Some(match claim.answer() {
                // The skill answers to its name, so the name is its id: `checked` would look it up again.
                Some(_) if claim.others.is_empty() => {
                    self.checked_as(first, first.name().to_owned())
                }
                Some(skill) => self.checked(skill),
                None => {
                    let ids = claim.enabled().map(|skill| skill.to_string());
                    ambiguous(ids.collect(), None)
                }
            });
        }
        let mut aliased = self.catalog.aliased(id);
        aliased.retain(|skill| skill.answers_to_bare_names() && skill.shadowed_by().is_none());
        let untrusted = claim.first.or(aliased.first().copied());
        // A trusted alias first: an untrusted skill must not take the id from it by its name.
        aliased.retain(Skill::is_trusted);
        let chosen = self.choose(aliased);
        chosen.or_else(|| untrusted.map(|skill| self.checked(skill)))
    }

    /// Returns the highest of several skills that have an id. The id is ambiguous if the next skill has
    /// equal rank. A disabled skill never makes an id ambiguous.
    fn choose(self, mut equals: Vec<Skill<'c>>) -> Option<Resolved<'c>> {
        let first = *equals.first()?;
        // Only plugins share a rank, so a sealed skill, which is first and in a bundle, is alone here.
        let rank = first.layer().rank;
        let lower = equals.iter().position(|skill| skill.layer().rank != rank);
        equals.truncate(lower.unwrap_or(equals.len()));
        // If a source has several skills with one name, the nearest answers.
        equals.dedup_by(|a, b| a.source == b.source && a.name() == b.name());
        equals.retain(Skill::is_enabled);
        if let [] | [_] = *equals {
            return Some(self.checked(*equals.first().unwrap_or(&first)));
        }
        // Skills with one name differ in their qualified ids only.
        let twins = equals.iter().all(|skill| skill.name() == first.name());
        let ids = equals.iter().map(|skill| match skill.id() {
            _ if twins => skill.to_string(),
            id => id.into_owned(),
        });
        let ids: Vec<String> = ids.collect();
        let ready = equals.iter().zip(&ids);
        let ready = ready.filter(|(skill, _)| self.offered(**skill).is_some());
        let preferred = preferred(ready.map(|(_, id)| id));
        let mut resolved = ambiguous(ids, None);
        // The notice recommends a skill that this surface may start, if there is one.
        if let (Outcome::Ambiguous { use_id, .. }, Some(id)) = (&mut resolved.outcome, preferred) {
            *use_id = id;
        }
        Some(resolved)
    }

    /// Returns the outcome of a matched skill: whether this surface may start the skill now.
    pub(crate) fn checked(self, skill: Skill<'c>) -> Resolved<'c> {
        self.checked_as(skill, skill.id().into_owned())
    }

    /// Does the same as [`Resolver::checked`] for a skill whose id is known.
    pub(crate) fn checked_as(self, skill: Skill<'c>, id: String) -> Resolved<'c> {
        // Trust first: what an untrusted skill says of its needs and of who may start it does not count.
        let why = if !skill.is_trusted() {
            let changed = skill.has_changed();
            Refusal::Untrusted { changed }
        } else if !skill.is_enabled() {
            let unknown = self.catalog.disabled().unknown.as_deref();
            let unknown = unknown.filter(|why| !why.is_empty()).map(Into::into);
            Refusal::Disabled { unknown }
        } else if let needs = skill.missing()
            && !needs.is_empty()
        {
            Refusal::Ineligible { needs }
        } else if !self.may_start(skill) {
            let by_model = self.surface == Surface::Model;
            Refusal::NotInvocable { by_model }
        } else {
            let source = skill.source().to_owned();
            return Resolved {
                outcome: Outcome::Found { skill: id, source },
                skill: Some(skill),
            };
        };
        Outcome::Refused { skill: id, why }.into()
    }

    /// Returns the meaning of an id that no skill has: searches all names for near matches.
    pub(crate) fn near(self, id: &str) -> Resolved<'c> {
        #[cfg(test)]
        crate::counted::SEARCHES.with(|count| count.update(|count| count + 1));
        let whole = id.contains(':');
        let near = Near::new(id);
        let mut best = NearKind::Part;
        let mut ids: Vec<String> = Vec::new();
        for skill in self.catalog.iter() {
            let nearness = if whole && !skill.answers_to_bare_names() {
                near.to(&skill.to_string(), best)
            } else {
                near.to(skill.name(), best)
            };
            let Some(nearness) = nearness.filter(|nearness| nearness.kind <= best) else {
                continue;
            };
            // Before `best` changes: a skill that cannot be offered must not hide a match of a weaker
            // kind.
            let Some(id) = self.offered(skill) else {
                continue;
            };
            if nearness.kind < best {
                ids.clear();
                best = nearness.kind;
            }
            ids.push(id);
        }
        // Bare names before qualified ids, and never in the order of the sources: a notice offers the first id, and must
        // offer the same id after a reload.
        ids.sort_unstable_by(|a, b| (a.contains(':'), a).cmp(&(b.contains(':'), b)));
        ids.dedup();
        if ids.is_empty() {
            return Outcome::Unknown.into();
        }
        ambiguous(ids, Some(best))
    }

    /// Returns the id to offer for a near match. Returns `None` if this surface could not start the
    /// skill: a suggestion must work.
    fn offered(self, skill: Skill<'c>) -> Option<String> {
        let ready = skill.is_enabled() && skill.missing().is_empty() && self.may_start(skill);
        let id = ready.then(|| skill.listed_as())??;
        Some(id.into_owned())
    }

    fn may_start(self, skill: Skill<'c>) -> bool {
        match self.surface {
            Surface::User => skill.fields().user_invocable,
            Surface::Model => !skill.fields().disable_model_invocation,
        }
    }
}

/// Returns the id to recommend: the first qualified id, or else the first.
fn preferred<'i>(mut ids: impl Iterator<Item = &'i String> + Clone) -> Option<String> {
    let qualified = ids.clone().find(|id| id.contains(':'));
    qualified.or_else(|| ids.next()).cloned()
}

fn ambiguous<'c>(candidates: Vec<String>, kind: Option<NearKind>) -> Resolved<'c> {
    Outcome::Ambiguous {
        use_id: preferred(candidates.iter()).unwrap_or_default(),
        candidates: candidates.into(),
        kind,
    }
    .into()
}

impl From<Outcome> for Resolved<'_> {
    fn from(outcome: Outcome) -> Self {
        Self {
            outcome,
            skill: None,
        }
    }
}
