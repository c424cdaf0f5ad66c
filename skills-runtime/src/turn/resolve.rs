//! From a text to what it means: one resolver for every place where text can name a skill.

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::mention::address;
use crate::mention::memo::Memo;
use crate::mention::policy::{Compose, Policy, Surface};
use crate::mention::resolver::{Resolved, Resolver};
use crate::mention::{Mention, Outcome};
use crate::turn::leading::Leading;
use crate::turn::notices::NoticeList;
use crate::turn::resolution::{Resolution, Turn};
use skills_format::{Candidate, CandidateKind, scan};

impl Catalog {
    /// Says what a text means: every mention with its outcome, the skills to activate, what to tell
    /// the person, and the message as it is sent.
    ///
    /// Pure: prints nothing, reads nothing, loads no body. Linear in the text; a text without `$`
    /// costs a search for one byte. Each different id is looked up once, and near matches are
    /// searched for at most `policy.limit` of them.
    pub fn resolve(&self, text: &str, surface: Surface, policy: &Policy) -> Resolution {
        resolution(text, &Resolver::new(self, surface, *policy))
    }
}

fn resolution(text: &str, resolver: &Resolver<'_>) -> Resolution {
    let ids = Memo::new(resolver);
    let candidates = if resolver.policy.mentions {
        scan(text, &|id| ids.is_exact(id))
    } else {
        Vec::new()
    };
    let mut reading = Reading::new(text, &ids);
    for candidate in &candidates {
        if candidate.masked.is_none() {
            reading.add(candidate);
        }
    }
    reading.resolution()
}

/// A text, read up to some mention.
struct Reading<'t, 'i, 'c> {
    ids: &'i Memo<'i, 't, 'c>,
    mentions: Vec<Mention>,
    /// Those found, in order of first mention.
    skills: Vec<Skill<'c>>,
    front: Leading<'t>,
    telling: NoticeList<'t>,
}

/// A skill that a text names.
struct Skill<'c> {
    entry: Entry<'c>,
    id: String,
    /// Whether a mention of it leads.
    leads: bool,
}

impl<'t, 'i, 'c> Reading<'t, 'i, 'c> {
    fn new(text: &'t str, ids: &'i Memo<'i, 't, 'c>) -> Self {
        Self {
            ids,
            mentions: Vec::new(),
            skills: Vec::new(),
            front: Leading::new(text),
            telling: NoticeList::default(),
        }
    }

    fn add(&mut self, candidate: &Candidate<'t>) {
        let leads = self.front.leads(candidate);
        let outcome = self.outcome(candidate, leads);
        if leads && matches!(outcome, Outcome::Found { .. }) {
            self.front.take(candidate.extent);
        } else {
            self.front.keep();
        }
        let id = || match &candidate.kind {
            CandidateKind::Linked(link) => address::id(link).into(),
            _ => candidate.id().into(),
        };
        self.telling.add(self.ids.resolver, id, leads, &outcome);
        self.mentions.push(Mention {
            span: candidate.span,
            raw: candidate.raw.to_owned(),
            leads,
            outcome,
        });
    }

    fn outcome(&mut self, candidate: &Candidate<'t>, leads: bool) -> Outcome {
        let Resolved { outcome, entry } = match &candidate.kind {
            CandidateKind::Escaped => Outcome::Escaped.into(),
            CandidateKind::Reserved => Outcome::Reserved.into(),
            CandidateKind::Linked(link) => self.ids.linked(link),
            _ => self.ids.meaning(candidate.key()),
        };
        let (Some(entry), Outcome::Found { skill: id, .. }) = (entry, &outcome) else {
            return outcome;
        };
        if let Some(skill) = self.skills.iter_mut().find(|skill| skill.entry == entry) {
            skill.leads |= leads;
        } else if self.skills.len() < self.ids.resolver.policy.limit {
            let id = id.clone();
            self.skills.push(Skill { entry, id, leads });
        } else {
            let skill = id.clone();
            return Outcome::TooMany { skill };
        }
        outcome
    }

    fn resolution(self) -> Resolution {
        let Resolver {
            surface, policy, ..
        } = *self.ids.resolver;
        let entries: Vec<Entry<'c>> = self.skills.iter().map(|skill| skill.entry).collect();
        let turn = compose(policy.compose, &entries);
        let named = || self.skills.iter().map(|skill| skill.id.clone());
        let notices = match turn {
            Turn::ChooseOne => self.telling.choose_one(named().collect(), policy.limit),
            _ => self.telling.notices(policy.limit),
        };
        let active = if turn == Turn::Activate {
            self.skills.as_slice()
        } else {
            &[]
        };
        let ids = |skills: &mut dyn Iterator<Item = &Skill<'c>>| {
            skills.map(|skill| skill.id.clone()).collect()
        };
        Resolution {
            surface,
            turn,
            command: None,
            activated: ids(&mut active.iter()),
            led: ids(&mut active.iter().filter(|skill| skill.leads)),
            notices,
            task: match turn {
                Turn::Activate => self.front.task(),
                _ => self.front.text(),
            }
            .to_owned(),
            arguments: policy.arguments,
            mentions: self.mentions,
        }
    }
}

/// What a turn becomes that names these skills: all of them are activated, or none.
pub(crate) fn compose(compose: Compose, skills: &[Entry<'_>]) -> Turn {
    let scopes_tools = |entry: &Entry<'_>| !entry.fields().allowed_tools.is_empty();
    match (compose, skills) {
        (_, []) => Turn::Plain,
        // One guides, the other scopes the tools.
        (Compose::ChooseOne, [a, b]) if scopes_tools(a) != scopes_tools(b) => Turn::Activate,
        (Compose::ChooseOne, [_, _, ..]) => Turn::ChooseOne,
        _ => Turn::Activate,
    }
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
