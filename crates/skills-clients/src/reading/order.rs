//! The order of `localeCompare`: punctuation, digits, letters; case counts last.

use std::cmp::Ordering;

/// ASCII's punctuation in the order of Unicode's collation.
const MARKS: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Compares two names. Letters beyond Latin with marks are compared by their code points.
pub(super) fn collate(a: &str, b: &str) -> Ordering {
    let primary = |text: &str| text.chars().filter_map(weight).collect::<Vec<_>>();
    primary(a)
        .cmp(&primary(b))
        .then_with(|| marked(a).cmp(&marked(b)))
        .then_with(|| capitals(a).cmp(&capitals(b)))
}

/// Returns the class and the place of a character within the class. Characters without width have none.
fn weight(c: char) -> Option<(u8, u32)> {
    if let Some(at) = MARKS.find(c) {
        return Some((0, u32::try_from(at).unwrap_or(u32::MAX)));
    }
    if c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}') {
        return None;
    }
    if c.is_ascii_digit() {
        return Some((2, u32::from(c)));
    }
    let lower = base(c).to_lowercase().next().unwrap_or(c);
    let class = if lower.is_alphabetic() { 3 } else { 1 };
    Some((class, u32::from(lower)))
}

/// Returns the letter without its mark, for the letters of Latin-1.
fn base(c: char) -> char {
    match c {
        'À'..='Å' | 'à'..='å' => 'a',
        'Ç' | 'ç' => 'c',
        'È'..='Ë' | 'è'..='ë' => 'e',
        'Ì'..='Ï' | 'ì'..='ï' => 'i',
        'Ñ' | 'ñ' => 'n',
        'Ò'..='Ö' | 'ò'..='ö' => 'o',
        'Ù'..='Ü' | 'ù'..='ü' => 'u',
        'Ý' | 'ý' | 'ÿ' => 'y',
        c => c,
    }
}

/// Returns for each letter whether it has a mark. A letter without a mark comes first.
fn marked(text: &str) -> Vec<bool> {
    text.chars().map(|c| base(c) != c).collect()
}

/// Returns which letters are capitals: a small letter comes first.
fn capitals(text: &str) -> Vec<bool> {
    text.chars().map(char::is_uppercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_opencode_lists_names() {
        let names = [
            "-a",
            ".a",
            "[a]",
            "1",
            "a b",
            "a_b",
            "a-",
            "a--b",
            "A-B",
            "a,b",
            "a;b",
            "a:b",
            "a!b",
            "a?b",
            "a.b",
            "a'b",
            "a\"b",
            "a(b)",
            "a@b",
            "a*b",
            "a/b",
            "a\\b",
            "a&b",
            "a#b",
            "a%b",
            "a`b",
            "a^b",
            "a+b",
            "a=b",
            "a|b",
            "a~b",
            "a$b",
            "a\u{200b}b",
            "alpha",
            "Beta",
            "ümlaut",
            "under",
            "日本",
        ];
        let mut sorted = names;
        sorted.sort_by(|a, b| collate(a, b));
        assert_eq!(sorted, names);
    }
}
