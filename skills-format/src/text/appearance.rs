//! How characters look: what a person does not see, and what a person takes for another character.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization as _;

/// A text as a person reads it: without white space and characters that are not seen, with ASCII
/// letters and hyphens in the place of characters that look like them.
///
/// # Cost
///
/// Linear in the text. Printable ASCII is borrowed.
pub(crate) fn seen(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Cow::Borrowed(text);
    }
    let seen = text.nfkc().filter(|c| !is_unseen(*c));
    Cow::Owned(seen.map(latin).map(hyphen).collect())
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
        | '\u{FE58}' => '-',
        c => c,
    }
}

/// Whether a character is not seen, and changes what is read: a control character, a letter
/// without a shape, a zero-width character, a turn of direction, a Unicode tag.
pub(crate) fn is_hidden(c: char) -> bool {
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
        | '\u{E0000}'..='\u{E007F}')
}

/// Whether a character is a control character other than a tab and the characters of line ends.
pub(crate) fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r')
}

/// Whether a character is a letter or a sign that is invisible.
pub(crate) fn is_filler(c: char) -> bool {
    matches!(
        c,
        '\u{115F}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{FFA0}'
    )
}

/// The Latin letter that a character looks like, if it looks like one; else the character.
pub(crate) fn latin(c: char) -> char {
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
        ] {
            assert_eq!(seen(text), "allowed-tools", "{text:?}");
        }
        assert_eq!(seen("prüfung"), "prüfung");
    }
}
