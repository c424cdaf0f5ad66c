//! Reads the mentions of a text that is not a slash command, and composes its resolution.

// A text with the form of a host's slash command is not scanned on any line: a command's name ends at
// any white space.

use crate::catalog::Catalog;
use crate::catalog::index::Hasher;
use crate::catalog::skill::Skill;
use crate::resolve::address;
use crate::resolve::by_path::SkillsByPath;
use crate::resolve::outcome::{Mention, Notice, Outcome, Resolution, Surface};
use crate::resolve::resolver::{Resolved, Resolver};
use skills_format::mention::{NearKind, Refusal, Slash};
use skills_format::{Candidate, CandidateKind, Link, Span, scan};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

impl Catalog {
    /// Resolves the mentions of a text: each with its outcome, the skills that start, the notices for the person, and the
    /// message to send. `limit` is the maximum number of skills that the text can start.
    ///
    /// Prose can hold `$variables`: an unknown id and a vaguely near one give a notice only if they lead the text, and an
    /// unknown id of a model never does. The [outcome](Mention::outcome) of each mention says it in any case.
    ///
    /// A pure function: it prints nothing, reads no file and loads no body. A text with the form of a slash command is not
    /// scanned, unless a model wrote it.
    ///
    /// # Cost
    ///
    /// Linear in the text. A text without `$` costs a search for one byte. Each different id is looked up once. An id
    /// that no skill has is compared with all names; `limit` is also the maximum number of such ids in a text.
    pub fn mentions(&self, text: &str, surface: Surface, limit: usize) -> Resolution<'_> {
        let resolver = Resolver {
            catalog: self,
            surface,
        };
        let ids: RefCell<Ids<'_, '_>> = RefCell::default();
        let is_exact = |id: &str| {
            let mut ids = ids.borrow_mut();
            if let Some(known) = ids.get(id) {
                return known.is_some();
            }
            let exact = resolver.exact(id).map(Box::new);
            let is_exact = exact.is_some();
            ids.insert(id.to_owned().into(), exact);
            is_exact
        };
        let candidates = if surface == Surface::User && Slash::is_command(text) {
            Vec::new()
        } else {
            scan(text, &is_exact)
        };
        let mut reading = Reading {
            resolver,
            ids: ids.into_inner(),
            searches: limit,
            by_path: None,
            limit,
            mentions: Vec::new(),
            skills: Vec::new(),
            leading: Leading::new(text),
            notices: Vec::new(),
            ignored: Vec::new(),
            reported: HashSet::default(),
        };
        for candidate in &candidates {
            // Not `is_mention`: an escaped or reserved candidate is a mention too, with an outcome that starts no skill.
            if candidate.masked.is_none() {
                reading.add(candidate);
            }
        }
        if let [first, ..] = &*reading.ignored {
            reading.notices.push(Notice {
                id: reading.ignored.join(", "),
                outcome: Outcome::Refused {
                    skill: first.trim_start_matches('$').to_owned(),
                    why: Refusal::TooMany { limit },
                },
            });
        }
        let skills = reading.skills.iter();
        let leading = skills.clone().filter(|(_, leads)| *leads);
        Resolution {
            task: reading.leading.task.to_owned(),
            leading: leading.map(|(skill, _)| *skill).collect(),
            skills: skills.map(|(skill, _)| *skill).collect(),
            notices: reading.notices,
            mentions: reading.mentions,
        }
    }
}

/// The ids that were looked up, in normal form, so that each is looked up once. `None`: no skill has exactly the id, and near
/// matches were not searched. A text can hold a hundred thousand different ids, so the entries are small.
type Ids<'t, 'c> = HashMap<Cow<'t, str>, Option<Box<Resolved<'c>>>, Hasher>;

/// The state of reading a text up to a mention.
struct Reading<'t, 'c> {
    resolver: Resolver<'c>,
    ids: Ids<'t, 'c>,
    /// The number of ids for which near matches may still be searched.
    searches: usize,
    by_path: Option<SkillsByPath<'c>>,
    limit: usize,
    mentions: Vec<Mention>,
    /// The skills that were found, in order of first mention, each with `true` if a mention of it leads.
    skills: Vec<(Skill<'c>, bool)>,
    leading: Leading<'t>,
    notices: Vec<Notice>,
    /// The skills beyond the limit, with their mark.
    ignored: Vec<String>,
    /// What has a notice: a skill, or an id after a `$`.
    reported: HashSet<String, Hasher>,
}

impl<'t, 'c> Reading<'t, 'c> {
    /// Adds a candidate: its outcome, its notice, its skill up to the limit, and its place among the leading mentions.
    fn add(&mut self, candidate: &Candidate<'t>) {
        let leads = self.leading.leads(candidate);
        let Resolved { mut outcome, skill } = self.meaning(candidate);
        if outcome == Outcome::Unknown && is_variable(candidate.id()) {
            // An id in capitals that no skill has, not even nearly, is a variable: it is not a mention
            // and gets no notice.
            self.leading.removes = false;
            return;
        }
        if let (Some(skill), Outcome::Found { skill: id, .. }) = (skill, &mut outcome) {
            if let Some((_, known)) = self.skills.iter_mut().find(|(known, _)| *known == skill) {
                *known |= leads;
            } else if self.skills.len() < self.limit {
                self.skills.push((skill, leads));
            } else {
                outcome = Outcome::Refused {
                    skill: std::mem::take(id),
                    why: Refusal::TooMany { limit: self.limit },
                };
            }
        }
        if leads && matches!(outcome, Outcome::Found { .. }) {
            self.leading.remove(candidate.extent);
        } else {
            self.leading.removes = false;
        }
        self.report(candidate, leads, &outcome);
        self.mentions.push(Mention {
            span: candidate.span,
            leads,
            outcome,
        });
    }

    /// Returns the meaning of a candidate. Near matches of addresses are not searched.
    fn meaning(&mut self, candidate: &Candidate<'t>) -> Resolved<'c> {
        let resolver = self.resolver;
        let skill = match &candidate.kind {
            CandidateKind::Escaped => return Outcome::Text { is_reserved: false }.into(),
            CandidateKind::Reserved => return Outcome::Text { is_reserved: true }.into(),
            CandidateKind::Linked(Link::Skill(address)) => {
                let address = address::skill(address);
                address.and_then(|(source, name)| resolver.catalog.in_source(&source, &name))
            }
            CandidateKind::Linked(Link::File(path)) => {
                let by_path = self.by_path.get_or_insert_with(|| resolver.catalog.into());
                address::paths(path).find_map(|path| by_path.file(&path))
            }
            CandidateKind::Linked(_) => None,
            _ => {
                let known = self.ids.entry(candidate.key());
                let id = known.key().clone();
                let known = known.or_insert_with(|| resolver.exact(&id).map(Box::new));
                if known.is_none() && self.searches > 0 {
                    self.searches -= 1;
                    *known = Some(Box::new(resolver.near(&id)));
                }
                let known = known.as_deref().cloned();
                return known.unwrap_or_else(|| Outcome::Unknown.into());
            }
        };
        match skill {
            Some(skill) => resolver.checked(skill),
            None => Outcome::Unknown.into(),
        }
    }

    /// Adds the notice of a mention, once for each skill, and for each id that names no skill.
    fn report(&mut self, candidate: &Candidate<'t>, leads: bool, outcome: &Outcome) {
        let id: Cow<'t, str> = match (outcome.skill(), &candidate.kind) {
            (None, CandidateKind::Linked(link)) => address::id(link).into(),
            _ => candidate.id().into(),
        };
        let reported = match outcome.skill() {
            Some(skill) => skill.to_owned(),
            None if self.is_reported(&id, leads, outcome) => format!("${id} {outcome}"),
            None => return,
        };
        if !self.reported.insert(reported) {
            return;
        }
        match outcome {
            Outcome::Refused {
                skill,
                why: Refusal::TooMany { .. },
            } => self.ignored.push(format!("${skill}")),
            _ => self.notices.push(Notice {
                id: id.into_owned(),
                outcome: outcome.clone(),
            }),
        }
    }

    /// Returns whether an id that names no skill gives a notice.
    fn is_reported(&self, id: &str, leads: bool, outcome: &Outcome) -> bool {
        /// A shorter id can be a `$variable` in prose.
        const LONG: usize = 5;

        let kind = match outcome {
            // The prose of a model holds `$variables`, and the person did not type them.
            Outcome::Unknown => {
                return leads && self.resolver.surface == Surface::User;
            }
            Outcome::Ambiguous { kind: None, .. } => return true,
            Outcome::Ambiguous {
                kind: Some(kind), ..
            } => *kind,
            _ => return false,
        };
        let is_vague = matches!(kind, NearKind::Initials | NearKind::Prefix | NearKind::Part);
        leads || !is_vague && id.chars().count() >= LONG
    }
}

/// Returns whether an id has the form of an environment variable.
fn is_variable(id: &str) -> bool {
    id.is_ascii() && !id.bytes().any(|byte| byte.is_ascii_lowercase())
}

// A linked mention is the whole link, both when leading mentions are found and when they are removed
// from the task. If the link names no known skill, the notice shows the id of its address, or the
// address.
//
// A `,` or `:` directly after a leading mention does not end the leading part.
//
// Both mentions in `$tdd,$code-review` lead. Neither is removed from the task, because no white space
// follows the first.

/// The start of a text, as long as it holds only white space and mentions.
struct Leading<'t> {
    text: &'t str,
    /// The end of the last leading mention. `None`: no further mention leads.
    end: Option<usize>,
    /// The text without the leading mentions that have been removed.
    task: &'t str,
    /// `true` if the next leading mention can be removed: each before it was.
    removes: bool,
}

impl<'t> Leading<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            end: Some(0),
            task: text,
            removes: true,
        }
    }

    /// Returns whether the next mention leads: only white space and other mentions stand before it. A
    /// `,` or `:` may directly follow each of the other mentions. Call it once for each mention, in order: the state
    /// moves to the end of the mention.
    fn leads(&mut self, candidate: &Candidate<'_>) -> bool {
        let Candidate { extent, kind, .. } = candidate;
        self.end = self.end.filter(|&end| {
            // Overlapping mentions have no text between; `x` is any text that ends the leading part.
            let between = self.text.get(end..extent.start).unwrap_or("x");
            let after_mention = if end > 0 {
                between.strip_prefix([',', ':'])
            } else {
                None
            };
            let between = after_mention.unwrap_or(between);
            between.trim_start().is_empty() && *kind != CandidateKind::Escaped
        });
        self.end = self.end.map(|_| extent.end);
        self.end.is_some()
    }

    /// Removes a leading mention, with a `,` or `:` directly after it and the following white space.
    /// Removes nothing if other text follows.
    fn remove(&mut self, mention: Span) {
        if !self.removes {
            return;
        }
        let after = self.text.get(mention.end..).unwrap_or_default();
        let is_end = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
        let rests = [after.strip_prefix([',', ':']).unwrap_or(after), after];
        match rests.into_iter().find(|rest| is_end(rest)) {
            Some(rest) => self.task = rest.trim_start(),
            None => self.removes = false,
        }
    }
}

#[cfg(test)]
mod tests;
