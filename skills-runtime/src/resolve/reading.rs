//! Reads the mentions of a text that is not a slash command, and composes its resolution.

// A text with the form of a host's slash command is not scanned on any line: a command's name ends at
// any white space.

use crate::catalog::entry::Entry;
use crate::catalog::plugins::Plugins;
use crate::resolve::address;
use crate::resolve::leading::Leading;
use crate::resolve::memo::Memo;
use crate::resolve::notices::{NoticeList, Notices};
use crate::resolve::outcome::{Mention, Outcome};
use crate::resolve::resolution::{Resolution, SkillToStart};
use crate::resolve::resolver::{Resolved, Resolver};
use crate::resolve::slash::is_of_host;
use skills_format::{Candidate, CandidateKind, scan};

/// How the mentions of a text are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MentionPolicy {
    /// What is reported about mentions that start no skill.
    pub notices: Notices,
    /// How skills of plugins are named.
    pub plugins: Plugins,
    /// The maximum number of skills that one text can start, and of ids that are compared with all names.
    pub limit: usize,
}

impl MentionPolicy {
    /// Eight skills, notices at the start of a text, and plugins that answer to bare names.
    pub const DEFAULT: Self = Self {
        notices: Notices::Leading,
        plugins: Plugins::Merged,
        limit: 8,
    };
}

impl Default for MentionPolicy {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Resolves the mentions of a text.
pub(crate) fn resolution(
    text: &str,
    resolver: &Resolver<'_>,
    policy: &MentionPolicy,
) -> Resolution {
    let memo = Memo::new(resolver, policy.limit);
    let candidates = if is_of_host(text, resolver.surface) {
        Vec::new()
    } else {
        scan(text, &|id| memo.is_exact(id))
    };
    let mut reading = Reading::new(text, &memo, policy);
    for candidate in &candidates {
        // Not `is_mention`: an escaped or reserved candidate is a mention too, with an outcome that starts no skill.
        if candidate.masked.is_none() {
            reading.add(candidate);
        }
    }
    reading.resolution()
}

/// The state of reading a text up to a mention.
struct Reading<'t, 'i, 'c> {
    memo: &'i Memo<'i, 't, 'c>,
    policy: &'i MentionPolicy,
    mentions: Vec<Mention>,
    /// The skills that were found, in order of first mention.
    skills: Vec<Skill<'c>>,
    leading: Leading<'t>,
    notices: NoticeList,
}

/// A skill that a text names.
struct Skill<'c> {
    entry: Entry<'c>,
    id: String,
    /// `true` if a mention of the skill leads.
    leads: bool,
}

impl<'t, 'i, 'c> Reading<'t, 'i, 'c> {
    fn new(text: &'t str, memo: &'i Memo<'i, 't, 'c>, policy: &'i MentionPolicy) -> Self {
        Self {
            memo,
            policy,
            mentions: Vec::new(),
            skills: Vec::new(),
            leading: Leading::new(text),
            notices: NoticeList::new(policy.notices),
        }
    }

    /// Adds a candidate: its outcome, its notice and its skill, and its place among the leading mentions.
    fn add(&mut self, candidate: &Candidate<'t>) {
        let leads = self.leading.leads(candidate);
        let outcome = self.outcome(candidate, leads);
        if outcome == Outcome::Unknown && is_variable(candidate.id()) {
            // An id in capitals that no skill has, not even nearly, is a variable: it is not a mention
            // and gets no notice.
            self.leading.keep();
            return;
        }
        if leads && matches!(outcome, Outcome::Found { .. }) {
            self.leading.remove(candidate.extent);
        } else {
            self.leading.keep();
        }
        let id = || match &candidate.kind {
            CandidateKind::Linked(link) => address::id(link).into(),
            _ => candidate.id().into(),
        };
        self.notices.add(self.memo.resolver, id, leads, &outcome);
        self.mentions.push(Mention {
            span: candidate.span,
            raw: candidate.raw.to_owned(),
            leads,
            outcome,
        });
    }

    /// Returns the outcome of a candidate. Adds its skill, up to the limit of the policy.
    fn outcome(&mut self, candidate: &Candidate<'t>, leads: bool) -> Outcome {
        let Resolved { outcome, entry } = match &candidate.kind {
            CandidateKind::Escaped => Outcome::Escaped.into(),
            CandidateKind::Reserved => Outcome::Reserved.into(),
            CandidateKind::Linked(link) => self.memo.linked(link),
            _ => self.memo.resolve(candidate.key()),
        };
        let (Some(entry), Outcome::Found { skill: id, .. }) = (entry, &outcome) else {
            return outcome;
        };
        if let Some(skill) = self.skills.iter_mut().find(|skill| skill.entry == entry) {
            skill.leads |= leads;
        } else if self.skills.len() < self.policy.limit {
            let id = id.clone();
            self.skills.push(Skill { entry, id, leads });
        } else {
            let skill = id.clone();
            return Outcome::TooMany { skill };
        }
        outcome
    }

    fn resolution(self) -> Resolution {
        let plugins = self.policy.plugins;
        let task = match self.skills.as_slice() {
            [] => self.leading.text(),
            _ => self.leading.task(),
        };
        Resolution {
            task: task.to_owned(),
            skills: self
                .skills
                .into_iter()
                .map(|skill| SkillToStart {
                    id: skill.id,
                    place: Some(skill.entry.place(plugins)),
                    leads: skill.leads,
                })
                .collect(),
            notices: self.notices.notices(self.policy.limit),
            mentions: self.mentions,
        }
    }
}

/// Returns whether an id has the form of an environment variable.
fn is_variable(id: &str) -> bool {
    id.is_ascii() && !id.bytes().any(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests;
