//! Completion at the cursor: skills for `$`, commands for `/`.

pub(crate) mod candidates;
pub(crate) mod matching;

use crate::catalog::Catalog;
use crate::catalog::names::Plugins;
use crate::command::policy::CommandPolicy;
use crate::complete::candidates::{Candidates, Query};
use crate::mention::NearKind;
use crate::profile::Profile;
use crate::text::shorten::{one_line, shortened};
use skills_format::{Span, nfc, scan};
use std::sync::OnceLock;

/// How many candidates are given.
const MOST: usize = 100;
/// The most characters of a candidate's description.
const DESCRIPTION: usize = 100;

/// Completes `$name` and `/name` as a person types, over one catalog and profile.
///
/// Made once for a catalog, about a microsecond a skill; then a key costs well under a
/// millisecond for 10,000 skills.
#[derive(Debug)]
pub struct Completer {
    catalog: Catalog,
    mentions: Option<Plugins>,
    commands: CommandPolicy,
    bare: OnceLock<Candidates>,
    qualified: OnceLock<Candidates>,
    named: OnceLock<Candidates>,
}

/// What may stand in place of what is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Completion {
    /// The bytes of the text to replace, with the `$` or `/`.
    pub replace: Span,
    /// At most 100, the best first: by kind as near matches are, then by name, plain names before
    /// qualified ones.
    pub candidates: Vec<CompletionCandidate>,
}

/// One way to complete what is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CompletionCandidate {
    /// What to put in place, with the `$` or `/`.
    pub text: String,
    /// The id that finds the skill.
    pub skill: String,
    /// One line of at most 100 characters.
    pub description: String,
    /// Whether the skill is switched on, and this host has what it needs.
    pub enabled: bool,
    /// How it is near; `None` when nothing is typed after the `$` or `/`.
    pub kind: Option<NearKind>,
    /// The bytes of `text` that were typed, in order.
    pub matched: Vec<Span>,
}

impl Catalog {
    /// Completes at a cursor, in bytes. A host that completes at every key keeps a [`Completer`].
    pub fn complete(&self, text: &str, cursor: usize, profile: &Profile) -> Option<Completion> {
        Completer::new(self, profile).complete(text, cursor)
    }
}

impl Completer {
    /// Prepares a catalog.
    pub fn new(catalog: &Catalog, profile: &Profile) -> Self {
        let plugins = profile.mentions.plugins;
        Self {
            catalog: catalog.clone(),
            mentions: profile.mentions.mentions.then_some(plugins),
            commands: profile.command_policy(),
            bare: OnceLock::new(),
            qualified: OnceLock::new(),
            named: OnceLock::new(),
        }
    }

    /// What may stand in place of the `$name` or `/name` that the cursor is in or directly after.
    /// `None` where neither can stand: in code, after a letter, past the first word of a command.
    ///
    /// What stands before the cursor is matched; what stands after it, of the same word, is
    /// replaced too. From three characters on a candidate is near as
    /// [`Catalog::resolve`] has it; of fewer it begins with them, or one of its words does.
    pub fn complete(&self, text: &str, cursor: usize) -> Option<Completion> {
        if !text.is_char_boundary(cursor) {
            return None;
        }
        let (sigil, replace) = match slash(text, cursor) {
            Some(replace) => ('/', replace),
            None => (
                '$',
                mention(text, cursor).filter(|_| self.mentions.is_some())?,
            ),
        };
        let typed = nfc(text.get(replace.start + 1..cursor)?);
        let candidates = match sigil {
            '/' => self
                .named
                .get_or_init(|| Candidates::commands(&self.catalog, &self.commands)),
            _ if typed.contains(':') => self
                .qualified
                .get_or_init(|| Candidates::qualified(&self.catalog)),
            _ => self.bare.get_or_init(|| {
                Candidates::listed(&self.catalog, self.mentions.unwrap_or(Plugins::Merged))
            }),
        };
        let query = Query::new(&typed);
        let found = candidates.matching(&query, MOST);
        let candidates = found.into_iter().filter_map(|(candidate, kind)| {
            let entry = candidate.entry(&self.catalog)?;
            let text = format!("{sigil}{}", candidate.text);
            let matched = query.matched(candidate, kind);
            Some(CompletionCandidate {
                text,
                skill: candidate.skill().to_owned(),
                description: shortened(&one_line(entry.description()), DESCRIPTION).into_owned(),
                enabled: entry.is_enabled() && entry.is_eligible(),
                kind,
                matched: matched
                    .into_iter()
                    .map(|span| Span::new(span.start + 1, span.end + 1))
                    .collect(),
            })
        });
        Some(Completion {
            replace,
            candidates: candidates.collect(),
        })
    }
}

/// The command's name at the start of the text, with its `/`, when the cursor is in it.
fn slash(text: &str, cursor: usize) -> Option<Span> {
    let rest = text.strip_prefix('/')?;
    let end = 1 + rest.find(char::is_whitespace).unwrap_or(rest.len());
    (1..=end).contains(&cursor).then_some(Span::new(0, end))
}

/// The mention that the cursor is in, with its `$`, where one may stand.
fn mention(text: &str, cursor: usize) -> Option<Span> {
    let start = text.get(..cursor)?.rfind('$')?;
    let span = Span::new(start, word_end(text, start, cursor)?);
    // Whether one may stand here is asked of the scanner: with an id in place of what is typed.
    let probe = [text.get(..start)?, "$aa", text.get(span.end..)?].concat();
    let stands = scan(&probe, &|_| true)
        .iter()
        .any(|found| found.span.start == start && found.is_mention());
    stands.then_some(span)
}

/// Where the word ends that begins with the `$` at `start` and holds the cursor. `None`: something
/// stands before the cursor that no id can hold.
fn word_end(text: &str, start: usize, cursor: usize) -> Option<usize> {
    let typed = text.get(start + 1..cursor)?;
    let after = text.get(cursor..)?;
    let after = after.split(char::is_whitespace).next()?;
    // The letter makes `$` and `$PA` ids, as they will be when they are finished.
    let letter = if typed.starts_with(|c: char| !c.is_ascii()) {
        ""
    } else {
        "a"
    };
    let word = ["$", letter, typed, after].concat();
    let found = scan(&word, &|_| false)
        .into_iter()
        .find(|found| found.span.start == 0)?;
    let end = start + found.span.end - letter.len();
    let left = text.get(end..cursor).unwrap_or_default();
    left.chars()
        .all(|c| matches!(c, '-' | '_' | ':'))
        .then_some(end.max(cursor))
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
