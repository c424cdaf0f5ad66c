//! The appearance of characters: invisible characters, and characters that look like others.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization as _;

/// Returns a text as a person reads it: without white space and invisible characters, and with ASCII
/// letters and hyphens in place of characters that look like them.
///
/// # Cost
///
/// Linear in the text. Printable ASCII is borrowed.
pub(crate) fn seen(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Cow::Borrowed(text);
    }
    let normal = text.nfkc().filter(|c| !is_unseen(*c));
    normal.map(|c| hyphen(latin(c))).collect::<String>().into()
}

fn is_unseen(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || is_hidden(c)
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FFF9}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

fn hyphen(c: char) -> char {
    match c {
        '\u{58A}'
        | '\u{5BE}'
        | '\u{6D4}'
        | '\u{1806}'
        | '\u{2010}'..='\u{2015}'
        | '\u{2043}'
        | '\u{2212}'
        | '\u{2796}'
        | '\u{2CBA}'
        | '\u{30A0}'
        | '\u{2D7}'
        | '\u{207B}'
        | '\u{208B}'
        | '\u{FE31}'
        | '\u{FE32}'
        | '\u{FE58}'
        | '\u{FE63}' => '-',
        c => c,
    }
}

/// Returns whether a character hides text: it is hidden anywhere, a soft hyphen, or a variation selector.
pub fn hides(c: char) -> bool {
    is_hidden(c) || matches!(c, '\u{AD}' | '\u{FE00}'..='\u{FE0F}')
}

/// Returns whether a character is invisible and changes what is read: a control character, a letter
/// without a shape, a zero-width character, a mark that turns the direction of text, a Unicode tag, or a
/// variation selector, which can encode a byte.
pub fn is_hidden(c: char) -> bool {
    is_control(c)
        || is_filler(c)
        || matches!(c,
        '\u{180E}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{206F}'
        | '\u{061C}'
        | '\u{FEFF}'
        | '\u{E0000}'..='\u{E007F}'
        | '\u{E0100}'..='\u{E01EF}')
}

/// Writes each character that cannot be seen as an escape, white space other than the space included.
///
/// ```
/// use skills_format::text::appearance::revealed;
///
/// assert_eq!(revealed(" a\u{200b}\n"), " a\\u{200b}\\n");
/// ```
pub fn revealed(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c == ' ' || !is_unseen(c);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut revealed = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => revealed.push_str("\\n"),
            '\r' => revealed.push_str("\\r"),
            '\t' => revealed.push_str("\\t"),
            c if is_plain(c) => revealed.push(c),
            c => revealed.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(revealed)
}

/// Returns whether a character is a control character other than tab, line feed and carriage return.
pub fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r')
}

/// Returns whether a character is an invisible letter or sign.
pub fn is_filler(c: char) -> bool {
    matches!(
        c,
        '\u{115F}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{FFA0}'
    )
}

/// Returns the Latin letter that a Cyrillic, Greek or Armenian letter looks like. Any other character is returned
/// unchanged.
pub fn latin(c: char) -> char {
    match c {
        'а' | 'α' => 'a',
        'е' | 'ε' => 'e',
        'о' | 'ο' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'с' | 'ϲ' => 'c',
        'у' | 'γ' => 'y',
        'х' | 'χ' => 'x',
        'і' | 'ι' => 'i',
        'ј' => 'j',
        'ѕ' => 's',
        'һ' => 'h',
        'ԁ' => 'd',
        'ԛ' => 'q',
        'ѡ' | 'ω' => 'w',
        'ν' | 'ѵ' => 'v',
        'κ' | 'к' => 'k',
        'т' | 'τ' => 't',
        'п' | 'η' => 'n',
        'м' => 'm',
        'υ' => 'u',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_a_person_reads_it() {
        assert!(matches!(seen("allowed-tools"), Cow::Borrowed(_)));
        for text in [
            "allowed-tools\u{200B}",
            "\u{FEFF}allowed\u{AD}-tools ",
            "allowed\u{2011}tools",
            "ａｌｌｏｗｅｄ－ｔｏｏｌｓ",
            "аllоwеd\u{2212}tооls",
            "allowed-\u{1B}tools\u{E0041}",
            "𝐚llⓞwed-ᵗools",
        ] {
            assert_eq!(seen(text), "allowed-tools", "{text:?}");
        }
        assert_eq!(seen("prüfung"), "prüfung");
    }
}
