//! Mentions: `$name` in text.

pub(crate) mod grammar;
pub mod mask;
mod near;
pub(crate) mod neutralize;

pub use crate::mention::grammar::is_unspaced;
pub use near::{Near, NearKind, Nearness, did_you_mean, listed};

use crate::mention::grammar::{Grammar, MentionDraft, MentionForm};
use crate::mention::mask::{LineMasks, Mask, Place, places};
use crate::name::nfc;
use crate::text::span::Span;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Finds every candidate for a mention in `text`, in order.
///
/// A mention is `$` and an id: `name` or `source:name`, in letters and digits of any script. Prose
/// is full of other dollars, so the grammar is strict about what may stand before and after; text
/// that does not have the form of a mention is not listed. Mentions in code, quotations, command lines and HTML comments
/// are listed with the [`Mask`] that keeps them from being resolved.
///
/// `is_exact` returns whether an id, in Unicode normal form NFC, is exactly the name, the alias or the
/// qualified id of a skill. `is_exact` is called in three cases only:
///
/// - An id that begins with a digit is a mention only if the id exists (`$3d-modeling`, but `$20k` is money).
/// - An id in capitals is a candidate only if the id exists in lowercase and is not a variable of every shell
///   (`$CODE-REVIEW`, but `$HOME`).
/// - An id that continues in a script written without spaces ends at the change of script, unless the whole
///   id exists (`请用$code-review检查`).
///
/// Nothing is resolved, read or changed.
///
/// # Cost
///
/// Linear in the text, and at memory speed for a text without `$`. Markdown is parsed only if a text holds a
/// candidate, and something that could mask or link the candidate.
///
/// ```
/// use skills_format::{CandidateKind, Mask, scan};
///
/// let text = "$code-review: fix `$PATH` as in `$tdd`, it cost $20k \\$here";
/// let found = scan(text, &|_| false);
/// assert_eq!(found[0].id(), "code-review");
/// assert_eq!(found[0].span.range(), 0..12);
/// assert!(found[0].is_mention());
/// assert_eq!(found[1].masked, Some(Mask::CodeSpan));
/// assert_eq!(found[2].kind, CandidateKind::Escaped);
/// assert_eq!(found.len(), 3);
/// ```
pub fn scan<'t>(text: &'t str, is_exact: &dyn Fn(&str) -> bool) -> Vec<Candidate<'t>> {
    if memchr::memchr(b'$', text.as_bytes()).is_none() {
        return Vec::new();
    }
    let mut lines = LineMasks::new(text);
    let drafts: Vec<(MentionDraft, Option<Mask>)> = Grammar::new(text, is_exact)
        .map(|draft| (draft, lines.mask_at(draft.start)))
        .collect();
    let ranges = drafts.iter().map(|(draft, _)| draft.start..draft.label_end);
    places(text, &ranges.collect::<Vec<_>>())
        .into_iter()
        .zip(drafts)
        .filter_map(|(place, (draft, line))| candidate(text, draft, line, place))
        .collect()
}

/// A place in a text that has the form of a mention.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate<'t> {
    /// The text at [`span`](Self::span), as typed: `$code-review`.
    pub raw: &'t str,
    /// The bytes in the scanned text, without the backslash of an escape and the brackets of a link.
    pub span: Span,
    /// The bytes that the candidate occupies: the whole link of a linked mention, else
    /// [`span`](Self::span).
    pub extent: Span,
    /// The kind of the candidate.
    pub kind: CandidateKind,
    /// The reason why the candidate is not resolved, if it is masked.
    pub masked: Option<Mask>,
}

impl<'t> Candidate<'t> {
    /// Returns the id as typed, without `$`.
    pub fn id(&self) -> &'t str {
        self.raw.strip_prefix('$').unwrap_or(self.raw)
    }

    /// Returns the id for comparison: in Unicode normal form NFC.
    pub fn key(&self) -> Cow<'t, str> {
        nfc(self.id())
    }

    /// Returns whether the candidate is a mention to resolve: neither masked nor escaped nor reserved.
    pub fn is_mention(&self) -> bool {
        self.masked.is_none() && matches!(self.kind, CandidateKind::Bare | CandidateKind::Linked(_))
    }
}

/// The id of a skill: `name`, or `source:name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Id<'t> {
    /// The name of the source. `None`: the id is a name alone.
    pub source: Option<&'t str>,
    /// The name, or an alias, of the skill.
    pub name: &'t str,
}

impl<'t> Id<'t> {
    /// Splits an id at its last colon: the name of a source can hold one, `mcp:LABEL`; the name of a skill cannot.
    pub fn parse(id: &'t str) -> Self {
        match id.rsplit_once(':') {
            Some((source, name)) => Self::of(source, name),
            None => Self {
                source: None,
                name: id,
            },
        }
    }

    /// Makes the id of a skill of one source.
    pub const fn of(source: &'t str, name: &'t str) -> Self {
        Self {
            source: Some(source),
            name,
        }
    }
}

/// Writes `source:name`, or the name alone.
impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.source {
            Some(source) => write!(f, "{source}:{}", self.name),
            None => f.write_str(self.name),
        }
    }
}

/// The kind of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CandidateKind {
    /// `$id`.
    Bare,
    /// `[$name](skill://source/name)`: names the skill of the address. The name alone does not count.
    Linked(Link),
    /// `\$id`: reported, and never resolved.
    Escaped,
    /// `$source:*`: reserved for a later version, reported, and never resolved.
    Reserved,
}

/// The address of a linked mention. Only Markdown's escapes are resolved; percent-encoding stays.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Link {
    /// The part after `skill://`.
    Skill(String),
    /// The address of a `SKILL.md`, in any case: a path, a `file://` address, or the path after
    /// `skill://` of `skill:///path/SKILL.md`.
    File(String),
}

impl Link {
    /// Reads an address that names a skill. Returns `None` for any other address.
    ///
    /// `skill://x/SKILL.md` is a [`Link::Skill`]. `skill:///x/SKILL.md` and `skill://C:/x/SKILL.md` are a
    /// [`Link::File`]: the name of a source is neither empty nor holds a colon.
    fn new(address: String) -> Option<Self> {
        match address.strip_prefix("skill://") {
            Some(path) if is_absolute(path) && is_skill_file(path) => {
                Some(Self::File(path.to_owned()))
            }
            Some(skill) => Some(Self::Skill(skill.to_owned())),
            None if is_skill_file(&address) => Some(Self::File(address)),
            None => None,
        }
    }
}

/// Returns whether a path begins at the root, or at a drive of Windows.
fn is_absolute(path: &str) -> bool {
    match path.as_bytes() {
        [b'/', ..] => true,
        [drive, b':', b'/' | b'\\', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Returns whether an address ends in `SKILL.md`. In any other letter case, `skill.md` must be the whole name
/// of the file: `write-a-skill.md` does not count.
fn is_skill_file(address: &str) -> bool {
    let file = address.rsplit(['/', '\\']).next().unwrap_or(address);
    address.ends_with("SKILL.md") || file.eq_ignore_ascii_case("SKILL.md")
}

fn candidate(
    text: &str,
    draft: MentionDraft,
    line: Option<Mask>,
    place: Place,
) -> Option<Candidate<'_>> {
    let masked = match place {
        Place::Unseen => return None,
        Place::Prose | Place::Label(..) => line,
        Place::Masked(mask) => Some(mask),
    };
    // A backtick may stand before a mention only as the delimiter of a code span.
    if draft.after_backtick && masked != Some(Mask::CodeSpan) {
        return None;
    }
    let mut extent = None;
    let (end, kind) = match (draft.form, place) {
        (MentionForm::Bare, Place::Label(whole, address)) => {
            extent = Some(whole.into());
            (draft.label_end, CandidateKind::Linked(Link::new(address)?))
        }
        (MentionForm::Bare, _) => (draft.end, CandidateKind::Bare),
        (MentionForm::Escaped, _) => (draft.end, CandidateKind::Escaped),
        (MentionForm::Reserved, _) => (draft.end, CandidateKind::Reserved),
    };
    let span = Span::new(draft.start, end);
    Some(Candidate {
        raw: span.of(text),
        span,
        extent: extent.unwrap_or(span),
        kind,
        masked,
    })
}

/// Why a skill that an id names does not start now. `Display` writes the name in JSON, such as `disabled` or
/// `not-invocable`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The skill is disabled.
    Disabled {
        /// `None`: a person disabled the skill. Otherwise the reason why it is unknown which skills are disabled: the
        /// skill cannot be enabled before the file of the decisions is fixed.
        unknown: Option<Arc<str>>,
    },
    /// The skill's source is not trusted, or the skill has changed since it was trusted.
    Untrusted {
        /// True if a person trusted the skill, and it has changed since.
        changed: bool,
    },
    /// The host does not meet the skill's needs.
    Ineligible {
        /// The needs that are not met, in words.
        needs: Vec<String>,
    },
    /// Only the model may start the skill, or only a person.
    NotInvocable {
        /// True if the model named the skill, which only a person may start.
        by_model: bool,
    },
    /// The text already names as many skills as the host allows.
    TooMany {
        /// The number of skills that the host allows.
        limit: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Disabled { .. } => "disabled",
            Self::Untrusted { .. } => "untrusted",
            Self::Ineligible { .. } => "ineligible",
            Self::NotInvocable { .. } => "not-invocable",
            Self::TooMany { .. } => "too-many",
        })
    }
}

/// A text that begins with `/` and a name.
///
/// ```
/// use skills_format::mention::Slash;
///
/// assert!(Slash::is_command("/compact with $demo"));
/// assert!(!Slash::is_command("/usr/bin/env"));
/// ```
pub struct Slash<'t> {
    /// The word after `/`.
    pub name: &'t str,
    /// The text after the name.
    pub rest: &'t str,
    /// The name and the rest.
    pub text: &'t str,
}

impl<'t> Slash<'t> {
    /// Splits a text. Returns `None` if it does not begin with `/` and a name.
    pub fn parse(text: &'t str) -> Option<Self> {
        let text = text.trim_start().strip_prefix('/')?;
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (name, rest) = text.split_at_checked(end)?;
        (!name.is_empty()).then_some(Self { name, rest, text })
    }

    /// Returns whether the name is a word of letters, digits, `-`, `_` and `:`. A path such as `/usr/bin/env` is not.
    pub fn is_word(&self) -> bool {
        let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':');
        self.name.chars().all(is_of_word)
    }

    /// Returns whether a text has the form of a slash command: optional white space, `/`, a word of letters, digits, `-`,
    /// `_` and `:`, then white space or the end. A path such as `/usr/bin/env` does not have the form.
    pub fn is_command(text: &'t str) -> bool {
        Self::parse(text).is_some_and(|slash| slash.is_word())
    }
}

#[cfg(test)]
mod tests;
