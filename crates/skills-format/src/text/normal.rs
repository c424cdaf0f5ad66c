//! Unicode normal forms.

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

/// Returns a text in Unicode normal form NFC.
pub(crate) fn nfc(text: &str) -> String {
    text.nfc().collect()
}

/// Returns the ASCII character of a fullwidth character. Any other character is returned unchanged.
pub(crate) fn narrow(c: char) -> char {
    let ascii = u32::from(c).wrapping_sub(u32::from('！') - u32::from('!'));
    match c {
        '！'..='～' => char::from_u32(ascii).unwrap_or(c),
        c => c,
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_form_is_that_of_the_library(text: String) {
            prop_assert_eq!(is_nfkc(&text), unicode_normalization::is_nfkc(&text));
        }
    }
}
