//! Reads entities: `&amp;`, `&#38;`, `&#x26;`.

use std::borrow::Cow;

/// The entities of HTML in order, a line each: the name, and its characters as hexadecimal numbers. Unlike a
/// table of texts, one text holds no pointers, which every program would relocate at its start.
const NAMES: &str = include_str!("entities.txt");

/// Replaces the entities of a text with the characters that they stand for, as HTML and Markdown show it.
pub fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let (meant, length) = read(from).unwrap_or_else(|| ("&".to_owned(), 1));
        out.push_str(&meant);
        rest = from.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Returns the text of the entity at the beginning of `text`, and the length of the entity.
pub(super) fn read(text: &str) -> Option<(String, usize)> {
    let inner = text.strip_prefix('&')?;
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    let length = inner.bytes().take_while(is_inner).count();
    let (inner, rest) = inner.split_at(length);
    if !rest.starts_with(';') {
        return None;
    }
    let meant = match inner.strip_prefix('#') {
        Some(number) => numbered(number)?.to_string(),
        None => named(inner)?,
    };
    Some((meant, length + "&;".len()))
}

/// Returns the character of a number, or the replacement character if the number is zero or not a character.
fn numbered(number: &str) -> Option<char> {
    // CommonMark allows at most 6 hexadecimal and 7 decimal digits.
    let (digits, radix, most) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 6),
        None => (number, 10, 7),
    };
    if digits.len() > most || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let number = u32::from_str_radix(digits, radix).ok()?;
    let c = char::from_u32(number).filter(|c| *c != '\0');
    Some(c.unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// Returns the characters of a name, by a binary search over the lines.
fn named(name: &str) -> Option<String> {
    let mut names = NAMES;
    loop {
        let middle = names.get(..names.len() / 2)?;
        let start = middle.rfind('\n').map_or(0, |end| end + 1);
        let (before, from) = names.split_at(start);
        let (line, after) = from.split_once('\n')?;
        let (found, characters) = line.split_once(' ')?;
        names = match name.cmp(found) {
            std::cmp::Ordering::Less => before,
            std::cmp::Ordering::Greater => after,
            std::cmp::Ordering::Equal => {
                let numbers = characters
                    .split(' ')
                    .map(|number| u32::from_str_radix(number, 16));
                return numbers.map(|number| char::from_u32(number.ok()?)).collect();
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers() {
        for (text, meant) in [
            ("&amp;b", Some(("&", 5))),
            ("&AElig;", Some(("Æ", 7))),
            ("&zwnj;", Some(("\u{200C}", 6))),
            ("&NotEqualTilde;", Some(("\u{2242}\u{338}", 15))),
            ("&amp", None),
            ("&amp b;", None),
            ("&Amp;", None),
            ("&;", None),
            ("&#35;", Some(("#", 5))),
            ("&#X22;", Some(("\"", 6))),
            ("&#xcab;", Some(("\u{cab}", 7))),
            ("&#0;", Some(("\u{FFFD}", 4))),
            ("&#1234567;", Some(("\u{FFFD}", 10))),
            ("&#12345678;", None),
            ("&#xabcdef0;", None),
            ("&#;", None),
            ("&#x;", None),
            ("&#-1;", None),
        ] {
            let meant = meant.map(|(meant, length)| (meant.to_owned(), length));
            assert_eq!(read(text), meant, "{text}");
        }
    }

    #[test]
    fn entities_of_a_text() {
        let text = "a &amp; b &#104;ttp&colon;// R&D &;&";
        assert_eq!(decoded(text), "a & b http:// R&D &;&");
        assert_eq!(decoded("none"), "none");
    }

    #[test]
    fn every_name_is_found() {
        let mut before = "";
        for line in NAMES.lines() {
            let name = line.split(' ').next().unwrap_or_default();
            assert!(named(name).is_some(), "{name}");
            assert!(before < name, "{name} is not in order");
            before = name;
        }
    }
}
