//! Legitimate hidden characters: joiners of emoji, and of scripts that need joiners.

use skills_format::text::appearance::is_filler;
use unicode_script::{Script, UnicodeScript as _};

/// Returns whether a character only changes the appearance of the character before: a variation selector or a skin
/// tone.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
}

/// Returns whether a variation selector chooses a form of the character directly before it. After any other character, and in
/// rows, selectors encode bytes that a model reads and a person does not see.
pub(super) fn selects(c: char, last: Option<char>) -> bool {
    let Some(last) = last.filter(|last| !matches!(last, '\u{FE00}'..='\u{FE0F}')) else {
        return false;
    };
    match c {
        // A picture, or a picture as text.
        '\u{FE0E}' | '\u{FE0F}' => {
            is_emoji(last)
                || matches!(last, '#' | '*' | '0'..='9' | '\u{A9}' | '\u{AE}' | '\u{203C}'..='\u{2BFF}' | '\u{3200}'..='\u{32FF}')
        }
        // A form of an ideograph, of a letter of Asia, or of a sign of mathematics.
        '\u{FE00}'..='\u{FE0D}' => {
            matches!(last, '0' | '\u{1000}'..='\u{109F}' | '\u{2200}'..)
                && !last.is_ascii_alphabetic()
        }
        _ => false,
    }
}

/// Returns whether a hidden character is legitimate between two characters.
pub(super) fn belongs(c: char, before: Option<char>, after: Option<char>) -> bool {
    let Some(before) = before else {
        return false;
    };
    match c {
        '\u{200D}' => is_emoji(before) && after.is_some_and(is_emoji) || joins(before),
        '\u{200C}' => joins(before),
        // A line break in scripts without spaces.
        '\u{200B}' => is_unspaced(before) && after.is_some_and(is_unspaced),
        '\u{200E}' | '\u{200F}' | '\u{061C}' => {
            is_right_to_left(before) || after.is_some_and(is_right_to_left)
        }
        // Syllables written letter by letter.
        '\u{115F}' | '\u{1160}' => is_jamo(before) || after.is_some_and(is_jamo),
        // The variant of an ideograph. After other characters, and in rows, these selectors can hide a text byte by
        // byte.
        '\u{E0100}'..='\u{E01EF}' => before.script() == Script::Han,
        _ => false,
    }
}

fn is_jamo(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11FF}') && !is_filler(c)
}

fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{1F000}'..='\u{1FAFF}' | '\u{2190}'..='\u{21FF}' | '\u{2300}'..='\u{27BF}'
        | '\u{2900}'..='\u{297F}' | '\u{2B00}'..='\u{2BFF}' | '\u{3030}' | '\u{303D}')
}

fn joins(c: char) -> bool {
    matches!(
        c.script(),
        Script::Arabic
            | Script::Syriac
            | Script::Mongolian
            | Script::Devanagari
            | Script::Bengali
            | Script::Gurmukhi
            | Script::Gujarati
            | Script::Oriya
            | Script::Tamil
            | Script::Telugu
            | Script::Kannada
            | Script::Malayalam
            | Script::Sinhala
            | Script::Khmer
            | Script::Myanmar
            | Script::Tibetan
            | Script::Inherited
    )
}

fn is_unspaced(c: char) -> bool {
    matches!(
        c.script(),
        Script::Thai | Script::Lao | Script::Khmer | Script::Myanmar | Script::Tibetan
    )
}

fn is_right_to_left(c: char) -> bool {
    matches!(
        c.script(),
        Script::Arabic | Script::Hebrew | Script::Syriac | Script::Thaana | Script::Nko
    )
}
