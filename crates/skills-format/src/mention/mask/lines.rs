//! Lines that are masked as a whole, whatever the Markdown around them.

use crate::mention::grammar::{Steps, is_letter};
use crate::mention::mask::lead;
use crate::mention::mask::place::Mask;
use memchr::memrchr2;

/// The masks of lines, queried in the order of the text, so that each line is read at most once.
pub(crate) struct LineMasks<'t> {
    text: &'t str,
    steps: &'t Steps,
    lead: usize,
    /// The offset up to which line ends were searched.
    seen: usize,
    /// The mask of the line at `seen`.
    mask: Option<Mask>,
    could_be_code: bool,
}

impl<'t> LineMasks<'t> {
    pub(crate) fn new(text: &'t str, steps: &'t Steps) -> Self {
        Self {
            text,
            steps,
            lead: lead(text),
            seen: 0,
            mask: None,
            could_be_code: false,
        }
    }

    /// Returns the mask of the line at `offset`. Offsets must not decrease from call to call.
    pub(crate) fn mask_at(&mut self, offset: usize) -> Option<Mask> {
        let between = self.text.get(self.seen..offset).unwrap_or_default();
        self.steps.add(between.len());
        let line_end = memrchr2(b'\n', b'\r', between.as_bytes());
        if line_end.is_some() || self.seen == 0 {
            let start = line_end.map_or(0, |end| self.seen + end + 1);
            self.read(start.max(self.lead));
        }
        self.seen = offset;
        self.mask
    }

    /// Returns whether any queried line could be indented code.
    pub(crate) fn could_be_code(&self) -> bool {
        self.could_be_code
    }

    fn read(&mut self, start: usize) {
        let line = self.text.get(start..).unwrap_or_default();
        let content = line.trim_start_matches(is_blank);
        let unspaced = line.trim_start_matches(' ');
        let inner = line.trim_start_matches(is_container);
        self.steps
            .add(line.len() - content.len() + line.len() - inner.len());

        let quoted = line.len() - unspaced.len() <= 3 && unspaced.starts_with('>');
        self.mask = if content.starts_with("$ ") {
            Some(Mask::Prompt)
        } else if content.strip_prefix('!').is_some_and(is_command) {
            Some(Mask::Command)
        } else {
            quoted.then_some(Mask::Quote)
        };
        let markers = line.get(..line.len() - inner.len()).unwrap_or_default();
        self.could_be_code |= markers.contains('\t') || markers.contains("    ");
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\n' | '\r')
}

/// Returns whether a character can stand before indented code: indents, and the markers of quotations and
/// list items.
pub(super) fn is_container(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '>' | '-' | '+' | '*' | '.' | ')' | '0'..='9'
    )
}

fn is_command(text: &str) -> bool {
    text.starts_with(|c| is_letter(c) || matches!(c, '.' | '/'))
}
