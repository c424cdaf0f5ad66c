//! Resolves one id: its meaning, and whether this surface may start the skill now.

// Several skills of equal rank are offered by their qualified ids, also if all of them are disabled.

use crate::catalog::Catalog;
use crate::catalog::names::Claim;
use crate::catalog::skill::Skill;
use crate::resolve::outcome::{Notice, Outcome, Surface};
use skills_format::mention::{Id, Near, NearKind, Refusal};

/// A resolver of ids for one catalog and one surface.
pub(crate) struct Resolver<'c> {
    pub(crate) catalog: &'c Catalog,
    pub(crate) surface: Surface,
    #[cfg(test)]
    pub(crate) steps: Steps,
}

/// The meaning of one id.
#[derive(Clone, Debug)]
pub(crate) struct Resolved<'c> {
    pub(crate) outcome: Outcome,
    pub(crate) skill: Option<Skill<'c>>,
}

/// The number of look-ups and searches in the catalog. Tests use it to prove that the work is linear.
#[cfg(test)]
#[derive(Debug, Default)]
pub(crate) struct Steps {
    pub(crate) look_ups: std::cell::Cell<usize>,
    pub(crate) searches: std::cell::Cell<usize>,
}

impl<'c> Resolver<'c> {
    pub(crate) fn new(catalog: &'c Catalog, surface: Surface) -> Self {
        Self {
            catalog,
            surface,
            #[cfg(test)]
            steps: Steps::default(),
        }
    }

    /// Returns the meaning of an id, including near matches.
    pub(crate) fn resolve(&self, id: &str) -> Resolved<'c> {
        self.exact(id).unwrap_or_else(|| self.near(id))
    }

    /// Returns the meaning of an id that a skill has exactly. Returns `None` if no skill has the id.
    pub(crate) fn exact(&self, id: &str) -> Option<Resolved<'c>> {
        #[cfg(test)]
        self.steps.look_ups.update(|count| count + 1);
        // Never looked up as a bare name: `other:deploy` must not start a skill of another source.
        let Id { source, name } = Id::parse(id);
        if let Some(source) = source {
            return self.qualified(source, name);
        }
        let claim = self.catalog.claim(name);
        match claim.first {
            None => self.unclaimed(id),
            Some(_) if !claim.others.is_empty() => Some(self.one_of_several(claim)),
            // The skill answers to its name, so the name is its id: `checked` would look it up again.
            Some(skill) => Some(self.checked_as(skill, skill.name().to_owned())),
        }
    }

    /// Returns the meaning of an id that is not the name of a trusted skill: an alias, the name or alias
    /// of an untrusted skill, or a slash command.
    fn unclaimed(&self, id: &str) -> Option<Resolved<'c>> {
        let aliased = || {
            let aliased = self.catalog.aliased(id);
            aliased.filter(|skill| skill.answers_to_bare_names() && skill.shadowed_by().is_none())
        };
        let alias = aliased().next();
        // A trusted alias first: an untrusted skill must not take the id from it by its name.
        if alias.is_some()
            && let Some(chosen) = self.choose(aliased().filter(Skill::is_trusted))
        {
            return Some(chosen);
        }
        let named = self.catalog.first_named(id);
        let skill = named.or(alias)?;
        Some(self.checked(skill))
    }

    /// Returns the skill that a name of several equal skills means. The name is ambiguous if several of
    /// them are enabled.
    fn one_of_several(&self, claim: Claim<'c>) -> Resolved<'c> {
        if let Some(skill) = claim.answer() {
            return self.checked(skill);
        }
        let ids = claim.enabled().map(|skill| skill.to_string());
        ambiguous(ids.collect(), None)
    }

    /// Returns the skill of one source that has the name, otherwise the skill that has the alias.
    fn qualified(&self, source: &str, name: &str) -> Option<Resolved<'c>> {
        if let Some(skill) = self.catalog.in_source(source, name) {
            return Some(self.checked(skill));
        }
        let aliased = self.catalog.aliased(name);
        self.choose(aliased.filter(|skill| skill.source() == source))
    }

    /// Returns the highest of several skills that have an id. The id is ambiguous if the next skill has
    /// equal rank. A disabled skill never makes an id ambiguous.
    fn choose(&self, skills: impl Iterator<Item = Skill<'c>>) -> Option<Resolved<'c>> {
        let mut skills = skills.peekable();
        let first = *skills.peek()?;
        // Only plugins share a rank, so a sealed skill, which is first and in a bundle, is alone here.
        let rank = first.layer().rank();
        let mut equals: Vec<Skill<'c>> = skills
            .take_while(|skill| skill.layer().rank() == rank)
            .collect();
        // If a source has several skills with one name, the nearest answers.
        equals.dedup_by(|a, b| a.source == b.source && a.name() == b.name());
        equals.retain(Skill::is_enabled);
        match equals.as_slice() {
            [] => Some(self.checked(first)),
            [one] => Some(self.checked(*one)),
            several => {
                // Skills with one name differ in their qualified ids only.
                let twins = several.iter().all(|skill| skill.name() == first.name());
                let id = |skill: &Skill<'c>| {
                    if twins {
                        skill.to_string()
                    } else {
                        skill.id().into_owned()
                    }
                };
                Some(ambiguous(several.iter().map(id).collect(), None))
            }
        }
    }

    /// Returns the outcome of a matched skill: whether this surface may start the skill now.
    pub(crate) fn checked(&self, skill: Skill<'c>) -> Resolved<'c> {
        self.checked_as(skill, skill.id().into_owned())
    }

    /// Does the same as [`Resolver::checked`] for a skill whose id is known.
    pub(crate) fn checked_as(&self, skill: Skill<'c>, id: String) -> Resolved<'c> {
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
    pub(crate) fn near(&self, id: &str) -> Resolved<'c> {
        #[cfg(test)]
        self.steps.searches.update(|count| count + 1);
        let whole = id.contains(':');
        let near = Near::new(id);
        let mut best = NearKind::Part;
        let mut ids: Vec<String> = Vec::new();
        for skill in self.catalog {
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
        ids.sort_by(|a, b| (a.contains(':'), a).cmp(&(b.contains(':'), b)));
        ids.dedup();
        if ids.is_empty() {
            return Outcome::Unknown.into();
        }
        ambiguous(ids, Some(best))
    }

    /// Returns the id to offer for a near match. Returns `None` if this surface could not start the
    /// skill: a suggestion must work.
    fn offered(&self, skill: Skill<'c>) -> Option<String> {
        let ready = skill.is_enabled() && skill.missing().is_empty() && self.may_start(skill);
        let id = ready.then(|| skill.listed_as())??;
        Some(id.into_owned())
    }

    fn may_start(&self, skill: Skill<'c>) -> bool {
        match self.surface {
            Surface::User => skill.fields().user_invocable,
            Surface::Model => !skill.fields().disable_model_invocation,
        }
    }
}

impl<'c> Resolved<'c> {
    /// Returns the skill that may be started, or the notice that gives the reason.
    pub(crate) fn or_notice(self, id: &str) -> Result<Skill<'c>, Notice> {
        self.skill.ok_or_else(|| Notice {
            id: id.to_owned(),
            outcome: self.outcome,
        })
    }
}

fn ambiguous<'c>(candidates: Vec<String>, kind: Option<NearKind>) -> Resolved<'c> {
    let qualified = candidates.iter().find(|id| id.contains(':'));
    let use_id = qualified.or(candidates.first()).cloned();
    Outcome::Ambiguous {
        use_id: use_id.unwrap_or_default(),
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
