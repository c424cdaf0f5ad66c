//! Completion at the cursor: skills after `$`, commands after `/`.

mod arguments;
pub(crate) mod candidates;

use crate::complete::candidates::{Candidates, Query};
use crate::dialect::Dialect;
use crate::resolve::text::command;
use skills_format::mention::{NearKind, Slash};
use skills_format::text::shorten::{one_line, shortened};
use skills_format::{Span, nfc, scan};
use skills_runtime::Catalog;
use std::sync::{Arc, OnceLock};

/// The maximum number of candidates of a completion.
const MOST: usize = 100;
/// The maximum number of characters of a candidate's description.
const DESCRIPTION: usize = 100;

/// A completer of `$name` and `/name` while a person types, for one catalog and one dialect.
///
/// # Cost
///
/// The first completion prepares the candidates, at about a microsecond a skill. Each further completion
/// takes well under a millisecond for 10,000 skills.
///
/// ```
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_session::complete::Completer;
/// use skills_runtime::Catalog;
/// use skills_session::options::Options;
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
/// let completer = Completer::new(&catalog, Options::DEFAULT);
/// let typed = "please $rev";
/// let completion = completer.complete(typed, typed.len()).expect("a mention may stand here");
/// assert_eq!(completion.replace.of(typed), "$rev");
/// assert_eq!(completion.candidates[0].text, "$code-review");
/// ```
#[derive(Debug)]
pub struct Completer {
    catalog: Catalog,
    dialect: Arc<dyn Dialect>,
    bare: OnceLock<Candidates>,
    qualified: OnceLock<Candidates>,
    named: OnceLock<Candidates>,
}

/// The candidates for the word at the cursor.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Completion {
    /// The bytes of the text to replace, including the `$` or `/`.
    pub replace: Span,
    /// At most 100 candidates, the best first. Candidates are sorted by kind like near matches, then by
    /// the number of edits, then plain names before qualified ids, then by name. Scheduled skills are
    /// last.
    pub candidates: Vec<CompletionCandidate>,
    /// The number of further candidates.
    pub left_out: usize,
}

/// A candidate of a completion.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct CompletionCandidate {
    /// The text to insert, including the `$` or `/`; or the name or a value of an argument.
    pub text: String,
    /// The skill's id.
    pub skill: String,
    /// The description of the skill or of its argument, as one line of at most 100 characters.
    pub description: String,
    /// `true` if the skill is enabled and the host meets its needs.
    pub enabled: bool,
    /// The kind of match between the name and the typed text. `None`: no text is typed after the `$` or
    /// `/`.
    pub kind: Option<NearKind>,
    /// `true` if the candidate runs a scheduled skill by hand. A front end shows it in a warning colour.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub scheduled: bool,
}

impl Completer {
    /// Makes a completer. The candidates are prepared when they are first needed.
    pub fn new(catalog: &Catalog, dialect: impl Dialect + 'static) -> Self {
        Self {
            catalog: catalog.clone(),
            dialect: Arc::new(dialect),
            bare: OnceLock::new(),
            qualified: OnceLock::new(),
            named: OnceLock::new(),
        }
    }

    /// Completes the `$name` or `/name` at the cursor, given as a byte offset.
    ///
    /// After the command or the leading mention of a skill with typed arguments, completes the names of the
    /// arguments and their listed values.
    ///
    /// Returns `None` if none of these can stand at the cursor, for example in code, after a letter, past
    /// the first word of a slash command, or in a command of the host that is not scanned.
    ///
    /// The part of the word before the cursor is compared with the candidates. The part after the cursor
    /// is replaced too. Three or more characters are compared like near matches of [`Dialect::resolve`].
    /// Fewer characters match names that begin with them, and names with a word that begins with them.
    pub fn complete(&self, text: &str, cursor: usize) -> Option<Completion> {
        if !text.is_char_boundary(cursor) {
            return None;
        }
        if text.starts_with(['/', '$'])
            && let Some(completion) = self.arguments(text, cursor)
        {
            return Some(completion);
        }
        let (sigil, replace) = match slash(text, cursor) {
            Some(replace) => ('/', replace),
            None => (
                '$',
                mention(text, cursor).filter(|_| self.is_scanned(text))?,
            ),
        };
        let typed = nfc(text.get(replace.start + 1..cursor)?);
        let candidates = match sigil {
            '/' => self
                .named
                .get_or_init(|| Candidates::commands(&self.catalog, &*self.dialect)),
            _ if typed.contains(':') => self
                .qualified
                .get_or_init(|| Candidates::qualified(&self.catalog)),
            _ => self.bare.get_or_init(|| Candidates::listed(&self.catalog)),
        };
        let query = Query::new(&typed);
        let (found, left_out) = candidates.matching(&query, MOST);
        let candidates = found.into_iter().filter_map(|(candidate, kind)| {
            let skill = candidate.entry(&self.catalog)?;
            let text = format!("{sigil}{}", candidate.text);
            Some(CompletionCandidate {
                text,
                skill: candidate.skill().to_owned(),
                description: shortened(&one_line(skill.description()), DESCRIPTION).into_owned(),
                enabled: skill.is_enabled() && skill.missing().is_empty(),
                scheduled: candidate.is_scheduled(),
                kind,
            })
        });
        Some(Completion {
            replace,
            candidates: candidates.collect(),
            left_out,
        })
    }

    /// Returns whether the text of a person is scanned for `$name`.
    fn is_scanned(&self, text: &str) -> bool {
        let is_left =
            || Slash::is_command(text) && command(&*self.dialect, &self.catalog, text).is_none();
        self.dialect.options().mentions && !is_left()
    }
}

/// Returns the bytes of the `/` and the command's name if the cursor is in the name.
fn slash(text: &str, cursor: usize) -> Option<Span> {
    let rest = text.strip_prefix('/')?;
    let end = 1 + rest.find(char::is_whitespace).unwrap_or(rest.len());
    (1..=end).contains(&cursor).then_some(Span::new(0, end))
}

/// Returns the bytes of the mention at the cursor, with its `$`, if a mention can stand there.
fn mention(text: &str, cursor: usize) -> Option<Span> {
    let start = text.get(..cursor)?.rfind('$')?;
    let span = Span::new(start, word_end(text, start, cursor)?);
    // The scanner decides whether a mention can stand here, so that completion never offers one that
    // `resolve` ignores. An id replaces the typed text, which can be unfinished.
    let probe = [text.get(..start)?, "$aa", text.get(span.end..)?].concat();
    let stands = scan(&probe, &|_| true)
        .iter()
        .any(|found| found.span.start == start && found.is_mention());
    stands.then_some(span)
}

/// Returns the end of the word that begins with the `$` at `start` and holds the cursor. Returns `None`
/// if the text before the cursor contains a character that no id can hold.
fn word_end(text: &str, start: usize, cursor: usize) -> Option<usize> {
    let typed = text.get(start + 1..cursor)?;
    let after = text.get(cursor..)?;
    let after = after.split(char::is_whitespace).next()?;
    // The letter completes unfinished text: `$` alone is not a mention, and `$PA` looks like a variable.
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

#[cfg(test)]
mod tests;
