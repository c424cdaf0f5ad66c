//! The general categories of Unicode that names, mentions and Markdown distinguish.
//!
//! The table is our own, since the table of `unicode-properties` distinguishes all thirty categories and makes
//! every program 27 KB larger. The tests compare both tables for every character.

#[expect(clippy::unreadable_literal, reason = "a table of numbers")]
mod table;

use table::RUNS;

/// The general categories that are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Category {
    /// `Lu` and `Lt`
    Capital,
    /// The other letters.
    Letter,
    /// `Mn` and `Mc`
    Mark,
    /// `Me`: a circle around the letter before.
    EnclosingMark,
    /// `Nd`
    Digit,
    /// `P`
    Punctuation,
    /// `S`
    Symbol,
    /// All other categories.
    Other,
}

impl Category {
    /// Returns the category of a character.
    ///
    /// # Cost
    ///
    /// A binary search in 4,000 numbers.
    pub(crate) fn of(c: char) -> Self {
        // A run is its first character, shifted left by three bits, and its category.
        let next = RUNS.partition_point(|run| run >> 3 <= u32::from(c));
        let run = next.checked_sub(1).and_then(|run| RUNS.get(run));
        match run.map_or(0, |run| run & 7) {
            1 => Self::Letter,
            2 => Self::Mark,
            3 => Self::EnclosingMark,
            4 => Self::Digit,
            5 => Self::Punctuation,
            6 => Self::Symbol,
            7 => Self::Capital,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

    fn of_unicode(c: char) -> Category {
        match c.general_category() {
            GeneralCategory::UppercaseLetter | GeneralCategory::TitlecaseLetter => {
                Category::Capital
            }
            GeneralCategory::EnclosingMark => Category::EnclosingMark,
            GeneralCategory::DecimalNumber => Category::Digit,
            _ => match c.general_category_group() {
                GeneralCategoryGroup::Letter => Category::Letter,
                GeneralCategoryGroup::Mark => Category::Mark,
                GeneralCategoryGroup::Punctuation => Category::Punctuation,
                GeneralCategoryGroup::Symbol => Category::Symbol,
                _ => Category::Other,
            },
        }
    }

    #[test]
    fn the_table_is_that_of_unicode() {
        let mut runs: Vec<u32> = Vec::new();
        for c in '\0'..=char::MAX {
            let number = match of_unicode(c) {
                Category::Other => 0,
                Category::Letter => 1,
                Category::Mark => 2,
                Category::EnclosingMark => 3,
                Category::Digit => 4,
                Category::Punctuation => 5,
                Category::Symbol => 6,
                Category::Capital => 7,
            };
            if runs.last().is_none_or(|last| last & 7 != number) {
                runs.push(u32::from(c) << 3 | number);
            }
        }
        assert!(
            runs == RUNS,
            "the table of this version of Unicode is {runs:#x?}"
        );
    }

    #[test]
    fn each_character_has_its_category() {
        for c in '\0'..=char::MAX {
            assert_eq!(Category::of(c), of_unicode(c), "{c:?}");
        }
    }
}
