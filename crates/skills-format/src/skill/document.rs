//! Finds the front matter and the body of a `SKILL.md`.

use crate::text::lines::{line_after, line_at};
use crate::text::span::Span;
use crate::text::work;
use std::borrow::Cow;

/// A `SKILL.md` cut into its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Document<'t> {
    /// The whole file.
    pub text: &'t str,
    /// The YAML between the two `---` lines.
    pub yaml: Span,
    /// The text after the closing line, without leading empty lines and trailing white space.
    pub body: Span,
    /// The forms in the file that are accepted here, but not by every reader.
    pub forms: Vec<TextForm>,
}

/// A form that some readers do not accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextForm {
    /// The kind of the form.
    pub kind: FormKind,
    /// The first place of the form.
    pub span: Span,
}

/// The kind of a [`TextForm`]. Each client accepts other kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormKind {
    /// A byte-order mark at the start of the file.
    ByteOrderMark,
    /// Empty lines or comments before the front matter.
    TextBefore,
    /// White space at the end of a `---` line.
    TrailingSpace,
    /// `...` in place of the second `---`, or above it.
    Dots,
    /// Lines that end with CR LF.
    CarriageReturns,
}

/// The reason why a file has no front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoFrontMatter {
    /// The file does not begin with `---`: the line that stands in its place.
    Missing(Span),
    /// No line closes the front matter: the `---` that opens it.
    Unterminated(Span),
}

impl TextForm {
    fn new(kind: FormKind, span: Span) -> Self {
        Self { kind, span }
    }
}

impl<'t> Document<'t> {
    /// Cuts a file into its parts.
    ///
    /// # Errors
    ///
    /// The file has no front matter, or its front matter is not closed.
    ///
    /// # Cost
    ///
    /// One pass over the lines of the front matter, and a search of the file for CR LF.
    pub fn split(text: &'t str) -> Result<Self, NoFrontMatter> {
        let mut forms = Vec::new();
        let (open, close) = boundaries(text, &mut forms)?;
        if let Some(at) = carriage_return(text) {
            let span = Span::new(at, at + 1);
            forms.push(TextForm::new(FormKind::CarriageReturns, span));
        }
        let body = trimmed(text, line_after(text, close));
        Ok(Self {
            text,
            yaml: Span::new(line_after(text, open), close.start),
            body,
            forms,
        })
    }

    /// Returns whether every reader finds the same front matter and the same lines in it. If not, a person may have been
    /// shown other fields than the ones that are read here.
    pub(crate) fn is_exact(&self) -> bool {
        let is_odd = |form: &TextForm| matches!(form.kind, FormKind::TextBefore | FormKind::Dots);
        let yaml = self.yaml.of(self.text);
        // YAML 1.1 ends lines at these characters too.
        let has_other_ends = yaml.contains(['\u{85}', '\u{2028}', '\u{2029}'])
            || yaml
                .split('\r')
                .skip(1)
                .any(|after| !after.starts_with('\n'));
        !self.forms.iter().any(is_odd) && !has_other_ends
    }

    /// Returns the body for a model: with LF line ends, otherwise the file's bytes.
    pub fn body(&self) -> Cow<'t, str> {
        lf(self.body.of(self.text))
    }
}

/// Returns the lines that open and close the front matter.
fn boundaries(text: &str, forms: &mut Vec<TextForm>) -> Result<(Span, Span), NoFrontMatter> {
    let open = opening(text, forms)?;
    let (close, dots) = closing(text, line_after(text, open));
    let close = close.ok_or(NoFrontMatter::Unterminated(open))?;
    // In the body, a restraint below a doubled `---` would be lost.
    let below = below(text, close).of(text);
    if is_empty(text, open, close) && (is_key(below) || below.starts_with("---")) {
        return Err(NoFrontMatter::Missing(trimmed_line(text, open)));
    }
    note_trailing_space(text, open, forms);
    note_trailing_space(text, close, forms);
    if let Some(dots) = dots {
        forms.push(TextForm::new(FormKind::Dots, trimmed_line(text, dots)));
    }
    Ok((open, close))
}

/// Returns whether a line begins with the form of a key.
pub(crate) fn is_key(line: &str) -> bool {
    line.split_once(':')
        .is_some_and(|(key, _)| !key.is_empty() && !key.contains(char::is_whitespace))
}

fn is_empty(text: &str, open: Span, close: Span) -> bool {
    let between = Span::new(line_after(text, open), close.start);
    between.of(text).trim().is_empty()
}

fn lf(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\r', text.as_bytes()).is_some() {
        text.replace("\r\n", "\n").into()
    } else {
        text.into()
    }
}

/// Finds the opening `---`, after a byte-order mark, blank lines and HTML comments.
fn opening(text: &str, forms: &mut Vec<TextForm>) -> Result<Span, NoFrontMatter> {
    let mut at = 0;
    if text.starts_with('\u{FEFF}') {
        at = '\u{FEFF}'.len_utf8();
        forms.push(TextForm::new(FormKind::ByteOrderMark, Span::new(0, at)));
    }
    let begin = at;
    loop {
        let line = line_at(text, at);
        let content = line.of(text).trim_end();
        if content == "---" {
            if at > begin {
                forms.push(TextForm::new(FormKind::TextBefore, Span::new(begin, at)));
            }
            return Ok(line);
        }
        if content.trim_start().starts_with("<!--") {
            let rest = text.get(at..).unwrap_or_default();
            let end = rest.find("-->").map(|i| line_at(text, at + i));
            match end {
                Some(end) if end.of(text).trim_end().ends_with("-->") => at = line_after(text, end),
                _ => return Err(NoFrontMatter::Missing(trimmed_line(text, line))),
            }
        } else if content.is_empty() && line.end < text.len() {
            at = line_after(text, line);
        } else {
            return Err(NoFrontMatter::Missing(trimmed_line(text, line)));
        }
    }
}

/// Returns the line that closes the front matter, and the first line `...` in it. A `...` closes it unless fields or `---`
/// follow: a restraint among them counts.
fn closing(text: &str, start: usize) -> (Option<Span>, Option<Span>) {
    let mut dots = None;
    let mut at = start;
    while at < text.len() {
        let line = line_at(text, at);
        work::done(line.len());
        at = line_after(text, line);
        match line.of(text).trim_end() {
            "---" => return (Some(line), dots),
            "..." if dots.is_none() => {
                dots = Some(line);
                let below = below(text, line).of(text);
                if !below.trim().is_empty() && below.trim_end() != "---" && !is_key(below) {
                    break;
                }
            }
            _ => {}
        }
    }
    (dots, dots)
}

/// Returns the next line that is not blank; at the end of a text an empty line.
fn below(text: &str, line: Span) -> Span {
    line_at(text, trimmed(text, line_after(text, line)).start)
}

fn note_trailing_space(text: &str, line: Span, forms: &mut Vec<TextForm>) {
    let content = line.of(text).trim_end_matches('\r');
    let space = Span::new(
        line.start + content.trim_end().len(),
        line.start + content.len(),
    );
    if !space.is_empty() {
        forms.push(TextForm::new(FormKind::TrailingSpace, space));
    }
}

/// Finds the first line that ends with CR LF. A CR LF after another CR does not count: without its CR, the first CR and the
/// LF would be a new CR LF.
fn carriage_return(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    // Most files have no CR, and a search for two bytes costs more to prepare.
    memchr::memchr(b'\r', bytes)?;
    memchr::memmem::find_iter(bytes, b"\r\n").find(|at| *at == 0 || bytes[at - 1] != b'\r')
}

fn trimmed_line(text: &str, line: Span) -> Span {
    Span::new(line.start, line.start + line.of(text).trim_end().len())
}

/// Returns the body that begins at `start`, without leading blank lines and trailing white space.
pub(crate) fn trimmed(text: &str, start: usize) -> Span {
    let mut at = start;
    while at < text.len() {
        let line = line_at(text, at);
        if !line.of(text).trim().is_empty() {
            break;
        }
        at = line_after(text, line);
    }
    let end = at + text.get(at..).unwrap_or_default().trim_end().len();
    Span::new(at, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        let text = "---\nname: x\n---\n\n\n  body\n\n";
        let document = Document::split(text).expect("front matter");
        assert_eq!(document.yaml.of(text), "name: x\n");
        assert_eq!(document.body(), "  body");
        assert!(document.forms.is_empty());
    }

    #[test]
    fn forms_are_told_and_read() {
        let text = "\u{FEFF}<!-- a\nb -->\n\n--- \r\nname: x\r\n...\r\nbody\r\nmore";
        let document = Document::split(text).expect("front matter");
        assert_eq!(document.body(), "body\nmore");
        assert_eq!(document.forms.len(), 5);
        // Without the CR of CR LF, the CR before would form a new CR LF.
        let document = Document::split("---\nn: x\n---\na\r\r\n").expect("front matter");
        assert_eq!(document.forms, []);
        let text = "---\nd: |\n  a\n  ---\n  b\nname: x\n---\nGo.\n";
        let document = Document::split(text).expect("front matter");
        assert_eq!(document.body(), "Go.");
        assert_eq!(document.forms, []);
    }

    /// A restraint below a malformed line would be lost with the rest of the fields.
    #[test]
    fn no_malformed_line_hides_a_restraint() {
        for above in [
            "---\nname: x\n----\n\nmetadata:\n  a: b\n",
            "---\nname: x\n--- # end\n",
            "---\nname: x\n\u{2014}--\n",
            "---\nname: x\n ---\n",
            "---\nname: x\n...\n",
            "---\nname: x\n...\n\n",
            " ---\nname: x\n",
            "---\n---\nname: x\n",
            "---\n\n---\n\nname: x\n",
            "---\n---\nother: x\nname: x\n",
            "---\n---\n---\nname: x\n",
        ] {
            let text = format!("{above}disable-model-invocation: true\n---\nGo.\n");
            let file = crate::SkillFile::read("SKILL.md", "x", text.as_bytes());
            assert!(file.strict().is_none(), "{above}");
            if let (Some(skill), _) = file.lenient() {
                assert!(skill.fields.disable_model_invocation, "{above}");
                assert!(!skill.fields.may_approve, "{above}");
            }
        }
    }

    #[test]
    fn dots_close_it_unless_fields_follow() {
        for (rest, body, yaml) in [
            ("Go.\n", "Go.", "name: x\n"),
            ("\nGo: on.\n", "Go: on.", "name: x\n"),
            ("Go.\n\n---\n", "Go.\n\n---", "name: x\n"),
            ("---\nGo.\n", "Go.", "name: x\n...\n"),
            ("\n--- \nGo.\n", "Go.", "name: x\n...\n\n"),
        ] {
            let text = format!("---\nname: x\n...\n{rest}");
            let document = Document::split(&text).expect("front matter");
            assert_eq!(document.body(), body);
            assert_eq!(document.yaml.of(&text), yaml);
            assert!(!document.is_exact(), "{rest}");
        }
    }

    #[test]
    fn absent() {
        for text in [
            "",
            "\n\n",
            "# Title\n",
            "--- x\n---\n",
            "<!-- open\n---\n---\n",
            "name: x\n---\n",
        ] {
            assert!(
                matches!(Document::split(text), Err(NoFrontMatter::Missing(_))),
                "{text:?}"
            );
        }
        for text in ["---", "---\n", "---\nname: x\n", "---\nname: |\n ---\n x\n"] {
            assert!(
                matches!(Document::split(text), Err(NoFrontMatter::Unterminated(_))),
                "{text:?}"
            );
        }
    }
}
