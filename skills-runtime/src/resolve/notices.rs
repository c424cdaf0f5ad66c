//! Collects the notices about the mentions of a text, and decides which mentions give a notice.

use crate::resolve::notice::{Notice, notice};
use crate::resolve::outcome::{NearKind, Outcome};
use crate::resolve::resolver::Resolver;
use crate::resolve::surface::Surface;
use skills_format::text::map::TextSet;
use std::borrow::Cow;

/// The minimum number of characters of a mistyped id that gives a notice anywhere in a text. A shorter
/// id can be a `$variable` in prose.
const LONG: usize = 5;

/// The outcomes that give a notice to the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Notices {
    /// All outcomes, with two exceptions. Unknown and vaguely near mentions give a notice only if they
    /// lead the text. An unknown mention in a model's text gives no notice.
    Leading,
    /// All outcomes, also in a model's text.
    Always,
    /// The outcomes of [`Notices::Leading`] without unknown mentions.
    SilentUnknown,
}

/// The notices of a text, without duplicates, in the order of the first mentions.
pub(crate) struct NoticeList {
    policy: Notices,
    notices: Vec<Notice>,
    /// The skills beyond the policy's limit.
    ignored: Vec<String>,
    /// The skills that already have a notice.
    skills: TextSet<'static>,
    /// The ids that already have a notice, after the name of their outcome and a space.
    ids: TextSet<'static>,
}

impl NoticeList {
    pub(crate) fn new(policy: Notices) -> Self {
        Self {
            policy,
            notices: Vec::new(),
            ignored: Vec::new(),
            skills: TextSet::default(),
            ids: TextSet::default(),
        }
    }

    /// Adds the notice of one mention.
    pub(crate) fn add<'t>(
        &mut self,
        resolver: &Resolver<'_>,
        id: impl Fn() -> Cow<'t, str>,
        leads: bool,
        outcome: &Outcome,
    ) {
        if let Some(skill) = outcome.skill() {
            if self.skills.contains(skill) {
                return;
            }
            self.skills.insert(skill.to_owned());
        } else {
            let place = match *outcome {
                Outcome::Unknown => TellWhere::of_unknown(self.policy, resolver.surface),
                Outcome::Suggestion { kind, .. } => TellWhere::of_near(kind),
                Outcome::Ambiguous { kind, .. } => {
                    kind.map_or(TellWhere::Anywhere, TellWhere::of_near)
                }
                _ => TellWhere::Nowhere,
            };
            let id = id();
            if !place.holds(&id, leads || self.policy == Notices::Always)
                || !self.ids.insert(format!("{} {id}", outcome.as_str()))
            {
                return;
            }
        }
        if let Outcome::TooMany { skill } = outcome {
            self.ignored.push(skill.clone());
        } else {
            self.notices.extend(notice(
                resolver.surface,
                &id(),
                outcome,
                resolver.catalog.state(),
            ));
        }
    }

    /// Returns all notices.
    pub(crate) fn notices(mut self, limit: usize) -> Vec<Notice> {
        let ignored = self.ignored;
        if !ignored.is_empty() {
            self.notices.push(Notice::TooMany { limit, ignored });
        }
        self.notices
    }
}

/// The places at which an id gives a notice if it does not name exactly one skill. Prose can hold
/// `$variables`, so a possible variable gives a notice only if it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TellWhere {
    Anywhere,
    /// Anywhere if the id has at least [`LONG`] characters, otherwise only if it leads.
    AnywhereIfLong,
    Leading,
    Nowhere,
}

impl TellWhere {
    fn of_unknown(policy: Notices, surface: Surface) -> Self {
        match policy {
            Notices::Always => Self::Anywhere,
            Notices::SilentUnknown => Self::Nowhere,
            // The prose of a model holds `$variables`, and the person did not type them.
            Notices::Leading if surface == Surface::Model => Self::Nowhere,
            Notices::Leading => Self::Leading,
        }
    }

    fn of_near(kind: NearKind) -> Self {
        match kind {
            NearKind::Equal | NearKind::Order | NearKind::Distance => Self::AnywhereIfLong,
            NearKind::Initials | NearKind::Prefix | NearKind::Part => Self::Leading,
        }
    }

    fn holds(self, id: &str, always: bool) -> bool {
        match self {
            Self::Anywhere => true,
            Self::AnywhereIfLong => always || id.chars().count() >= LONG,
            Self::Leading => always,
            Self::Nowhere => false,
        }
    }
}
