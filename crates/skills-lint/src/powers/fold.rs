//! Folds what looks like other text: a model reads `ｇｉｔ` as `git`, and no table has the word.

use crate::powers::reader::{Reader, excerpt};
use skills_format::text::appearance::{hides, is_control};
use skills_permit::PowerKind;
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization as _;

/// Letters of Greek and Cyrillic that look like Latin letters. NFKC leaves them alone.
const LOOKALIKES: &str = "аеорсухіјѕԁһԛԝοɑɡ";

/// Returns a text in NFKC and without the characters that nobody sees, and reports each word that is not what it looks like.
/// Lines stay lines.
pub(super) fn fold<'t>(text: &'t str, line: usize, reader: &mut Reader) -> Cow<'t, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for (at, row) in text.split_inclusive('\n').enumerate() {
        if row.is_ascii() {
            out.push_str(row);
            continue;
        }
        let line = line + at;
        for word in row.split(|c: char| !c.is_alphanumeric() && !hides(c)) {
            if is_disguised(word) {
                let text = format!("letters that look like others in {}", excerpt(word));
                reader.add(PowerKind::Unreadable, text, line);
            }
        }
        if row.chars().any(is_hidden) {
            let text = format!("hidden characters in {}", reader.path);
            reader.add(PowerKind::Unreadable, text, line);
        }
        out.extend(row.nfkc().filter(|c| !hides(*c) || is_control(*c)));
    }
    Cow::Owned(out)
}

/// Returns whether a character hides text. Joiners, variation selectors, soft hyphens and marks of byte order stand in the
/// words of some languages and beside pictures.
fn is_hidden(c: char) -> bool {
    let is_common = matches!(
        c,
        '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}' | '\u{AD}' | '\u{FEFF}'
    );
    hides(c) && !is_control(c) && !is_common
}

/// Returns whether a word reads as another: it has letters of two alphabets that look alike, or letters that NFKC turns into
/// those of ASCII.
fn is_disguised(word: &str) -> bool {
    let is_variant = |c: char| {
        let mut plain = std::iter::once(c).nfkc();
        c.is_alphabetic()
            && !matches!(c, 'ª' | 'º')
            && !c.is_ascii()
            && plain.all(|c| c.is_ascii_alphabetic())
    };
    // A soft hyphen says where a word may be parted, and is gone before a program is looked up.
    let is_joined = |c: char| hides(c) && !matches!(c, '\u{FEFF}' | '\u{AD}');
    let has_latin = word.contains(|c: char| c.is_ascii_alphabetic());
    word.contains(is_variant)
        || has_latin
            && (word.contains(|c| LOOKALIKES.contains(c))
                || word.trim_matches(is_joined).contains(is_joined))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_not_what_they_look_like() {
        for word in ["gіt", "ｇｉｔ", "ﬁnd", "g\u{200B}it", "𝐠𝐢𝐭"] {
            assert!(is_disguised(word), "{word}");
        }
        for word in [
            "git",
            "größe",
            "при",
            "語",
            "1º",
            "naïve",
            "\u{FEFF}git",
            "hy\u{AD}phen",
        ] {
            assert!(!is_disguised(word), "{word}");
        }
        let mut reader = Reader::default();
        assert_eq!(
            fold("ｇｉｔ\u{200B} push\nb", 1, &mut reader),
            "git push\nb"
        );
    }
}
