//! The forms of a `SKILL.md` that some readers do not accept: what they are called, and the edits that replace them.

use memchr::memmem;
use skills_format::diagnostic::Edit;
use skills_format::skill::document::{Document, FormKind, TextForm};
use skills_format::text::lines::{line_after, line_at};
use skills_format::text::span::Span;

/// A form of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) kind: FormKind,
    /// The first place of the form.
    pub(crate) span: Span,
    pub(crate) message: &'static str,
    /// The edits that replace the form everywhere. Empty if a program cannot know them.
    pub(crate) edits: Vec<Edit>,
}

/// Returns the forms of a file, in the order of the document's.
pub(crate) fn forms(document: &Document<'_>) -> Vec<Form> {
    let form = |form: &TextForm| {
        let (message, edits) = described(document, form);
        Form {
            kind: form.kind,
            span: form.span,
            message,
            edits,
        }
    };
    document.forms.iter().map(form).collect()
}

fn described(document: &Document<'_>, form: &TextForm) -> (&'static str, Vec<Edit>) {
    let (text, span) = (document.text, form.span);
    let removal = vec![Edit::replace(span, "")];
    match form.kind {
        FormKind::ByteOrderMark => ("the file begins with a byte-order mark", removal),
        FormKind::TextBefore => {
            let mut edits = removal;
            edits.extend(kept_below(document, span));
            ("there is text before the front matter", edits)
        }
        FormKind::TrailingSpace => ("there is white space at the end of this line", removal),
        FormKind::Dots if span.start == document.yaml.end => {
            let edit = Edit::replace(span, "---");
            ("the front matter is closed by `...`", vec![edit])
        }
        // Most clients read the body from the `---` on.
        FormKind::Dots => {
            let line = Span::new(span.start, line_after(text, line_at(text, span.start)));
            let message = "`...` comes before the `---` that closes the front matter";
            (message, vec![Edit::replace(line, "")])
        }
        _ => ("lines end with CR LF", without_returns(text)),
    }
}

/// Returns the edit that keeps the comments before the front matter: below it, a reader sees them, and those that suppress
/// findings count.
fn kept_below(document: &Document<'_>, before: Span) -> Option<Edit> {
    let (text, close) = (document.text, line_at(document.text, document.yaml.end));
    let kept = before.of(text).trim();
    let space = if close.end < text.len() { "\n" } else { "\n\n" };
    let at = Span::at(line_after(text, close));
    (!kept.is_empty()).then(|| Edit::replace(at, format!("{space}{kept}\n")))
}

/// Removes the CR of each CR LF. A CR LF after another CR stays: without its CR, the first CR and the LF would be a new CR LF,
/// and a second fix would change the file again.
fn without_returns(text: &str) -> Vec<Edit> {
    let bytes = text.as_bytes();
    let all = memmem::find_iter(bytes, b"\r\n");
    let alone = all.filter(|at| *at == 0 || bytes[at - 1] != b'\r');
    alone
        .map(|at| Edit::replace(Span::new(at, at + 1), ""))
        .collect()
}
