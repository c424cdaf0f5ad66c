//! The addresses of linked mentions: `[$review](skill://github/code-review)`.

use skills_format::{Link, nfc};
use std::borrow::Cow;

/// The id that an address stands for: what a notice names it by.
pub(crate) fn id(link: &Link) -> String {
    match link {
        Link::Skill(address) => skill(address).map_or_else(
            || address.clone(),
            |(source, name)| format!("{source}:{name}"),
        ),
        Link::File(path) => path.clone(),
        _ => String::new(),
    }
}

/// The source and the name of `source/name`, `source/folder/name` or `source/name/SKILL.md`.
pub(crate) fn skill(address: &str) -> Option<(String, String)> {
    let address = percent_decoded(address);
    let path = address.strip_suffix("/SKILL.md").unwrap_or(&address);
    let (source, path) = path.split_once('/')?;
    let name = path.rsplit('/').next().unwrap_or(path);
    Some((source.to_owned(), name.to_owned()))
}

/// The paths that the address of a file can stand for: as it is written, and without its escapes.
pub(crate) fn paths(address: &str) -> impl Iterator<Item = String> {
    let path = address.strip_prefix("file://").unwrap_or(address);
    let decoded = path.contains('%').then(|| unescaped(path));
    [path.to_owned()].into_iter().chain(decoded)
}

/// The text behind the escapes of an address, in normal form.
pub(crate) fn percent_decoded(text: &str) -> Cow<'_, str> {
    if text.contains('%') {
        nfc(&unescaped(text)).into_owned().into()
    } else {
        nfc(text)
    }
}

fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let decoded = (byte == b'%').then(|| hex(after)).flatten();
        bytes.push(decoded.unwrap_or(byte));
        let escape = if decoded.is_some() { 2 } else { 0 };
        rest = after.get(escape..).unwrap_or_default();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (address, expected) in [
            ("github/ci", Some(("github", "ci"))),
            ("github/checks/ci", Some(("github", "ci"))),
            ("github/ci/SKILL.md", Some(("github", "ci"))),
            ("a/%C3%BCber", Some(("a", "über"))),
            ("a/u%CC%88ber", Some(("a", "über"))),
            ("a/%+1%2", Some(("a", "%+1%2"))),
            ("a/%FF", Some(("a", "\u{FFFD}"))),
            ("github", None),
        ] {
            let expected = expected.map(|(source, name)| (source.to_owned(), name.to_owned()));
            assert_eq!(skill(address), expected, "{address}");
        }
    }

    #[test]
    fn files() {
        let paths = |address| paths(address).collect::<Vec<_>>();
        assert_eq!(paths("a/SKILL.md"), ["a/SKILL.md"]);
        assert_eq!(
            paths("file:///a%20b/SKILL.md"),
            ["/a%20b/SKILL.md", "/a b/SKILL.md"]
        );
    }
}
