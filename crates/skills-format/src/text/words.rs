//! Splits arguments into words, with the quotes of a shell, and tells the forms of a word.

/// Splits arguments into words, as a shell does.
///
/// White space separates words. Between `'` no character is special. Between `"` a backslash escapes
/// `"`, `\`, `$` and a backtick. Elsewhere a backslash escapes the next character. An unmatched quote,
/// and a backslash at the end, are ordinary characters, because a person writes `don't`.
pub fn words(arguments: &str) -> Vec<String> {
    let words = split(arguments, false).into_iter();
    words.map(|word| word.text).collect()
}

/// Splits typed arguments. Besides the quotes of [`words`], `$'…'` holds escapes, as in bash: `\n`, `\r`, `\t`, `\\`,
/// `\'` and `\u` with four digits. Since people write texts too, an apostrophe after a letter (`don't and can't`) and a
/// backslash before one (`C:\temp`) are ordinary characters.
pub fn words_with_breaks(arguments: &str) -> Vec<Word<'_>> {
    split(arguments, true)
}

/// A word of typed arguments.
#[derive(Default)]
pub struct Word<'t> {
    /// The word without its quotes.
    pub text: String,
    /// The quote with which the word or the value after its `=` begins, if nothing closes the quote. `don't` has none.
    pub open: Option<char>,
    /// The word as it was written.
    pub raw: &'t str,
    /// The white space before the word.
    pub gap: &'t str,
    /// The start of the word in the arguments.
    pub start: usize,
}

/// Splits arguments. `is_typed`: by the rules of [`words_with_breaks`].
fn split(arguments: &str, is_typed: bool) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut word: Option<Word<'_>> = None;
    // The end of the word before.
    let mut end = 0;
    // Whether the last character is a letter or a digit outside of quotes.
    let mut is_after_letter = false;
    let mut open = Open::default();
    let mut rest = arguments;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        if c.is_whitespace() {
            if let Some(word) = word.take() {
                end = arguments.len() - rest.len();
                words.push(word.ended(arguments, end));
            }
            is_after_letter = false;
            rest = after;
            continue;
        }
        let Word {
            text: word,
            open: unclosed,
            ..
        } = word.get_or_insert_with(|| {
            let start = arguments.len() - rest.len();
            Word {
                gap: arguments.get(end..start).unwrap_or_default(),
                start,
                ..Word::default()
            }
        });
        // Whether a quote here opens a value.
        let is_start = word.is_empty() || word.ends_with('=') && !word.contains(['\'', '"']);
        let has_escapes = c == '$' && is_typed && after.starts_with('\'');
        let is_letter = |c: char| c.is_alphanumeric();
        let read = match c {
            '\'' if is_typed && is_after_letter => None,
            '\\' if is_typed && after.starts_with(is_letter) => None,
            '\'' => up_to(after, b'\'', false, &mut open.no_single).map(|(quoted, after)| {
                word.push_str(quoted);
                after
            }),
            '"' => up_to(after, b'"', true, &mut open.no_double).map(|(quoted, after)| {
                push_unescaped(word, quoted);
                after
            }),
            '$' if has_escapes => {
                let quoted = after.get(1..).unwrap_or_default();
                let quoted = up_to(quoted, b'\'', true, &mut open.no_escaped);
                quoted.map(|(quoted, after)| {
                    push_escapes(word, quoted);
                    after
                })
            }
            '\\' => after.chars().next().map(|escaped| {
                let after = after.get(escaped.len_utf8()..).unwrap_or_default();
                pushed(word, escaped, after)
            }),
            _ => None,
        };
        is_after_letter = read.is_none() && is_letter(c);
        rest = read.unwrap_or_else(|| {
            if is_start && (has_escapes || matches!(c, '\'' | '"')) {
                unclosed.get_or_insert(if c == '"' { c } else { '\'' });
            }
            pushed(word, c, after)
        });
    }
    words.extend(word.map(|word| word.ended(arguments, arguments.len())));
    words
}

impl<'t> Word<'t> {
    fn ended(self, arguments: &'t str, end: usize) -> Self {
        let raw = arguments.get(self.start..end).unwrap_or_default();
        Self { raw, ..self }
    }
}

fn pushed<'t>(word: &mut String, c: char, after: &'t str) -> &'t str {
    word.push(c);
    after
}

/// The quotes that have no match in the rest of the text. A failed search is not repeated, so the work
/// stays linear.
#[derive(Default)]
struct Open {
    no_single: bool,
    no_double: bool,
    no_escaped: bool,
}

/// Returns the text up to the next quote, and the text after it. With `escapes`, a quote after a backslash does not count.
fn up_to<'t>(
    text: &'t str,
    quote: u8,
    escapes: bool,
    is_open: &mut bool,
) -> Option<(&'t str, &'t str)> {
    if *is_open {
        return None;
    }
    let mut is_escaped = false;
    let end = text.bytes().position(|byte| {
        let ends = byte == quote && !is_escaped;
        is_escaped = escapes && byte == b'\\' && !is_escaped;
        ends
    });
    *is_open = end.is_none();
    let (quoted, after) = text.split_at_checked(end?)?;
    Some((quoted, after.get(1..)?))
}

/// Appends the text of a `$'…'`. A backslash before another character stays.
fn push_escapes(word: &mut String, quoted: &str) {
    let mut rest = quoted;
    while let Some((before, after)) = rest.split_once('\\') {
        word.push_str(before);
        let code = after.strip_prefix('u').and_then(|digits| digits.get(..4));
        let code = code.and_then(|digits| char::from_u32(u32::from_str_radix(digits, 16).ok()?));
        let (c, length) = match (after.chars().next(), code) {
            (_, Some(code)) => (code, 5),
            (Some('n'), _) => ('\n', 1),
            (Some('r'), _) => ('\r', 1),
            (Some('t'), _) => ('\t', 1),
            (Some(c @ ('\\' | '\'')), _) => (c, 1),
            _ => ('\\', 0),
        };
        word.push(c);
        rest = after.get(length..).unwrap_or_default();
    }
    word.push_str(rest);
}

/// Appends the text between two `"`, without the backslashes that escape a character.
fn push_unescaped(word: &mut String, quoted: &str) {
    let mut chars = quoted.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = (c == '\\')
            .then(|| chars.next_if(|next| matches!(next, '"' | '\\' | '$' | '`')))
            .flatten();
        word.push(escaped.unwrap_or(c));
    }
}

/// Returns the text after `--` if a word is an option: a letter follows the hyphens.
pub fn option_of(word: &str) -> Option<&str> {
    let option = word.strip_prefix("--")?;
    option
        .starts_with(|c: char| c.is_ascii_alphabetic())
        .then_some(option)
}

/// Returns the text after `-` if a word looks like an option of one hyphen: a letter follows. `-3` is a number.
pub fn short_option(word: &str) -> Option<&str> {
    let option = word.strip_prefix('-')?;
    option
        .starts_with(|c: char| c.is_ascii_alphabetic())
        .then_some(option)
}

/// Returns the name and the value of a `name=value`, if the text before `=` can be a name.
pub fn assigned(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(is_part);
    is_name.then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_of_a_shell() {
        for (arguments, expected) in [
            ("", &[][..]),
            (" \n ", &[]),
            ("a", &["a"]),
            (" a\tb\n c ", &["a", "b", "c"]),
            ("'a b' c", &["a b", "c"]),
            ("\"a b\" c", &["a b", "c"]),
            ("a' 'b", &["a b"]),
            ("--x=\"a b\"", &["--x=a b"]),
            ("'' x \"\"", &["", "x", ""]),
            (
                r#"'a\b' "a\b\"\\\$\`" a\ b\\"#,
                &[r"a\b", r#"a\b"\$`"#, r"a b\"],
            ),
            ("don't stop", &["don't", "stop"]),
            ("it\"s", &["it\"s"]),
            ("\"a' b", &["\"a'", "b"]),
            (r#""a\" b"#, &[r#""a""#, "b"]),
            ("a\\", &["a\\"]),
            ("日 本", &["日", "本"]),
        ] {
            assert_eq!(words(arguments), expected, "{arguments:?}");
        }
    }

    proptest! {
        #[test]
        fn quoted_words_are_read_back(list in prop::collection::vec("[a'\"\\\\ $é\n]{0,6}", 0..6)) {
            let quoted: Vec<String> = list.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
            prop_assert_eq!(words(&quoted.join(" ")), list);
        }

        #[test]
        fn no_text_panics(text in "[a'\"\\\\ é]{0,40}") {
            let letters = |text: &str| text.chars().filter(|c| matches!(c, 'a' | 'é')).count();
            prop_assert_eq!(words(&text).iter().map(|word| letters(word)).sum::<usize>(), letters(&text));
        }
    }
}
