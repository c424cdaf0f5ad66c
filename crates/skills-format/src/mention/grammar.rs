//! The grammar of a mention: which characters may stand before a mention, where its id ends, and which
//! characters after the id make it something else.

// `$tdd请用@` names `tdd`: after an id that ends at a change of script, the next characters are not examined.
//
// `$tdd_$code-review` holds no mention: it is one word made of variables.

use crate::name::nfc;
pub(crate) use crate::text::unicode::{is_digit, is_letter, is_mark};
use crate::text::work;

/// Iterates over the places that have the form of a mention, in order.
pub(super) struct Grammar<'a> {
    text: &'a str,
    is_exact: &'a dyn Fn(&str) -> bool,
    dollars: memchr::Memchr<'a>,
    /// The end of the run after the last `$`. A `$` at this place, after a `_`, continues the same word:
    /// `$x_$y`.
    run_end: usize,
    /// An id in small letters. Kept, because a text can hold a variable in each line.
    small: String,
}

/// The first segment of the ids of skills of MCP servers: `mcp:LABEL:NAME`.
const SERVER: &str = "mcp";

/// A place that has the form of a mention. All offsets are on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MentionDraft {
    /// The offset of the `$`.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The end of the id if the id is the whole label of a link. In a label, an id does not end at a change
    /// of script.
    pub(crate) label_end: usize,
    pub(crate) form: MentionForm,
    pub(crate) after_backtick: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MentionForm {
    Bare,
    Escaped,
    Reserved,
}

impl<'a> Grammar<'a> {
    pub(super) fn new(text: &'a str, is_exact: &'a dyn Fn(&str) -> bool) -> Self {
        let dollars = memchr::memchr_iter(b'$', text.as_bytes());
        Self {
            text,
            is_exact,
            dollars,
            run_end: 0,
            small: String::new(),
        }
    }

    fn draft(&mut self, start: usize) -> Option<MentionDraft> {
        let after = start + 1;
        let run = self.run(after);
        let id = without_joints(run);
        let before = self.text.get(..start)?;
        let continues = start == self.run_end && before.ends_with('_');
        self.run_end = after + run.len();
        if id.is_empty() || continues {
            return None;
        }

        let is_backslash = |byte: &u8| *byte == b'\\';
        let backslashes = before.bytes().rev().take_while(is_backslash).count();
        let unescaped = before.get(..start - backslashes)?;
        work::done(backslashes);
        let last = unescaped.chars().next_back();
        let after_backtick = last == Some('`');
        if !(after_backtick || last.is_none_or(opens)) {
            return None;
        }

        let stripped = run.get(id.len()..)?;
        let rest = self.text.get(self.run_end..)?;
        let cut = self.cut(id);
        if cut.is_none() && is_something_else(stripped, rest) {
            return None;
        }
        let label_end = after + id.len();
        let id = cut.unwrap_or(id);
        // No id in capitals is made of segments, and a script has such a variable in each line.
        let is_id = if is_in_capitals(id) {
            self.is_skill_in_capitals(id)
        } else {
            are_segments(id)
        };
        if !is_id {
            return None;
        }
        if id.starts_with(is_digit) && !self.is_exact(id) {
            return None;
        }

        let mut end = after + id.len();
        let mut form = MentionForm::Bare;
        if cut.is_none() && last != Some('*') && stripped.is_empty() && is_glob(id, rest) {
            end += ":*".len();
            form = MentionForm::Reserved;
        }
        if backslashes % 2 == 1 {
            form = MentionForm::Escaped;
        }
        Some(MentionDraft {
            start,
            end,
            label_end,
            form,
            after_backtick,
        })
    }

    /// Returns the longest run from `from`: a segment, or two segments joined by `:`. Three segments if the
    /// first is `mcp`.
    fn run(&self, from: usize) -> &'a str {
        let rest = self.text.get(from..).unwrap_or_default();
        let mut length = Self::segment(rest);
        let first = length;
        let mut segments = 1;
        while let Some(after) = rest.get(length..).and_then(|rest| rest.strip_prefix(':')) {
            let most = if rest.get(..first) == Some(SERVER) {
                3
            } else {
                2
            };
            let next = Self::segment(after);
            if first == 0 || next == 0 || segments == most {
                break;
            }
            length += 1 + next;
            segments += 1;
        }
        rest.get(..length).unwrap_or_default()
    }

    fn segment(text: &str) -> usize {
        // ASCII is counted first, byte by byte: it needs no table of categories.
        let is_id_byte = |byte: &u8| byte.is_ascii() && is_id_char(char::from(*byte));
        let ascii = text.bytes().take_while(is_id_byte).count();
        let rest = text.get(ascii..).unwrap_or_default();
        // Most ids end at an ASCII character, which was examined above.
        let is_end = rest.bytes().next().is_none_or(|byte| byte.is_ascii())
            || ascii == 0 && rest.starts_with(is_mark);
        let other = if is_end {
            0
        } else {
            rest.find(|c| !is_id_char(c)).unwrap_or(rest.len())
        };
        work::done(1 + ascii + other);
        ascii + other
    }

    /// Cuts an id where it changes from ASCII to a script written without spaces. Returns `None` if the id
    /// has no such change, or if the whole id is exact.
    fn cut(&self, id: &'a str) -> Option<&'a str> {
        if id.is_ascii() {
            return None;
        }
        work::done(id.len());
        let mut ascii = false;
        let at = id.char_indices().find_map(|(at, c)| {
            let changes = ascii && is_unspaced(c);
            ascii = c.is_ascii();
            changes.then_some(at)
        })?;
        if self.is_exact(id) {
            return None;
        }
        Some(without_joints(id.get(..at)?))
    }

    /// Returns whether an id in capitals is the name of a skill. Such an id is a
    /// candidate that is near the name.
    fn is_skill_in_capitals(&mut self, id: &str) -> bool {
        work::done(id.len());
        if is_variable(id) {
            return false;
        }
        self.small.clear();
        self.small.push_str(id);
        self.small.make_ascii_lowercase();
        self.is_exact(&self.small)
    }

    fn is_exact(&self, id: &str) -> bool {
        (self.is_exact)(&nfc(id))
    }
}

impl Iterator for Grammar<'_> {
    type Item = MentionDraft;

    fn next(&mut self) -> Option<MentionDraft> {
        loop {
            let start = self.dollars.next()?;
            if let Some(draft) = self.draft(start) {
                return Some(draft);
            }
        }
    }
}

/// Returns whether an id has the form of an environment variable: capitals, digits, `-` and `_`, with a letter first.
fn is_in_capitals(id: &str) -> bool {
    let is_of_variable = |byte: u8| {
        byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
    };
    id.starts_with(|c: char| c.is_ascii_uppercase()) && id.bytes().all(is_of_variable)
}

/// Returns whether an id in capitals is a variable of every shell, and never a skill of that name.
fn is_variable(id: &str) -> bool {
    const SHELL: [&str; 11] = [
        "CI", "EDITOR", "ENV", "HOME", "HOST", "LANG", "PATH", "PWD", "SHELL", "TERM", "USER",
    ];
    SHELL.contains(&id)
}

/// Returns whether a mention may stand after this character.
fn opens(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '(' | '[' | '{' | '<' | '"' | '\'' | '*' | '_' | '~' | ',' | ';' | '|'
        )
        || matches!(c, '–' | '—' | '«' | '»' | '‹' | '›' | '‘'..='‟')
        || (!c.is_ascii() && (is_cjk_punctuation(c) || is_unspaced(c)))
}

/// Returns whether an id is one segment or two segments joined by `:`, after an optional `mcp:` of a server.
fn are_segments(id: &str) -> bool {
    // Ids are short, and most are one segment: a byte loop is faster than the standard search for a character.
    let Some(colon) = id.bytes().position(|byte| byte == b':') else {
        return is_segment(id);
    };
    let (Some(first), Some(rest)) = (id.get(..colon), id.get(colon + 1..)) else {
        return false;
    };
    match rest.split_once(':') {
        Some((second, third)) => first == SERVER && is_segment(second) && is_segment(third),
        None => is_segment(first) && is_segment(rest),
    }
}

/// Returns whether a segment of an id begins with a letter or a digit, holds a letter, and does not look
/// like an environment variable.
fn is_segment(segment: &str) -> bool {
    if matches!(segment.as_bytes().first(), Some(b'-' | b'_')) {
        return false;
    }
    let is_of_variable = |c: char| c.is_ascii_uppercase() || is_digit(c) || matches!(c, '-' | '_');
    segment.bytes().any(|byte| byte.is_ascii_lowercase())
        || (segment.contains(is_letter) && !segment.chars().all(is_of_variable))
}

/// Returns whether the end stripped from the run, and the text after the run, make the run something other
/// than a mention: a call, a path, a price, a formula, a variable of a programming language.
fn is_something_else(stripped: &str, rest: &str) -> bool {
    let (colon, rest) = match rest.strip_prefix(':') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let mut rest = rest.chars();
    let Some(next) = rest.next() else {
        return false;
    };
    match next {
        '(' | '[' | '{' | '=' | '/' | '\\' | '$' | '@' | '%' => true,
        // `$x^2$`, `$x^{n}$`: a formula.
        '^' => rest
            .next()
            .is_some_and(|c| is_letter(c) || is_digit(c) || matches!(c, '{' | '(' | '\\' | '-')),
        '.' => rest.next().is_some_and(|c| is_letter(c) || is_digit(c)),
        '>' => !colon && stripped.ends_with('-'),
        ':' => colon || rest.next().is_some_and(|c| c == ':' || is_id_char(c)),
        c => colon && is_id_char(c),
    }
}

fn is_glob(id: &str, rest: &str) -> bool {
    let Some(after) = rest.strip_prefix(":*") else {
        return false;
    };
    !id.contains(':') && after.chars().next().is_none_or(char::is_whitespace)
}

/// Removes the characters from the end that may stand inside of an id only.
fn without_joints(id: &str) -> &str {
    // Few ids end so: one byte is examined before characters are decoded.
    match id.as_bytes().last() {
        Some(b'-' | b'_' | b':') => id.trim_end_matches(['-', '_', ':']),
        _ => id,
    }
}

fn is_id_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    }
    is_letter(c) || is_mark(c) || is_digit(c)
}

/// Returns whether a character is a letter or mark of a script that is written without spaces between words.
pub fn is_unspaced(c: char) -> bool {
    is_of_unspaced_script(c) && (is_letter(c) || is_mark(c))
}

/// Returns whether a letter or mark belongs to Han, Hiragana, Katakana, Thai, Lao, Khmer or Burmese, by its
/// script extensions.
///
/// The ranges stand here since a library would make every program link the tables of all scripts. A test
/// compares the ranges with `unicode-script`.
fn is_of_unspaced_script(c: char) -> bool {
    matches!(c,
        '\u{2BC}' | '\u{303}' | '\u{305}' | '\u{323}' | '\u{331}'
        | '\u{E01}'..='\u{EDF}'
        | '\u{1000}'..='\u{109D}'
        | '\u{1780}'..='\u{17DD}'
        | '\u{3005}'..='\u{302D}'
        | '\u{3031}'..='\u{30FF}'
        | '\u{31F0}'..='\u{9FFF}'
        | '\u{A9E0}'..='\u{A9FE}'
        | '\u{AA60}'..='\u{AA7F}'
        | '\u{F900}'..='\u{FAD9}'
        | '\u{FF66}'..='\u{FF9F}'
        | '\u{16FE3}'
        | '\u{16FF0}'..='\u{16FF3}'
        | '\u{1AFF0}'..='\u{1B168}'
        | '\u{20000}'..='\u{33479}')
}

/// Returns whether a character is punctuation (`P`) in the blocks for Chinese and Japanese text. The wide forms of `~`, `|` and
/// `<` count too: Unicode calls them symbols, and their ASCII forms may stand before a mention.
fn is_cjk_punctuation(c: char) -> bool {
    matches!(u32::from(c),
        0x3001..=0x3003 | 0x3008..=0x3011 | 0x3014..=0x301F | 0x3030 | 0x303D | 0x30A0 | 0x30FB | 0xFE10..=0xFE19
        | 0xFE30..=0xFE52 | 0xFE54..=0xFE61 | 0xFE63 | 0xFE68 | 0xFE6A | 0xFE6B | 0xFF01..=0xFF03 | 0xFF05..=0xFF0A
        | 0xFF0C..=0xFF0F | 0xFF1A | 0xFF1B | 0xFF1C | 0xFF1F | 0xFF20 | 0xFF3B..=0xFF3D | 0xFF3F
        | 0xFF5B..=0xFF5E | 0xFF5F..=0xFF65)
}
