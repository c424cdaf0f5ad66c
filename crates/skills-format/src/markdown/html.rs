//! HTML blocks, their beginnings and ends, and single tags within text.

use memchr::{memchr, memmem};

/// The condition that ends a block of HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Html {
    /// The closing tag of any tag of [`RAW`].
    Raw,
    /// The text.
    Until(&'static str),
    /// A blank line.
    Blank,
}

/// The tags whose content is not Markdown, not even after a blank line.
const RAW: [&str; 4] = ["pre", "script", "style", "textarea"];

/// The tags that begin a block, between spaces: a search for ` name ` finds whole names only.
const BLOCKS: &str = " address article aside base basefont blockquote body caption center col \
    colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame frameset \
    h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol \
    optgroup option p param search section summary table tbody td tfoot th thead title tr track ul ";

impl Html {
    /// Returns the block that begins with a line. A single tag cannot interrupt a paragraph.
    pub(super) fn opened_by(line: &[u8], in_paragraph: bool) -> Option<Self> {
        let rest = line.strip_prefix(b"<")?;
        if let Some((_, end)) = instruction(rest) {
            return Some(Self::Until(end));
        }
        let is_closing = rest.first() == Some(&b'/');
        let rest = rest.strip_prefix(b"/").unwrap_or(rest);
        let length = name(rest);
        let name = std::str::from_utf8(rest.get(..length)?).ok()?;
        let name = name.to_ascii_lowercase();
        let after = rest.get(length..).unwrap_or_default();
        let is_apart = matches!(after.first(), None | Some(b' ' | b'\t' | b'>'));
        if !is_closing && RAW.contains(&name.as_str()) {
            return is_apart.then_some(Self::Raw);
        }
        let is_block = !name.is_empty() && BLOCKS.contains(&format!(" {name} "));
        if is_block && (is_apart || after.starts_with(b"/>")) {
            return Some(Self::Blank);
        }
        let is_alone = |end: usize| {
            let rest = line.get(end..).unwrap_or_default();
            rest.iter().all(|byte| matches!(byte, b' ' | b'\t'))
        };
        (!in_paragraph && tag(line, 0).is_some_and(is_alone)).then_some(Self::Blank)
    }

    /// Returns whether a line is the last line of the block.
    pub(super) fn is_closed_by(self, line: &[u8]) -> bool {
        match self {
            Self::Until(end) => memmem::find(line, end.as_bytes()).is_some(),
            Self::Raw => memmem::find_iter(line, b"</").any(|at| {
                let rest = line.get(at + 2..).unwrap_or_default();
                let name = rest.get(..name(rest)).unwrap_or_default();
                let is_raw = |raw: &&str| raw.as_bytes().eq_ignore_ascii_case(name);
                RAW.iter().any(is_raw) && rest.get(name.len()) == Some(&b'>')
            }),
            Self::Blank => false,
        }
    }
}

/// Reads the beginning of a comment, instruction, declaration or CDATA section, after the `<`. Returns the
/// length of the beginning, and the text that ends the section.
pub(super) fn instruction(rest: &[u8]) -> Option<(usize, &'static str)> {
    match rest {
        [b'!', b'-', b'-', ..] => Some((3, "-->")),
        [b'?', ..] => Some((1, "?>")),
        [b'!', letter, ..] if letter.is_ascii_alphabetic() => Some((2, ">")),
        rest if rest.starts_with(b"![CDATA[") => Some((8, "]]>")),
        _ => None,
    }
}

/// Returns the end of the tag that begins at `at`: `<a b="c">` or `</a>`.
pub(super) fn tag(text: &[u8], at: usize) -> Option<usize> {
    let is_closing = text.get(at + 1) == Some(&b'/');
    let start = at + 1 + usize::from(is_closing);
    let length = name(text.get(start..)?);
    let mut at = start + length;
    if length == 0 {
        return None;
    }
    loop {
        let next = white_space(text, at);
        match text.get(next)? {
            b'>' => return Some(next + 1),
            b'/' if !is_closing => return (text.get(next + 1)? == &b'>').then_some(next + 2),
            _ if next > at && !is_closing => at = attribute(text, next)?,
            _ => return None,
        }
    }
}

/// Returns the end of the attribute that begins at `at`.
fn attribute(text: &[u8], at: usize) -> Option<usize> {
    let is_first = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':');
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.:-".contains(byte);
    text.get(at).filter(|byte| is_first(byte))?;
    let end = at
        + text
            .get(at..)?
            .iter()
            .take_while(|byte| is_name(byte))
            .count();
    let equals = white_space(text, end);
    if text.get(equals) != Some(&b'=') {
        return Some(end);
    }
    let start = white_space(text, equals + 1);
    if let quote @ (b'"' | b'\'') = text.get(start)? {
        return Some(start + 2 + memchr(*quote, text.get(start + 1..)?)?);
    }
    let is_value = |byte: &&u8| !byte.is_ascii_whitespace() && !b"\"'=<>`".contains(byte);
    let length = text.get(start..)?.iter().take_while(is_value).count();
    (length > 0).then_some(start + length)
}

/// Returns the length of a tag's name; 0 if the text begins with no name.
fn name(text: &[u8]) -> usize {
    if !text.first().is_some_and(u8::is_ascii_alphabetic) {
        return 0;
    }
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
    text.iter().take_while(is_name).count()
}

fn white_space(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let white = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n'));
    at + white.count()
}
