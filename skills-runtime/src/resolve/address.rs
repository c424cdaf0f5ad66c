//! Reads the addresses of linked mentions: `[$review](skill://github/code-review)`.

// A link to a `SKILL.md` names a skill in every form that a catalog text can use: with `~` if the
// catalog knows the home folder, and in the case of the file's name. `.` and `..` are resolved as text.
// A relative path is unknown. If the paths of two skills have the same written form, the link names
// neither skill.

use skills_format::text::percent;
use skills_format::{Link, nfc};
use std::borrow::Cow;

/// Returns the text that stands for an address in a notice: the id that the address stands for. An
/// address that cannot name a skill is shown as written, because a part of it could be another skill's
/// name.
pub(crate) fn id(link: &Link) -> String {
    match link {
        Link::Skill(address) => {
            well_formed(address).unwrap_or_else(|| ["skill://", address].concat())
        }
        Link::File(path) => path.clone(),
        _ => String::new(),
    }
}

/// Returns the id for `source/name` and `source/name/SKILL.md`. Returns `None` if a part cannot be a
/// name.
fn well_formed(address: &str) -> Option<String> {
    let (source, name) = without_file(address).split_once('/')?;
    let (source, name) = (percent_decoded(source), percent_decoded(name));
    let is_name = |text: &str| !text.is_empty() && text.chars().all(is_of_name);
    (is_name(&source) && is_name(&name)).then(|| format!("{source}:{name}"))
}

fn is_of_name(c: char) -> bool {
    !c.is_ascii() || c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// Returns an address without a `SKILL.md` at its end. The file name is case-insensitive.
fn without_file(address: &str) -> &str {
    match address.rsplit_once('/') {
        Some((folder, file)) if file.eq_ignore_ascii_case("SKILL.md") => folder,
        _ => address,
    }
}

/// Returns the source and the name of `source/name`, `source/folder/name` or `source/name/SKILL.md`.
pub(crate) fn skill(address: &str) -> Option<(String, String)> {
    let address = percent_decoded(address);
    let (source, path) = without_file(&address).split_once('/')?;
    let name = path.rsplit('/').next().unwrap_or(path);
    Some((source.to_owned(), name.to_owned()))
}

/// Returns the paths that the address of a file can stand for: as written, and with its escapes decoded.
pub(crate) fn paths(address: &str) -> impl Iterator<Item = String> {
    let path = address.strip_prefix("file://").unwrap_or(address);
    let path = drive(path).unwrap_or(path);
    let decoded = path
        .contains('%')
        .then(|| percent::decode(path).into_owned());
    [path.to_owned()].into_iter().chain(decoded)
}

/// Returns the path of an address that begins with a drive letter: `C:/x` for `/C:/x`.
fn drive(path: &str) -> Option<&str> {
    let path = path.strip_prefix('/')?;
    let is_drive =
        matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    is_drive.then_some(path)
}

/// Returns an address with its escapes decoded, in normal form NFC.
pub(crate) fn percent_decoded(text: &str) -> Cow<'_, str> {
    match percent::decode(text) {
        Cow::Borrowed(text) => nfc(text),
        Cow::Owned(text) => nfc(&text).into_owned().into(),
    }
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
            ("github/ci/skill.md", Some(("github", "ci"))),
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
    fn notices_name_addresses() {
        for (address, expected) in [
            ("github/ci", "github:ci"),
            ("github/ci/SKILL.md", "github:ci"),
            ("a/%C3%BCber", "a:über"),
            ("github/checks/ci", "skill://github/checks/ci"),
            ("github/ci/x.md", "skill://github/ci/x.md"),
            ("github/x.md", "skill://github/x.md"),
            ("github/", "skill://github/"),
            ("/ci", "skill:///ci"),
            ("ci", "skill://ci"),
            ("", "skill://"),
        ] {
            assert_eq!(id(&Link::Skill(address.to_owned())), expected, "{address}");
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
        assert_eq!(paths("file:///C:/a/SKILL.md"), ["C:/a/SKILL.md"]);
        assert_eq!(paths("/C:/a/SKILL.md"), ["C:/a/SKILL.md"]);
        assert_eq!(paths("/C:a/SKILL.md"), ["/C:a/SKILL.md"]);
    }
}
