//! From a text to what it means: one resolver for every place where text can name a skill.

use crate::catalog::Catalog;
use crate::compose;
use crate::entry::Entry;
use crate::ids::Ids;
use crate::linked;
use crate::meaning::{Meaning, Resolver};
use crate::resolution::{Mention, Outcome, Policy, Resolution, Surface};
use skills_format::{Candidate, CandidateKind, Span, scan};
use std::borrow::Cow;

impl Catalog {
    /// Says what a text means: every mention with its outcome, the skills to activate, what to tell
    /// the person, and the message as it is sent.
    ///
    /// Pure: prints nothing, reads nothing, loads no body. Linear in the text; a text without `$`
    /// costs a search for one byte. Each different id is looked up once, and near matches are
    /// searched for at most `policy.limit` of them.
    pub fn resolve(&self, text: &str, surface: Surface, policy: &Policy) -> Resolution {
        let resolver = Resolver::new(self, surface, *policy);
        let found = if policy.mentions {
            found(text, &Ids::new(&resolver))
        } else {
            Vec::new()
        };
        compose::resolution(&resolver, text, found)
    }
}

/// A mention, and the skill behind it where it is found.
pub(crate) struct Found<'t, 'c> {
    pub(crate) mention: Mention,
    /// The id as it was typed; that of its address, where it is a link.
    pub(crate) id: Cow<'t, str>,
    /// The bytes that it takes up: those of a whole link.
    pub(crate) extent: Span,
    pub(crate) entry: Option<Entry<'c>>,
}

fn found<'t, 'c>(text: &'t str, ids: &Ids<'_, 'c>) -> Vec<Found<'t, 'c>> {
    let mut cap = Cap {
        ids,
        activated: Vec::new(),
    };
    let mut head = Head { text, end: 0 };
    scan(text, &|id| ids.is_exact(id))
        .into_iter()
        .filter(|candidate| candidate.masked.is_none())
        .map(|candidate| {
            let (id, meaning) = match &candidate.kind {
                CandidateKind::Escaped => (candidate.id().into(), Outcome::Escaped.into()),
                CandidateKind::Reserved => (candidate.id().into(), Outcome::Reserved.into()),
                CandidateKind::Linked(link) => (linked::id(link).into(), ids.linked(link)),
                _ => (candidate.id().into(), ids.meaning(&candidate.key())),
            };
            let meaning = cap.checked(meaning);
            Found {
                mention: Mention {
                    span: candidate.span,
                    raw: candidate.raw.to_owned(),
                    leads: head.leads(&candidate),
                    outcome: meaning.outcome,
                },
                id,
                extent: candidate.extent,
                entry: meaning.entry,
            }
        })
        .collect()
}

/// Keeps one text from activating more different skills than the policy allows.
struct Cap<'i, 'r, 'c> {
    ids: &'i Ids<'r, 'c>,
    activated: Vec<Entry<'c>>,
}

impl<'c> Cap<'_, '_, 'c> {
    fn checked(&mut self, meaning: Meaning<'c>) -> Meaning<'c> {
        let resolver = self.ids.resolver;
        match meaning.entry {
            Some(entry) if !self.activated.contains(&entry) => {
                if self.activated.len() < resolver.policy.limit {
                    self.activated.push(entry);
                    return meaning;
                }
                let skill = resolver.id(entry);
                Outcome::TooMany { skill }.into()
            }
            _ => meaning,
        }
    }
}

/// The front of a text, as far as it holds only white space and mentions, each with a `,` or `:`
/// directly after it or without.
struct Head<'t> {
    text: &'t str,
    end: usize,
}

impl Head<'_> {
    fn leads(&mut self, candidate: &Candidate<'_>) -> bool {
        let start = candidate.extent.start;
        let between = self.text.get(self.end..start).unwrap_or("x");
        let between = match between.strip_prefix([',', ':']) {
            Some(rest) if self.end > 0 => rest,
            _ => between,
        };
        let leads = between.trim().is_empty() && candidate.kind != CandidateKind::Escaped;
        self.end = if leads {
            candidate.extent.end
        } else {
            usize::MAX
        };
        leads
    }
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
