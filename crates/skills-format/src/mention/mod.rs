//! Mentions: `$name` in text. Where one may stand, and where it ends.

pub(crate) mod grammar;
pub mod mask;
pub(crate) mod neutralize;
pub mod variables;

#[cfg(test)]
mod tests;

use crate::mention::grammar::{Draft, Form, Grammar, Steps};
use crate::mention::mask::lines::Lines;
use crate::mention::mask::place::{Mask, Place};
use crate::mention::mask::{has_structure, places};
use crate::name::nfc;
use crate::text::span::Span;
use std::borrow::Cow;

/// Finds every candidate for a mention in `text`, in order.
///
/// A mention is `$` and an id: `name` or `source:name`, in letters and digits of any script. Prose
/// is full of other dollars, so the grammar is strict about what may stand before and after; text
/// that does not have the form of a mention is not listed. Mentions in code, quotations, command lines and HTML comments
/// are listed with the [`Mask`] that keeps them from being resolved.
///
/// `is_exact` says whether an id, in Unicode normal form NFC, is exactly the name, the alias or the
/// qualified id of a skill. It is asked in three cases only: an id that begins with a digit is a
/// mention only when it exists (`$3d-modeling`, but `$20k` is money), an id in capitals is a candidate
/// only when it exists in lowercase and is no known variable (`$CODE-REVIEW`, but `$HOME`), and an id that
/// runs on into a script written without spaces ends there unless all of it exists
/// (`请用$code-review检查`).
///
/// Nothing is resolved, read or changed. The cost is linear in the text: at memory speed when it
/// holds no `$`, and Markdown is parsed only when a candidate is there and the text holds something
/// that could mask or link it.
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
    scan_counted(text, is_exact, &Steps::default())
}

/// A place in a text that has the form of a mention.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate<'t> {
    /// The text at [`span`](Self::span), as typed: `$code-review`.
    pub raw: &'t str,
    /// Where it stands, in bytes of the text that was given. The backslash of an escape and the
    /// brackets of a link are outside.
    pub span: Span,
    /// What it takes up of the text: the whole of a link, else [`span`](Self::span).
    pub extent: Span,
    /// What it is.
    pub kind: CandidateKind,
    /// Why it is not to be resolved, when it stands where text is not scanned.
    pub masked: Option<Mask>,
}

impl<'t> Candidate<'t> {
    /// The id as typed, without `$`.
    pub fn id(&self) -> &'t str {
        self.raw.strip_prefix('$').unwrap_or(self.raw)
    }

    /// The id as ids are compared: in Unicode normal form NFC.
    pub fn key(&self) -> Cow<'t, str> {
        nfc(self.id())
    }

    /// The source that was typed, if any, and the name, both without normalisation.
    pub fn parts(&self) -> (Option<&'t str>, &'t str) {
        match self.id().rsplit_once(':') {
            Some((source, name)) => (Some(source), name),
            None => (None, self.id()),
        }
    }

    /// Whether it is a mention to resolve: neither masked nor escaped nor reserved.
    pub fn is_mention(&self) -> bool {
        self.masked.is_none() && matches!(self.kind, CandidateKind::Bare | CandidateKind::Linked(_))
    }
}

/// What a candidate is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CandidateKind {
    /// `$id`.
    Bare,
    /// `[$name](skill://source/name)`: names the skill of the address, whatever else the name could
    /// mean.
    Linked(Link),
    /// `\$id`: reported, and never resolved.
    Escaped,
    /// `$source:*`: kept for later, reported, and never resolved.
    Reserved,
}

/// The address of a linked mention, with Markdown's own escapes resolved and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Link {
    /// What stands after `skill://`.
    Skill(String),
    /// The address of a `SKILL.md`, in any case: a path, a `file://` address, or the path after
    /// `skill://` of `skill:///path/SKILL.md`.
    File(String),
}

impl Link {
    /// An address that names a skill; `None` for any other. `skill://x/SKILL.md` is of the first
    /// kind, `skill:///x/SKILL.md` and `skill://C:/x/SKILL.md` of the second: no source has an empty name, or
    /// a name with a colon.
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

/// Whether a path begins at the root, or at a drive of Windows.
fn is_absolute(path: &str) -> bool {
    match path.as_bytes() {
        [b'/', ..] => true,
        [drive, b':', b'/' | b'\\', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Whether an address leads to a `SKILL.md`. In another case, `skill.md` must be the whole name of
/// the file: `write-a-skill.md` does not count.
fn is_skill_file(address: &str) -> bool {
    let file = address.rsplit(['/', '\\']).next().unwrap_or(address);
    address.ends_with("SKILL.md") || file.eq_ignore_ascii_case("SKILL.md")
}

fn scan_counted<'t>(
    text: &'t str,
    is_exact: &dyn Fn(&str) -> bool,
    steps: &Steps,
) -> Vec<Candidate<'t>> {
    if memchr::memchr(b'$', text.as_bytes()).is_none() {
        return Vec::new();
    }
    if !has_structure(text)
        && let Some(candidates) = scan_plain(text, is_exact, steps)
    {
        return candidates;
    }
    scan_markdown(text, is_exact, steps)
}

/// The candidates of a text without structure; `None` when one of them could be in indented code.
fn scan_plain<'t>(
    text: &'t str,
    is_exact: &dyn Fn(&str) -> bool,
    steps: &Steps,
) -> Option<Vec<Candidate<'t>>> {
    let mut lines = Lines::new(text, steps);
    let mut candidates = Vec::new();
    for draft in Grammar::new(text, is_exact, steps) {
        let line = lines.mask_at(draft.start);
        if lines.could_be_code() {
            return None;
        }
        candidates.extend(candidate(text, draft, line, Place::Prose));
    }
    Some(candidates)
}

fn scan_markdown<'t>(
    text: &'t str,
    is_exact: &dyn Fn(&str) -> bool,
    steps: &Steps,
) -> Vec<Candidate<'t>> {
    let mut lines = Lines::new(text, steps);
    let drafts: Vec<(Draft, Option<Mask>)> = Grammar::new(text, is_exact, steps)
        .map(|draft| (draft, lines.mask_at(draft.start)))
        .collect();
    if drafts.is_empty() {
        return Vec::new();
    }
    let ranges = drafts.iter().map(|(draft, _)| draft.start..draft.label_end);
    places(text, ranges)
        .into_iter()
        .zip(drafts)
        .filter_map(|(place, (draft, line))| candidate(text, draft, line, place))
        .collect()
}

fn candidate(text: &str, draft: Draft, line: Option<Mask>, place: Place) -> Option<Candidate<'_>> {
    let masked = match place {
        Place::Unseen => return None,
        Place::Prose | Place::Label(..) => line,
        Place::Masked(mask) => Some(mask),
    };
    // Only as the delimiter of a code span may a backtick stand before a mention.
    if draft.after_backtick && masked != Some(Mask::CodeSpan) {
        return None;
    }
    let mut extent = None;
    let (end, kind) = match (draft.form, place) {
        (Form::Bare, Place::Label(whole, address)) => {
            extent = Some(whole.into());
            (draft.label_end, CandidateKind::Linked(Link::new(address)?))
        }
        (Form::Bare, _) => (draft.end, CandidateKind::Bare),
        (Form::Escaped, _) => (draft.end, CandidateKind::Escaped),
        (Form::Reserved, _) => (draft.end, CandidateKind::Reserved),
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
