//! The present skills, and the completions at the cursor.

use crate::commands::chat::words::{VERBS, WORDS};
use crate::output::one_line;
use skills_runtime::resolve::Span;
use skills_runtime::{Catalog, Entry};
use skills_session::Profile;
use skills_session::complete::{Completer, CompletionCandidate};
use std::sync::{Arc, Mutex, PoisonError};

/// The present skills. The line editor reads the skills at each key, and another thread can replace them.
pub(crate) struct Live {
    current: Mutex<Arc<Current>>,
}

/// A catalog with its profile and its completions.
pub(crate) struct Current {
    pub(crate) catalog: Catalog,
    pub(crate) profile: Profile,
    completer: Completer,
    /// The scheduled skills whose only run was a success: they are left out of the menu.
    pub(crate) ended: Vec<String>,
}

/// The completions of the word at the cursor.
pub(crate) struct Offer {
    /// The byte range of the line that is replaced.
    pub(crate) replace: Span,
    pub(crate) rows: Vec<Row>,
}

/// A row of the menu. Its strings are safe for a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    /// The inserted text.
    pub(crate) text: String,
    /// The parts of `text` that match the typed letters.
    pub(crate) matched: Vec<Span>,
    pub(crate) description: String,
    /// The reason why the skill cannot be started; empty if the skill can be started.
    pub(crate) reason: String,
    /// True for a command that runs a scheduled skill manually.
    pub(crate) scheduled: bool,
}

impl Live {
    pub(crate) fn new(catalog: Catalog, profile: Profile, ended: Vec<String>) -> Self {
        let current = Mutex::new(Arc::new(Current::new(catalog, profile, ended)));
        Self { current }
    }

    pub(crate) fn current(&self) -> Arc<Current> {
        let current = self.current.lock();
        Arc::clone(&current.unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the skills and the profile.
    pub(crate) fn set(&self, catalog: Catalog, profile: Profile, ended: Vec<String>) {
        let next = Arc::new(Current::new(catalog, profile, ended));
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

impl Current {
    fn new(catalog: Catalog, profile: Profile, ended: Vec<String>) -> Self {
        let completer = Completer::new(&catalog, &profile);
        // At the load and not at the first `/`, where the completer would compute the names of the commands
        // while a person waits.
        let _ = completer.complete("/", 1);
        Self {
            catalog,
            profile,
            completer,
            ended,
        }
    }

    /// Returns whether a skill has this id, name or alias.
    pub(crate) fn knows(&self, id: &str) -> bool {
        let catalog = &self.catalog;
        catalog.get(id).is_some() || catalog.named(id).next().is_some()
    }

    /// Finds the completions at the cursor. Returns `None` without completions.
    pub(crate) fn offer(&self, line: &str, cursor: usize) -> Option<Offer> {
        let offer = self.argument(line, cursor).or_else(|| {
            let completion = self.completer.complete(line, cursor)?;
            let typed = line.get(completion.replace.start..cursor)?;
            let own = typed
                .strip_prefix('/')
                .map(|typed| own_rows(typed, &self.profile))
                .unwrap_or_default();
            let is_ended = |found: &&CompletionCandidate| {
                let name = found.skill.rsplit(':').next().unwrap_or_default();
                found.scheduled && self.ended.iter().any(|ended| ended == name)
            };
            let skills = completion
                .candidates
                .iter()
                .filter(|found| !is_ended(found));
            let rows = own.into_iter().chain(skills.map(|found| self.row(found)));
            Some(Offer {
                replace: completion.replace,
                rows: rows.collect(),
            })
        })?;
        (!offer.rows.is_empty()).then_some(offer)
    }

    fn row(&self, candidate: &CompletionCandidate) -> Row {
        let reason = if candidate.enabled {
            String::new()
        } else {
            self.reason(&candidate.skill)
        };
        Row {
            text: candidate.text.clone(),
            matched: candidate.matched.clone(),
            description: one_line(&candidate.description),
            reason,
            scheduled: candidate.scheduled,
        }
    }

    /// Returns the reason why a skill cannot be started.
    fn reason(&self, id: &str) -> String {
        match self.catalog.get(id) {
            Some(entry) if entry.is_enabled() && !entry.missing().is_empty() => {
                format!("needs {}", one_line(&entry.missing().join(", ")))
            }
            _ => "disabled".to_owned(),
        }
    }

    /// Completes the arguments of `/skill` and `/profile`.
    fn argument(&self, line: &str, cursor: usize) -> Option<Offer> {
        let before = line.get(..cursor)?;
        let start = before.rfind(char::is_whitespace)? + 1;
        let after = line.get(cursor..)?;
        let end = after.find(char::is_whitespace).unwrap_or(after.len());
        let typed = before.get(start..)?;
        let words: Vec<&str> = before.get(..start)?.split_whitespace().collect();
        let rows = match words.as_slice() {
            ["/skill", verb] => self.ids(verb, typed)?,
            ["/skill"] => pairs(VERBS.into_iter(), typed),
            ["/profile"] => {
                let profiles = Profile::ALL.into_iter();
                pairs(profiles.map(|p| (&*p.name, &*p.reference)), typed)
            }
            _ => return None,
        };
        Some(Offer {
            replace: Span::new(start, cursor + end),
            rows,
        })
    }

    /// Returns the skills that a verb of `/skill` accepts.
    fn ids(&self, verb: &str, typed: &str) -> Option<Vec<Row>> {
        match verb {
            "trust" => Some(self.pairs_of(typed, |entry| !entry.is_trusted())),
            "untrust" => Some(self.pairs_of(typed, |entry| entry.trusted_record().is_some())),
            "enable" | "disable" => {
                let is_to_be = verb == "disable";
                Some(self.pairs_of(typed, |entry| entry.is_enabled() == is_to_be))
            }
            "show" | "run" | "stop" | "uninstall" => {
                // The completer reads mentions. The typed text gets a `$`, and the rows lose it again.
                let probe = format!("${typed}");
                let found = self.completer.complete(&probe, probe.len())?;
                let rows = found.candidates.iter().map(|found| self.row(found));
                Some(rows.map(Row::without_sigil).collect())
            }
            _ => None,
        }
    }
}

impl Current {
    /// Returns the rows of the skills that a verb accepts.
    fn pairs_of(&self, typed: &str, is_meant: impl Fn(&Entry<'_>) -> bool) -> Vec<Row> {
        let meant = self.catalog.iter().filter(is_meant);
        let ids: Vec<_> = meant
            .map(|entry| (entry.id().into_owned(), one_line(entry.description())))
            .collect();
        pairs(ids.iter().map(|(id, about)| (&**id, &**about)), typed)
    }
}

impl Row {
    fn without_sigil(mut self) -> Self {
        self.text.remove(0);
        for span in &mut self.matched {
            *span = Span::new(span.start.saturating_sub(1), span.end.saturating_sub(1));
        }
        self
    }
}

/// Returns the commands of the prompt that begin with the typed letters.
fn own_rows(typed: &str, profile: &Profile) -> Vec<Row> {
    let words = WORDS.iter().filter(|word| begins(word.name, typed));
    words
        .map(|word| Row {
            text: format!("/{}", word.name),
            matched: matched(1, typed),
            description: word.about(profile).to_owned(),
            ..Row::default()
        })
        .collect()
}

/// Returns the names that begin with the typed letters, each with its description.
fn pairs<'p>(all: impl Iterator<Item = (&'p str, &'p str)>, typed: &str) -> Vec<Row> {
    all.filter(|(name, _)| begins(name, typed))
        .map(|(name, about)| Row {
            text: name.to_owned(),
            matched: matched(0, typed),
            description: about.to_owned(),
            ..Row::default()
        })
        .collect()
}

fn begins(name: &str, typed: &str) -> bool {
    let start = name.get(..typed.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(typed))
}

fn matched(from: usize, typed: &str) -> Vec<Span> {
    if typed.is_empty() {
        Vec::new()
    } else {
        vec![Span::new(from, from + typed.len())]
    }
}
