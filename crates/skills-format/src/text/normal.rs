//! Unicode normal forms.
//!
//! This module uses the functions of `unicode-normalization` for single characters, not its iterators. With the
//! iterators, a program links an iterator for each kind of text, and the tables of NFKC for NFC too. A program
//! that does not rank links no tables of NFKC, 60 KB: names and keys need NFC, and the few characters of
//! [`crate::text::appearance`].

use crate::text::order::sort_by_number;
#[cfg(any(feature = "rank", test))]
use unicode_normalization::char::decompose_compatible;
use unicode_normalization::char::{canonical_combining_class, compose, decompose_canonical};
use unicode_normalization::{IsNormalized, is_nfkc_quick};

/// Returns a text in Unicode normal form NFC.
///
/// # Cost
///
/// Linear in the text, except for the marks of one letter, which are sorted.
pub(crate) fn nfc(text: &str) -> String {
    let mut parts = Vec::with_capacity(text.len());
    for c in text.chars() {
        decompose_canonical(c, |part| parts.push(part));
    }
    composed(&parts)
}

/// Returns the ASCII character of a fullwidth character. Any other character is returned unchanged.
pub(crate) fn narrow(c: char) -> char {
    let ascii = u32::from(c).wrapping_sub(u32::from('！') - u32::from('!'));
    match c {
        '！'..='～' => char::from_u32(ascii).unwrap_or(c),
        c => c,
    }
}

/// Returns a text in Unicode normal form NFKC.
///
/// # Cost
///
/// As [`nfc`].
#[cfg(any(feature = "rank", test))]
fn nfkc(text: &str) -> String {
    let mut parts = Vec::with_capacity(text.len());
    for c in text.chars() {
        decompose_compatible(c, |part| parts.push(part));
    }
    composed(&parts)
}

/// Returns a text in lower case, in Unicode normal form NFKC.
#[cfg(feature = "rank")]
pub(crate) fn folded(text: &str) -> String {
    // Lower case can leave the normal form, so the form is made twice.
    let lower: String = nfkc(text).chars().flat_map(char::to_lowercase).collect();
    nfkc(&lower)
}

/// Returns whether a text is in Unicode normal form NFKC.
pub(crate) fn is_nfkc(text: &str) -> bool {
    match is_nfkc_quick(text.chars()) {
        IsNormalized::Yes => true,
        IsNormalized::No => false,
        // The text holds no character that only NFKC decomposes, so the tables of NFC are enough.
        IsNormalized::Maybe => nfc(text) == text,
    }
}

/// Returns whether a character can stand in a text in Unicode normal form NFKC.
pub(crate) fn is_in_nfkc(c: char) -> bool {
    is_nfkc_quick(std::iter::once(c)) != IsNormalized::No
}

/// Sorts decomposed characters into canonical order, and composes them.
fn composed(parts: &[char]) -> String {
    let classes = parts.iter().map(|c| (canonical_combining_class(*c), *c));
    let mut parts: Vec<(u8, char)> = classes.collect();
    for marks in parts.split_mut(|(class, _)| *class == 0) {
        sort_by_number(marks, |(class, _)| usize::from(*class));
    }
    let mut out: Vec<char> = Vec::with_capacity(parts.len());
    // The last character of class 0, and the class of the last character kept after it.
    let (mut starter, mut last): (Option<usize>, u8) = (None, 0);
    for (class, c) in parts {
        let is_blocked = |starter: usize| out.len() > starter + 1 && last >= class;
        let before = starter.filter(|starter| !is_blocked(*starter));
        if let Some(before) = before.and_then(|before| out.get_mut(before))
            && let Some(composed) = compose(*before, c)
        {
            *before = composed;
            continue;
        }
        if class == 0 {
            starter = Some(out.len());
        }
        last = class;
        out.push(c);
    }
    out.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization as _;

    fn text() -> impl Strategy<Value = String> {
        // Letters with marks, marks of several classes, Hangul in parts, and letters that compose in two steps.
        let composing = "[a-eéñộ\u{300}-\u{345}\u{5B0}-\u{5C2}\u{1100}-\u{1112}\u{1161}-\u{1175}\u{11A7}-\u{11C2}가각ﬁÅ\u{958}\u{F73}\u{9C7}\u{9BE}]{0,12}";
        prop_oneof![composing, any::<String>()]
    }

    proptest! {
        #[test]
        fn normal_forms_are_those_of_the_library(text in text()) {
            prop_assert_eq!(nfc(&text), text.nfc().collect::<String>());
            prop_assert_eq!(nfkc(&text), text.nfkc().collect::<String>());
            prop_assert_eq!(is_nfkc(&text), unicode_normalization::is_nfkc(&text));
        }
    }
}
