//! Reads the mentions of a text that is not a slash command, and composes its resolution.

// A text with the form of a host's slash command is not scanned on any line: a command's name ends at
// any white space.

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::options::commands::CommandNames;
use crate::options::policy::{Compose, Policy};
use crate::profile::Profile;
use crate::resolve::address;
use crate::resolve::leading::Leading;
use crate::resolve::memo::Memo;
use crate::resolve::notices::NoticeList;
use crate::resolve::outcome::{Mention, Outcome};
use crate::resolve::resolution::{Effect, Resolution, SkillToStart};
use crate::resolve::resolver::{Resolved, Resolver};
use crate::resolve::slash::is_of_host;
use crate::resolve::surface::Surface;
use skills_format::{Candidate, CandidateKind, scan};

/// Resolves the mentions of a text.
pub(crate) fn mentions(
    catalog: &Catalog,
    text: &str,
    surface: Surface,
    policy: &Policy,
) -> Resolution {
    resolution(
        text,
        &Resolver::new(catalog, surface, policy.plugins),
        policy,
    )
}

/// Does the same as [`mentions`]. An id that no skill has can also be the name of a slash command, if the
/// profile gives commands names of their own: people know the skill by that name.
pub(crate) fn resolve_under(
    catalog: &Catalog,
    text: &str,
    surface: Surface,
    profile: &Profile,
) -> Resolution {
    let mut resolver = Resolver::new(catalog, surface, profile.mentions.plugins);
    if profile.commands.names == CommandNames::Sanitised {
        resolver.commands = Some(profile);
    }
    resolution(text, &resolver, &profile.mentions)
}

fn resolution(text: &str, resolver: &Resolver<'_>, policy: &Policy) -> Resolution {
    let memo = Memo::new(resolver, policy.limit);
    let candidates = if policy.mentions && !is_of_host(text, resolver.surface) {
        scan(text, &|id| memo.is_exact(id))
    } else {
        Vec::new()
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
    policy: &'i Policy,
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
    fn new(text: &'t str, memo: &'i Memo<'i, 't, 'c>, policy: &'i Policy) -> Self {
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
        let policy = self.policy;
        let entries: Vec<Entry<'c>> = self.skills.iter().map(|skill| skill.entry).collect();
        let effect = compose(policy.compose, &entries);
        let named = || self.skills.iter().map(|skill| skill.id.clone());
        let notices = match effect {
            Effect::ChooseOne => self.notices.choose_one(named().collect(), policy.limit),
            _ => self.notices.notices(policy.limit),
        };
        let active = if effect == Effect::Activate {
            self.skills.as_slice()
        } else {
            &[]
        };
        let task = match effect {
            Effect::Activate => self.leading.task(),
            _ => self.leading.text(),
        };
        let named = |skill: &Skill<'c>| SkillToStart {
            id: skill.id.clone(),
            place: Some(skill.entry.place(policy.plugins)),
            leads: skill.leads,
        };
        Resolution {
            surface: self.memo.resolver.surface,
            skills: active.iter().map(named).collect(),
            notices,
            task: task.to_owned(),
            effect,
            arguments: policy.arguments,
            command: None,
            mentions: self.mentions,
        }
    }
}

/// Returns whether an id has the form of an environment variable.
fn is_variable(id: &str) -> bool {
    id.is_ascii() && !id.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Returns the effect of a text that names these skills. Either all of them are activated, or no skill is.
pub(crate) fn compose(compose: Compose, skills: &[Entry<'_>]) -> Effect {
    let scopes_tools = |entry: &Entry<'_>| !entry.fields().allowed_tools.is_empty();
    match (compose, skills) {
        (_, []) => Effect::Plain,
        // With exactly one of two skills limiting the tools there is no choice to make: one guides, the
        // other limits.
        (Compose::ChooseOne, [a, b]) if scopes_tools(a) != scopes_tools(b) => Effect::Activate,
        (Compose::ChooseOne, [_, _, ..]) => Effect::ChooseOne,
        _ => Effect::Activate,
    }
}

#[cfg(test)]
mod tests;
