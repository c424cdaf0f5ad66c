//! Finds the front matter and the body of a `SKILL.md`.

use crate::skill::dots::{Dots, after_dots};
use crate::skill::field_lines::{has_fields, is_key, is_yaml};
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
    /// White space before the first `---`, on the same line.
    IndentedOpening,
    /// White space at the end of a `---` line.
    TrailingSpace,
    /// A second `---` between the opening line and the fields.
    DoubledOpening,
    /// `...` in place of the second `---`.
    Dots,
    /// A second `---` that is indented, has text after it, or is written with other dashes.
    LooseClosing,
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
        let Boundaries { open, end, close } = Boundaries::of(text, &mut forms)?;
        let start = line_after(text, open);
        if matches!(close.of(text).trim_end(), "---" | "...") {
            note_trailing_space(text, close, &mut forms);
        }
        if end.of(text).starts_with("...") {
            let span = Span::new(end.start, end.start + 3);
            forms.push(TextForm::new(FormKind::Dots, span));
        }
        if let Some(at) = carriage_return(text) {
            let span = Span::new(at, at + 1);
            forms.push(TextForm::new(FormKind::CarriageReturns, span));
        }
        let body = trimmed(text, line_after(text, close));
        Ok(Self {
            text,
            yaml: Span::new(start, end.start),
            body,
            forms,
        })
    }

    /// Returns whether every reader finds the same front matter and the same lines in it. If not, a person may have been
    /// shown other fields than the ones that are read here.
    pub(crate) fn is_exact(&self) -> bool {
        let is_exact = |form: &TextForm| match form.kind {
            FormKind::ByteOrderMark | FormKind::TrailingSpace | FormKind::CarriageReturns => true,
            FormKind::TextBefore
            | FormKind::IndentedOpening
            | FormKind::DoubledOpening
            | FormKind::Dots
            | FormKind::LooseClosing => false,
        };
        let yaml = self.yaml.of(self.text);
        // YAML 1.1 ends lines at these characters too.
        let has_other_ends = yaml.contains(['\u{85}', '\u{2028}', '\u{2029}'])
            || yaml
                .split('\r')
                .skip(1)
                .any(|after| !after.starts_with('\n'));
        self.forms.iter().all(is_exact) && !has_other_ends
    }

    /// Returns the body for a model: with LF line ends, otherwise the file's bytes.
    pub fn body(&self) -> Cow<'t, str> {
        lf(self.body.of(self.text))
    }
}

/// The size of the front matter, as far as the first bytes of a file show it.
///
/// The enum is exhaustive on purpose: a reader of a file decides about each of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// The size of the front matter in bytes, both `---` lines included.
    Ends(usize),
    /// The file does not begin with front matter, or is not text. More bytes change nothing.
    None,
    /// The bytes end before the front matter ends.
    Open,
}

impl Head {
    /// Searches the first bytes of a file for the end of the front matter. Bytes after the front
    /// matter are ignored.
    pub fn of(bytes: &[u8]) -> Self {
        let (text, is_text) = match std::str::from_utf8(bytes) {
            Ok(text) => (text, true),
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let text = std::str::from_utf8(valid).unwrap_or_default();
                // `None`: the bytes end within a character, and more bytes can complete it.
                (text, error.error_len().is_none())
            }
        };
        let open = if is_text { Self::Open } else { Self::None };
        match Boundaries::of(text, &mut Vec::new()) {
            Ok(found) if found.is_open(text) => open,
            Ok(found) if found.close.end < text.len() => Self::Ends(found.close.end + 1),
            Ok(_) | Err(NoFrontMatter::Unterminated(_)) => open,
            Err(NoFrontMatter::Missing(at)) => {
                let rest = text.get(at.start..).unwrap_or_default();
                // Before the line end, the line can still become `---`; a comment can be closed later.
                let whole_line = memchr::memchr(b'\n', rest.as_bytes()).is_some();
                if whole_line && !rest.trim_start().starts_with("<!--") {
                    Self::None
                } else {
                    open
                }
            }
        }
    }
}

/// The lines around the front matter.
struct Boundaries {
    open: Span,
    /// The line that ends the fields: the closing line, or `...` before that line.
    end: Span,
    /// The last line before the body.
    close: Span,
}

impl Boundaries {
    fn of(text: &str, forms: &mut Vec<TextForm>) -> Result<Self, NoFrontMatter> {
        let mut open = opening(text, forms)?;
        note_trailing_space(text, open, forms);
        let mut start = line_after(text, open);
        let mut end = closing(text, start);
        if let Some(second) = end.filter(|second| is_doubled(text, open, *second))
            && let Dots::Fields(_) = after_dots(text, second)
        {
            let span = Span::new(open.start, second.start);
            forms.push(TextForm::new(FormKind::DoubledOpening, span));
            open = second;
            start = line_after(text, open);
            end = closing(text, start);
        }
        let mut close = end;
        if let Some(dots) = end.filter(|line| line.of(text).starts_with("...")) {
            match after_dots(text, dots) {
                Dots::Dashes(dashes) => close = Some(dashes),
                Dots::Fields(dashes) => (end, close) = (Some(dashes), Some(dashes)),
                Dots::Body | Dots::Open => {}
            }
        }
        let before = end.map_or(text.len(), |end| end.start);
        // A malformed closing line takes precedence: a later `---` can be a thematic break of the body.
        let loose = loose_closing(text, start, before);
        if let Some(line) = loose.filter(|line| !has_fields(text, *line, end)) {
            forms.push(TextForm::new(
                FormKind::LooseClosing,
                trimmed_line(text, line),
            ));
            (end, close) = (Some(line), Some(line));
        }
        let (end, close) = end.zip(close).ok_or(NoFrontMatter::Unterminated(open))?;
        Ok(Self { open, end, close })
    }

    /// Returns whether more bytes can move the end of the front matter.
    fn is_open(&self, text: &str) -> bool {
        let is_dots = self.close.of(text).starts_with("...");
        (is_dots || is_doubled(text, self.open, self.close))
            && after_dots(text, self.close) == Dots::Open
    }
}

/// Returns whether a second `---` follows the opening line, after blank lines at most.
fn is_doubled(text: &str, open: Span, second: Span) -> bool {
    let between = Span::new(line_after(text, open), second.start);
    second.of(text).starts_with("---") && between.of(text).trim().is_empty()
}

/// Returns a malformed line before `end` that was meant to close the front matter.
fn loose_closing(text: &str, start: usize, end: usize) -> Option<Span> {
    let mut at = start;
    while at < end {
        let line = line_at(text, at);
        at = line_after(text, line);
        let written = line.of(text).trim_end();
        let content = written.trim_start();
        let is_dash = |c: char| matches!(c, '-' | '\u{2013}' | '\u{2014}' | '\u{2212}');
        if written.len() > content.len() {
            if content == "---" && !goes_on(text, at, end) {
                return Some(line);
            }
        } else if content.starts_with("---") && content.len() > 3
            || !content.is_ascii() && content.chars().all(is_dash)
        {
            return Some(line);
        } else if !is_yaml(content) {
            return None;
        }
    }
    None
}

/// Returns whether front matter continues after an indented `---`. The line is then part of a block text.
fn goes_on(text: &str, start: usize, end: usize) -> bool {
    let rest = text.get(start..end).unwrap_or_default();
    let next = rest.lines().find(|line| !line.trim().is_empty());
    next.is_some_and(|line| line.starts_with([' ', '\t']) || is_key(line))
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
        if content.trim_start() == "---" {
            if at > begin {
                forms.push(TextForm::new(FormKind::TextBefore, Span::new(begin, at)));
            }
            let indent = content.len() - "---".len();
            if indent > 0 {
                let span = Span::new(line.start, line.start + indent);
                forms.push(TextForm::new(FormKind::IndentedOpening, span));
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

pub(crate) fn closing(text: &str, start: usize) -> Option<Span> {
    let mut at = start;
    while at < text.len() {
        let line = line_at(text, at);
        work::done(line.len());
        if matches!(line.of(text).trim_end(), "---" | "...") {
            return Some(line);
        }
        at = line_after(text, line);
    }
    None
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
        let document = Document::split(" --- \nname: x\n --- \nbody").expect("front matter");
        assert_eq!(
            (document.yaml.of(document.text), &*document.body()),
            ("name: x\n", "body")
        );
        let forms = document.forms.iter().map(|form| form.kind);
        let indented = [
            FormKind::IndentedOpening,
            FormKind::TrailingSpace,
            FormKind::LooseClosing,
        ];
        assert_eq!(forms.collect::<Vec<_>>(), indented);
        // Without the CR of CR LF, the CR before would form a new CR LF.
        let document = Document::split("---\nn: x\n---\na\r\r\n").expect("front matter");
        assert_eq!(document.forms, []);
    }

    #[test]
    fn lines_that_were_meant_to_close_it_close_it() {
        for line in ["  ---", "---junk", "\u{2014}--", "--- # end", "-----"] {
            let text =
                format!("---\nname: x\ndescription: y\n{line}\n# Title\n\nGo.\n\n---\n\nOn.\n");
            let document = Document::split(&text).expect("front matter");
            assert_eq!(
                document.yaml.of(&text),
                "name: x\ndescription: y\n",
                "{line}"
            );
            assert_eq!(document.body(), "# Title\n\nGo.\n\n---\n\nOn.", "{line}");
            assert_eq!(document.forms.len(), 1, "{line}");
        }
        let text = "---\nd: |\n  a\n  ---\n  b\nname: x\n---\nGo.\n";
        let document = Document::split(text).expect("front matter");
        assert_eq!(document.body(), "Go.");
        assert_eq!(document.forms, []);
    }

    /// A restraint below the line would be lost with the rest of the fields.
    #[test]
    fn fields_below_a_malformed_line_are_front_matter() {
        for line in ["----", "--- # end", "\u{2014}--"] {
            let text = format!(
                "---\nname: x\n{line}\n\nmetadata:\n  a: b\ndisable-model-invocation: true\n---\nGo.\n"
            );
            let document = Document::split(&text).expect("front matter");
            assert_eq!(
                (&*document.body(), document.forms.len()),
                ("Go.", 0),
                "{line}"
            );
            let file = crate::SkillFile::read("SKILL.md", "x", text.as_bytes());
            assert!(
                file.front_matter.as_ref().is_some_and(Result::is_err),
                "{line}"
            );
            let (skill, _) = file.lenient();
            assert!(
                skill.is_none_or(|skill| skill.fields.disable_model_invocation),
                "{line}"
            );
        }
        for rest in [
            "Go.\nname: y\n---\n",
            "Usage: it\n---\n",
            "name: y\n",
            "- name: y\n---\n",
        ] {
            let text = format!("---\nname: x\n----\n{rest}Go.\n");
            let document = Document::split(&text).expect("front matter");
            assert_eq!(document.yaml.of(&text), "name: x\n", "{rest}");
        }
    }

    #[test]
    fn an_opening_line_twice() {
        for between in ["", "\n", " \n\n"] {
            let text =
                format!("---\n{between}---\nname: x\ndisable-model-invocation: true\n---\nGo.\n");
            let document = Document::split(&text).expect("front matter");
            assert_eq!(document.body(), "Go.");
            assert_eq!(
                document.yaml.of(&text),
                "name: x\ndisable-model-invocation: true\n"
            );
            let [form] = &*document.forms else {
                panic!("one form");
            };
            assert_eq!(form.kind, FormKind::DoubledOpening);
            assert_eq!(form.span.end, 4 + between.len());
        }
        for text in [
            "---\n---\nGo.\n",
            "---\n---\nNote: go\n---\nOn.\n",
            "---\n---\n---\nname: x\n---\n",
            "---\n# c\n---\nname: x\n---\n",
        ] {
            let document = Document::split(text).expect("front matter");
            assert!(document.forms.is_empty(), "{text}");
        }
    }

    #[test]
    fn dots_before_the_line_that_closes_it() {
        for (rest, body, yaml) in [
            ("---\nGo.\n", "Go.", "name: x\n"),
            ("\n--- \nGo.\n", "Go.", "name: x\n"),
            ("Go.\n\n---\n", "Go.\n\n---", "name: x\n"),
            ("# Go\n---\nOn.\n", "# Go\n---\nOn.", "name: x\n"),
            (
                "license: MIT\n---\nGo.\n",
                "Go.",
                "name: x\n...\nlicense: MIT\n",
            ),
        ] {
            let text = format!("---\nname: x\n...\n{rest}");
            let document = Document::split(&text).expect("front matter");
            assert_eq!(document.body(), body);
            assert_eq!(document.yaml.of(&text), yaml);
        }
        let text = "---\nname: x\n...\ndisable-model-invocation: true\n---\nGo.\n";
        let file = crate::SkillFile::read("SKILL.md", "x", text.as_bytes());
        assert!(file.front_matter.as_ref().is_some_and(Result::is_err));
        let (skill, _) = file.lenient();
        assert!(skill.is_none_or(|skill| skill.fields.disable_model_invocation));
    }

    #[test]
    fn heads() {
        for (text, head) in [
            ("---\nname: x\n---\nbody", Head::Ends(16)),
            ("\u{FEFF}<!-- a -->\n--- \r\n...\r\nGo\r\n", Head::Ends(25)),
            ("---\nname: x\n---", Head::Open),
            ("---\nname: x\n", Head::Open),
            ("--", Head::Open),
            ("", Head::Open),
            ("\n\n", Head::Open),
            ("<!-- not yet\n", Head::Open),
            ("---\nname: x\n...\nGo.\n", Head::Ends(16)),
            ("---\nname: x\n...\n---\nGo.\n", Head::Ends(20)),
            ("---\nname: x\n...\nname: y\n---\n", Head::Ends(28)),
            ("---\nname: x\n...\nname: y\n", Head::Open),
            ("---\nname: x\n...\n\n", Head::Open),
            ("---\n---\nname: x\n", Head::Open),
            ("---\n---\nname: x\n---\nGo.\n", Head::Ends(20)),
            ("---\n---\nGo.\n", Head::Ends(8)),
            ("# Title\n", Head::None),
            ("name: x\n---\n", Head::None),
        ] {
            assert_eq!(Head::of(text.as_bytes()), head, "{text:?}");
        }
        assert_eq!(Head::of(b"---\nn: x\n---\n\xff"), Head::Ends(13));
        assert_eq!(Head::of(b"---\nn: \xff\n---\n"), Head::None);
        assert_eq!(Head::of(b"---\nn: \xe4"), Head::Open);
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
