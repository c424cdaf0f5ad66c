//! A script without comments, and with a mark in place of each text.

/// Stands before and after the index of a text in a skeleton.
pub(super) const MARK: char = '\u{1}';

/// A script in which functions can be found by their names, without texts and comments in the way.
pub(super) struct Skeleton {
    pub(super) code: String,
    pub(super) texts: Vec<Text>,
    /// The line of each line of `code`, which is the same, since the line ends of texts are kept.
    pub(super) first_line: usize,
    starts: Vec<usize>,
    /// The offset of the last text in `code`; 0 before the first.
    last_text: usize,
}

/// A text of a script.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) value: String,
    pub(super) line: usize,
    /// Values are put in: an f-string, a template.
    pub(super) is_computed: bool,
    /// A text that is a statement by itself: documentation.
    pub(super) is_comment: bool,
}

impl Skeleton {
    /// Cuts a script. `#` begins a comment in the languages that have it so; `//` and `/*` in the others.
    pub(super) fn new(language: &str, source: &str, line: usize) -> Self {
        let hash = matches!(language, "python" | "ruby" | "perl" | "other");
        let slashes = matches!(language, "javascript" | "php" | "other");
        let mut skeleton = Self {
            code: String::with_capacity(source.len()),
            texts: Vec::new(),
            first_line: line,
            starts: Vec::new(),
            last_text: 0,
        };
        let mut rest = source;
        while let Some(c) = rest.chars().next() {
            let length = if (hash && c == '#' && !is_color(&skeleton.code, rest))
                || slashes && rest.starts_with("//") && !skeleton.code.ends_with(':')
            {
                rest.find('\n').unwrap_or(rest.len())
            } else if slashes && rest.starts_with("/*") {
                let end = rest.find("*/").map_or(rest.len(), |at| at + 2);
                skeleton.lines_of(rest.get(..end).unwrap_or_default());
                end
            } else if matches!(c, '"' | '\'' | '`') {
                skeleton.text(language, rest)
            } else {
                skeleton.code.push(c);
                c.len_utf8()
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        let starts = skeleton.code.match_indices('\n').map(|(at, _)| at + 1);
        skeleton.starts = std::iter::once(0).chain(starts).collect();
        skeleton
    }

    /// Returns the line of an offset of the code.
    pub(super) fn line(&self, at: usize) -> usize {
        self.first_line + self.starts.partition_point(|start| *start <= at) - 1
    }

    /// Returns the text whose mark is at the beginning of a piece of code, and the length of the mark.
    pub(super) fn text_at(&self, code: &str) -> Option<(&Text, usize)> {
        let rest = code.strip_prefix(MARK)?;
        let end = rest.find(MARK)?;
        let index: usize = rest.get(..end)?.parse().ok()?;
        Some((self.texts.get(index)?, end + 2))
    }

    fn lines_of(&mut self, source: &str) {
        self.code.extend(source.chars().filter(|c| *c == '\n'));
    }

    /// Adds the text at the beginning of `rest`, and returns its length in the source.
    fn text(&mut self, language: &str, rest: &str) -> usize {
        let quote = rest.chars().next().unwrap_or('"');
        let triple = rest
            .get(..3)
            .filter(|it| language == "python" && matches!(*it, "\"\"\"" | "'''"));
        let open = triple.map_or(1, str::len);
        let inside = rest.get(open..).unwrap_or_default();
        let spans = triple.is_some() || quote == '`' || matches!(language, "ruby" | "php" | "perl");
        let mut end = None;
        let mut escaped = false;
        for (at, c) in inside.char_indices() {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == '\n' && !spans {
                // A quotation mark that no text begins: an apostrophe in a pattern.
                end = Some((at, 0));
                break;
            } else if triple
                .is_some_and(|it| inside.get(at..).is_some_and(|rest| rest.starts_with(it)))
                || triple.is_none() && c == quote
            {
                end = Some((at, open));
                break;
            }
        }
        let (at, close) = end.unwrap_or((inside.len(), 0));
        let value = inside.get(..at).unwrap_or_default();
        let before = self
            .code
            .trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let prefix = self
            .code
            .get(before.len()..)
            .unwrap_or_default()
            .to_ascii_lowercase();
        let is_prefix = language == "python"
            && prefix.len() <= 2
            && prefix.chars().all(|c| matches!(c, 'f' | 'r' | 'b' | 'u'));
        if is_prefix {
            self.code.truncate(before.len());
        }
        let is_computed =
            is_prefix && prefix.contains('f') || value.contains("${") || value.contains("#{");
        let is_statement = self
            .code
            .trim_end_matches([' ', '\t'])
            .ends_with(['\n', ':'])
            || self.code.trim().is_empty();
        let line = self.count_line();
        let index = self.texts.len();
        self.texts.push(Text {
            value: resolved(value, prefix.contains('r') && is_prefix),
            line,
            is_computed,
            is_comment: triple.is_some() && is_statement,
        });
        self.last_text = self.code.len();
        self.code.push(MARK);
        self.code.push_str(&index.to_string());
        self.code.push(MARK);
        self.lines_of(value);
        open + at + close
    }

    /// Returns the line of the end of the code, counted from the last text: from the beginning, a script with many texts
    /// would take quadratic time.
    fn count_line(&self) -> usize {
        let last = self.texts.last().map_or(self.first_line, |text| text.line);
        let since = self.code.get(self.last_text..).unwrap_or_default();
        last + since.matches('\n').count()
    }
}

/// Returns whether `#` begins a color, an identifier or a variable, and not a comment.
fn is_color(before: &str, rest: &str) -> bool {
    rest.starts_with("#{")
        || before.ends_with('$')
        || rest.starts_with("#[")
        || rest.starts_with("#![")
}

/// Returns a text with its escapes of characters resolved: `\x63url`.
fn resolved(text: &str, is_raw: bool) -> String {
    if is_raw || !text.contains('\\') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let digits = |chars: &mut std::str::Chars<'_>, count: usize| {
            let digits: String = chars
                .clone()
                .take(count)
                .take_while(char::is_ascii_hexdigit)
                .collect();
            chars.nth(digits.len().saturating_sub(1));
            u32::from_str_radix(&digits, 16)
                .ok()
                .and_then(char::from_u32)
                .unwrap_or('\u{FFFD}')
        };
        match chars.next() {
            Some('x') => out.push(digits(&mut chars, 2)),
            Some('u') => out.push(digits(&mut chars, 4)),
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('\n') | None => {}
            Some(c) => out.push(c),
        }
    }
    out
}
