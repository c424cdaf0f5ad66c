//! The general categories and the normal forms of Unicode that names and mentions distinguish, from the tables that the
//! standard library and the package for normal forms bring anyway. The tests compare with `unicode-properties`, whose table
//! would make every program larger.

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};

/// The zero of each run of ten digits (`Nd`).
const ZEROS: [u32; 77] = [
    0x30, 0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66,
    0xDE6, 0xE50, 0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90,
    0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10,
    0x104A0, 0x10D30, 0x10D40, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0,
    0x11650, 0x116C0, 0x116D0, 0x116DA, 0x11730, 0x118E0, 0x11950, 0x11BF0, 0x11C50, 0x11D50,
    0x11DA0, 0x11DE0, 0x11F50, 0x16130, 0x16A60, 0x16AC0, 0x16B50, 0x16D70, 0x1CCF0, 0x1D7CE,
    0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E5F1, 0x1E950, 0x1FBF0,
];

/// Returns whether a character is a letter (`L`), in any case.
pub(crate) fn is_letter(c: char) -> bool {
    // No table is asked for the characters that most texts consist of.
    if c.is_ascii() {
        c.is_ascii_alphabetic()
    } else {
        is_other_letter(c)
    }
}

#[inline(never)]
fn is_other_letter(c: char) -> bool {
    // Numbers that are letters, and letters in circles and squares, are alphabetic too.
    let is_other = matches!(u32::from(c),
        0x16EE..=0x16F0 | 0x2160..=0x2182 | 0x2185..=0x2188 | 0x24B6..=0x24E9 | 0x3007 | 0x3021..=0x3029 | 0x3038..=0x303A
        | 0xA6E6..=0xA6EF | 0x10140..=0x10174 | 0x10341 | 0x1034A | 0x103D1..=0x103D5 | 0x12400..=0x1246E
        | 0x16FF4..=0x16FF6 | 0x1F130..=0x1F149 | 0x1F150..=0x1F169 | 0x1F170..=0x1F189);
    c.is_alphabetic() && !is_other && !is_combining_mark(c)
}

/// Returns whether a letter is a capital (`Lu`, `Lt`).
pub(crate) fn is_capital(c: char) -> bool {
    // The letters of titles, such as `ǅ`, are neither.
    is_letter(c) && (c.is_uppercase() || !c.is_lowercase() && !c.to_lowercase().eq([c]))
}

/// Returns whether a character is a mark on the letter before (`M`).
pub(crate) fn is_mark(c: char) -> bool {
    !c.is_ascii() && is_combining_mark(c)
}

/// Returns whether a character encloses the letter before (`Me`).
pub(crate) fn is_enclosing(c: char) -> bool {
    matches!(u32::from(c), 0x488 | 0x489 | 0x1ABE | 0x20DD..=0x20E0 | 0x20E2..=0x20E4 | 0xA670..=0xA672)
}

/// Returns whether a character is a decimal digit (`Nd`).
pub(crate) fn is_digit(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_digit()
    } else {
        is_other_digit(c)
    }
}

#[inline(never)]
fn is_other_digit(c: char) -> bool {
    let code = u32::from(c);
    let after = ZEROS.partition_point(|zero| *zero <= code);
    after > 0 && code < ZEROS[after - 1] + 10
}

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
    use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

    #[test]
    fn each_character_has_its_category() {
        for c in '\0'..=char::MAX {
            let category = c.general_category();
            let group = c.general_category_group();
            let has_letter = group == GeneralCategoryGroup::Letter;
            assert_eq!(is_mark(c), group == GeneralCategoryGroup::Mark, "{c:?}");
            assert_eq!(
                is_enclosing(c),
                category == GeneralCategory::EnclosingMark,
                "{c:?}"
            );
            assert_eq!(
                is_digit(c),
                category == GeneralCategory::DecimalNumber,
                "{c:?}"
            );
            // The standard library can be of another version of Unicode.
            if has_letter && !c.is_alphabetic()
                || c.is_alphabetic() && group == GeneralCategoryGroup::Other
            {
                continue;
            }
            assert_eq!(is_letter(c), has_letter, "{c:?}");
            let has_capital = matches!(
                category,
                GeneralCategory::UppercaseLetter | GeneralCategory::TitlecaseLetter
            );
            assert_eq!(is_capital(c), has_capital, "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn a_form_is_that_of_the_library(text: String) {
            prop_assert_eq!(is_nfkc(&text), unicode_normalization::is_nfkc(&text));
        }
    }
}
