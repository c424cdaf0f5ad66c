//! What a person is told of the mentions of a text, and what is passed over.

use crate::catalog::index::Hasher;
use crate::mention::notice::{Notice, notice};
use crate::mention::policy::{Notices, Surface};
use crate::mention::resolver::Resolver;
use crate::mention::{NearKind, Outcome};
use std::borrow::Cow;
use std::collections::HashSet;

/// Shortest id of which a slip of the finger is told wherever it stands, in characters.
const TOLD_ANYWHERE: usize = 5;

/// The notices of a text, each once, in order of first mention.
#[derive(Default)]
pub(crate) struct NoticeList<'t> {
    notices: Vec<Notice>,
    /// Skills that were named after as many as the policy allows.
    ignored: Vec<String>,
    /// Skills of which something is said already.
    skills: HashSet<String, Hasher>,
    /// Memo of which something is said already, with what is said.
    ids: HashSet<(&'static str, Cow<'t, str>), Hasher>,
}

impl<'t> NoticeList<'t> {
    /// Adds what is said of one mention.
    pub(crate) fn add(
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
            let told = match *outcome {
                Outcome::Unknown => TellWhere::of_unknown(resolver),
                Outcome::Suggestion { kind, .. } => TellWhere::of_near(kind),
                Outcome::Ambiguous { kind, .. } => {
                    kind.map_or(TellWhere::Anywhere, TellWhere::of_near)
                }
                _ => TellWhere::Nowhere,
            };
            let id = id();
            if !told.is_said(resolver, &id, leads) || !self.ids.insert((outcome.as_str(), id)) {
                return;
            }
        }
        if let Outcome::TooMany { skill } = outcome {
            self.ignored.push(skill.clone());
        } else {
            self.notices
                .extend(notice(resolver.surface, &id(), outcome));
        }
    }

    /// All notices.
    pub(crate) fn notices(mut self, limit: usize) -> Vec<Notice> {
        let ignored = self.ignored;
        if !ignored.is_empty() {
            self.notices.push(Notice::TooMany { limit, ignored });
        }
        self.notices
    }

    /// All notices where none of the skills is used.
    pub(crate) fn choose_one(mut self, skills: Vec<String>, limit: usize) -> Vec<Notice> {
        self.notices
            .retain(|notice| !matches!(notice, Notice::Using { .. }));
        self.notices.push(Notice::ChooseOne { skills });
        self.notices(limit)
    }
}

/// Where something is said of an id that no one skill has. Prose holds `$variables`: of what may be
/// one only where it leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TellWhere {
    Anywhere,
    /// Of an id of five characters or more.
    AnywhereIfLong,
    Leading,
    Nowhere,
}

impl TellWhere {
    fn of_unknown(resolver: &Resolver<'_>) -> Self {
        let silent = resolver.policy.notices == Notices::SilentUnknown;
        if silent || resolver.surface == Surface::Model {
            Self::Nowhere
        } else {
            Self::Leading
        }
    }

    fn of_near(kind: NearKind) -> Self {
        match kind {
            NearKind::Equal | NearKind::Order | NearKind::Distance => Self::AnywhereIfLong,
            NearKind::Initials | NearKind::Prefix | NearKind::Part => Self::Leading,
        }
    }

    fn is_said(self, resolver: &Resolver<'_>, id: &str, leads: bool) -> bool {
        let always = leads || resolver.policy.notices == Notices::Always;
        match self {
            Self::Anywhere => true,
            Self::AnywhereIfLong => always || id.chars().count() >= TOLD_ANYWHERE,
            Self::Leading => always,
            Self::Nowhere => false,
        }
    }
}
