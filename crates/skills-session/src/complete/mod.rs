//! Completion at the cursor: skills after `$`, commands after `/`.

mod arguments;

use crate::dialect::Dialect;
use crate::listed::{described, is_ready, listed};
use crate::resolve::command;
use crate::scheduled::scheduled_skill;
use skills_format::mention::{Near, NearKind, Slash};
use skills_format::{Span, nfc, scan};
use skills_runtime::{Catalog, Skill};
use std::sync::{Arc, OnceLock};

/// The maximum number of candidates of a completion.
const MOST: usize = 100;

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
/// use skills_runtime::{Catalog, Skill};
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
    // Plain names before qualified ids, each group sorted by name; then scheduled skills.
    bare: OnceLock<Vec<Named>>,
    qualified: OnceLock<Vec<Named>>,
    named: OnceLock<Vec<Named>>,
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
        let (cell, all): (_, fn(&Self) -> Vec<Named>) = match sigil {
            '/' => (&self.named, Self::commands),
            _ if typed.contains(':') => (&self.qualified, Self::qualified),
            _ => (&self.bare, Self::bare),
        };
        let (candidates, left_out) = matching(cell.get_or_init(|| sorted(all(self))), &typed);
        Some(Completion {
            replace,
            candidates,
            left_out,
        })
    }

    /// Returns the ids of the skills that a person may start.
    fn bare(&self) -> Vec<Named> {
        let skills = listed(&self.catalog).filter(|skill| skill.fields().user_invocable);
        let skills = skills.map(|skill| Named::new(format!("${}", skill.id()), &skill.id(), skill));
        skills.collect()
    }

    /// Returns the qualified ids of the skills that a person may start, including shadowed skills.
    fn qualified(&self) -> Vec<Named> {
        let skills = self.catalog.iter();
        let skills = skills.filter(|skill| skill.is_trusted() && skill.fields().user_invocable);
        let named = skills.filter_map(|skill| {
            let id = skill.to_string();
            // If a source has several skills with one name, the nearest has the id.
            let is_nearest = self.catalog.get(&id) == Some(skill);
            is_nearest.then(|| Named::new(format!("${id}"), &id, skill))
        });
        named.collect()
    }

    /// Returns the names of slash commands, then the ids of the skills that have no command now, such as disabled ones.
    fn commands(&self) -> Vec<Named> {
        let (catalog, options) = (&self.catalog, self.dialect.options());
        if !options.commands {
            return Vec::new();
        }
        let mut all = Vec::new();
        let mut commands = self.dialect.commands(catalog);
        let scheduled = commands.split_off(commands.iter().take_while(|it| !it.scheduled).count());
        let mut commands = commands.into_iter().peekable();
        for skill in listed(catalog).filter(|skill| skill.fields().user_invocable) {
            let id = skill.id();
            // Commands are in the order of the listed skills, so one pass pairs them.
            let name = match commands.next_if(|command| command.skill == *id) {
                Some(command) => command.name,
                None if options.is_reserved(&id) => continue,
                None => id.to_string(),
            };
            all.push(Named::new(format!("/{name}"), &id, skill));
        }
        for command in scheduled {
            if let Some(entry) = scheduled_skill(catalog, &command.skill) {
                let mut named = Named::new(format!("/{}", command.name), &command.skill, entry);
                named.candidate.scheduled = true;
                all.push(named);
            }
        }
        all
    }

    /// Returns whether the text of a person is scanned for `$name`.
    fn is_scanned(&self, text: &str) -> bool {
        let is_left =
            || Slash::is_command(text) && command(&*self.dialect, &self.catalog, text).is_none();
        self.dialect.options().mentions && !is_left()
    }
}

/// A candidate, and where in its text the name begins.
#[derive(Debug)]
struct Named {
    name: usize,
    candidate: CompletionCandidate,
}

impl Named {
    fn new(text: String, id: &str, skill: Skill<'_>) -> Self {
        Self {
            name: text.find(':').unwrap_or_default() + 1,
            candidate: CompletionCandidate {
                text,
                skill: id.to_owned(),
                description: described(skill.description()),
                enabled: is_ready(&skill),
                kind: None,
                scheduled: false,
            },
        }
    }
}

fn sorted(mut all: Vec<Named>) -> Vec<Named> {
    let rank = |it: &Named| (it.candidate.scheduled, it.name > 1);
    all.sort_by(|a, b| {
        let by_text = || a.candidate.text.cmp(&b.candidate.text);
        rank(a).cmp(&rank(b)).then_with(by_text)
    });
    all
}

/// Returns the first matching candidates, the nearest kind first, and the number of further matches.
fn matching(all: &[Named], typed: &str) -> (Vec<CompletionCandidate>, usize) {
    let (source, name) = typed.split_at(typed.find(':').map_or(0, |colon| colon + 1));
    let name = Near::new(name);
    let mut found = Vec::new();
    for Named {
        name: at,
        candidate,
    } in all
    {
        let (before, named) = candidate.text.split_at(*at);
        if !source.is_empty() && !before[1..].eq_ignore_ascii_case(source) {
            continue;
        }
        let near = Some(named).filter(|_| !name.is_empty());
        let near = near.and_then(|named| name.to_unfinished(named));
        if near.is_some() || name.is_empty() {
            found.push((candidate.scheduled, near, candidate));
        }
    }
    found.sort_by_key(|(scheduled, near, _)| (*scheduled, *near));
    let left_out = found.len().saturating_sub(MOST);
    let first = found.into_iter().take(MOST);
    let first = first.map(|(_, near, candidate)| CompletionCandidate {
        kind: near.map(|near| near.kind),
        ..candidate.clone()
    });
    (first.collect(), left_out)
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
