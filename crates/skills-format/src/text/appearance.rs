//! The appearance of characters: invisible characters, and characters that look like others.

use crate::text::normal::{self, narrow};
use std::borrow::Cow;

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
    let mut seen = String::with_capacity(text.len());
    for c in normal::nfc(text).chars().filter(|c| !is_unseen(*c)) {
        match c {
            // Signs for several letters that stand in the key of a known field. Other signs cannot disguise a key.
            '㍲' => seen.push_str("da"),
            '㎜' => seen.push_str("mm"),
            '㎱' => seen.push_str("ns"),
            '㏌' => seen.push_str("in"),
            c => seen.push(hyphen(latin(plain(narrow(c))))),
        }
    }
    Cow::Owned(seen)
}

/// Returns the plain small letter of a variant: bold, in a circle, raised, a Roman number. Any other character is
/// returned unchanged.
///
/// Covers the characters that NFKC changes into a character of a known field's key. The tables of NFKC would
/// make every program 60 KB larger; a test compares this list with the tables.
fn plain(c: char) -> char {
    match c {
        // Latin and Greek alphabets of mathematics.
        '\u{1D400}'..='\u{1D6A3}' => match (u32::from(c) - 0x1D400) % 52 {
            capital @ 0..26 => nth('A', capital),
            small => nth('a', small - 26),
        },
        '\u{1D6A8}'..='\u{1D7C9}' => match (u32::from(c) - 0x1D6A8) % 58 {
            small @ 26..=50 => nth('α', small - 26),
            52 => 'ε',
            54 => 'κ',
            56 => 'ρ',
            _ => c,
        },
        'ⓐ'..='ⓩ' => nth('a', u32::from(c) - u32::from('ⓐ')),
        '\u{FE33}' | '\u{FE34}' | '\u{FE4D}' | '\u{FE4E}' | '\u{FE4F}' => '_',
        'ª' | 'ᵃ' | 'ₐ' | '\u{1E030}' | '\u{1E051}' => 'a',
        'ᵇ' => 'b',
        'ᶜ' | 'ⅽ' | '\u{1E03F}' | '\u{1E05E}' => 'c',
        'ᵈ' | 'ⅆ' | 'ⅾ' => 'd',
        'ϵ' | 'ᵉ' | 'ₑ' | 'ℯ' | 'ⅇ' | '\u{1E035}' | '\u{1E056}' => 'e',
        'ᶠ' => 'f',
        'ᵍ' | 'ℊ' => 'g',
        'ʰ' | 'ₕ' | 'ℎ' => 'h',
        'ᵢ' | 'ⁱ' | 'ℹ' | 'ⅈ' | 'ⅰ' | '\u{1E04C}' | '\u{1E068}' => 'i',
        'ʲ' | 'ⅉ' | 'ⱼ' | '\u{1E04D}' => 'j',
        'ϰ' | 'ᵏ' | 'ₖ' | '\u{1E039}' | '\u{1E05A}' => 'k',
        'ˡ' | 'ₗ' | 'ℓ' | 'ⅼ' => 'l',
        'ᵐ' | 'ₘ' | 'ⅿ' | '\u{1E03B}' => 'm',
        'ⁿ' | 'ₙ' | '\u{1E03D}' | '\u{1E05D}' => 'n',
        'º' | 'ᵒ' | 'ₒ' | 'ℴ' | '\u{1E03C}' | '\u{1E05C}' => 'o',
        'ᵖ' | 'ₚ' | 'ϱ' | 'ᵨ' | '\u{1E03E}' => 'p',
        '𐞥' => 'q',
        'ʳ' | 'ᵣ' => 'r',
        'ſ' | 'ˢ' | 'ₛ' | '\u{1E069}' => 's',
        'ᵗ' | 'ₜ' | '\u{1E040}' => 't',
        'ᵘ' | 'ᵤ' => 'u',
        'ᵛ' | 'ᵥ' | 'ⅴ' => 'v',
        'ʷ' | '\u{209D}' | '\u{1DFF4}' => 'w',
        'ˣ' | 'ᵡ' | 'ᵪ' | 'ₓ' | 'ⅹ' | '\u{1E043}' | '\u{1E061}' => 'x',
        'ʸ' | '\u{209E}' | 'ᵞ' | 'ᵧ' | 'ℽ' | '\u{1E041}' | '\u{1E05F}' => 'y',
        'ᶻ' => 'z',
        c => c,
    }
}

fn nth(first: char, index: u32) -> char {
    char::from_u32(u32::from(first) + index).unwrap_or(first)
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

/// Returns a text without what cannot be seen: invisible characters, and white space at the ends.
///
/// ```
/// use skills_format::text::appearance::bare;
///
/// assert_eq!(bare(" a b\u{200b}"), "a b");
/// ```
pub fn bare(text: &str) -> Cow<'_, str> {
    let is_kept = |c: char| c.is_whitespace() || !is_unseen(c);
    let text = text.trim();
    if text.chars().all(is_kept) {
        return Cow::Borrowed(text);
    }
    let kept: String = text.chars().filter(|c| is_kept(*c)).collect();
    Cow::Owned(kept.trim().to_owned())
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
    use crate::skill::known_fields::FIELDS;

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

    #[test]
    fn the_keys_of_fields_are_seen_as_in_nfkc() {
        use unicode_normalization::UnicodeNormalization as _;
        let differs = |c: &char| {
            let normal = c.nfkc().filter(|c| !is_unseen(*c));
            let normal: String = normal.map(latin).map(hyphen).collect();
            // Keys are ASCII.
            if !normal.is_ascii() {
                return false;
            }
            let is_part = |key: &str| !normal.is_empty() && key.contains(&normal);
            let counts = FIELDS.iter().any(|field| is_part(field.key)) || normal == "_";
            counts && seen(&c.to_string()) != normal
        };
        let all = '\u{80}'..=char::MAX;
        let different: Vec<char> = all.filter(|c| !is_unseen(*c)).filter(differs).collect();
        assert_eq!(different, [], "NFKC shows more of a key");
    }
}
