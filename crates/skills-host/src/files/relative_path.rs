//! Validation of untrusted paths: of an archive, a git tree, a lock, a journal, the store, the trash, or a proposal.
//!
//! Code that joins a path to a folder and writes there takes a [`RelativePath`]. Only the checks in this file make a
//! `RelativePath`, so that no caller can forget them.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::path::Path;

/// Maximum length of a path in bytes, which is also the maximum that Linux opens at once. Without a maximum, a chain
/// of nested git trees would be listed in quadratic space.
const MAX_LENGTH: usize = 4096;

/// A path below a folder, with `/` between its components. Joined to the folder, it leads nowhere else.
///
/// Only the path is checked. Links in its folders are the concern of the code that opens the folders and, within one
/// tree, of [`conflict`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct RelativePath(String);

impl RelativePath {
    /// Checks that a path stays in the folder that it is joined to, on this system, and names nothing in a git
    /// repository. Other names are accepted: a user may use every name that the file system allows.
    pub fn new(path: impl Into<String>) -> Result<Self, String> {
        let path = path.into();
        match unsafe_here(&path) {
            None => Ok(Self(path)),
            Some(why) => Err(refused(&path, why)),
        }
    }

    /// Checks a path of a source, which may come from any system and go to any system. Every system must be able to
    /// write the path below a folder, and the user must see each of its characters.
    pub fn portable(path: &[u8]) -> Result<Self, String> {
        let Ok(path) = std::str::from_utf8(path) else {
            let path = String::from_utf8_lossy(path);
            return Err(refused(&path, "is not UTF-8"));
        };
        let mut parts = path.split('/');
        match unsafe_here(path).or_else(|| parts.find_map(unportable)) {
            None => Ok(Self(path.to_owned())),
            Some(why) => Err(refused(path, why)),
        }
    }
}

/// Says why a path is refused. A message must not contain a path of megabytes.
fn refused(path: &str, why: &str) -> String {
    let mut path = path.escape_default().to_string();
    if path.len() > 200 {
        path.truncate(200);
        path += "…";
    }
    format!("the path '{path}' {why}")
}

impl Deref for RelativePath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for RelativePath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<Path> for RelativePath {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl fmt::Display for RelativePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for RelativePath {
    type Error = String;

    fn try_from(path: String) -> Result<Self, String> {
        Self::new(path)
    }
}

fn unsafe_here(path: &str) -> Option<&'static str> {
    if path.len() > MAX_LENGTH {
        return Some("is longer than 4096 bytes");
    }
    if path.starts_with('/') {
        return Some("is absolute");
    }
    path.split('/').find_map(|part| {
        Some(match part {
            "" | "." => "has an empty part",
            ".." => "leaves the folder",
            _ if part.contains('\0') => "contains a NUL character",
            _ if cfg!(windows) && is_device(part) => "names a device",
            _ if is_git(part) => "is inside a `.git`",
            // A colon separates a drive or a stream, a backslash is a separator.
            _ if cfg!(windows) && part.contains([':', '\\']) => {
                "contains a character that Windows does not allow"
            }
            _ => return None,
        })
    })
}

/// Returns whether a file system equates a name with `.git`. NTFS ignores case, trailing dots and spaces, and
/// streams, and has the short name `GIT~1`. HFS+ ignores invisible characters.
fn is_git(part: &str) -> bool {
    let name = part.split(':').next().unwrap_or(part);
    let name = name.trim_end_matches(['.', ' ']);
    let seen: String = name.chars().filter(|c| !is_ignored_by_hfs(*c)).collect();
    seen.eq_ignore_ascii_case(".git") || seen.eq_ignore_ascii_case("git~1")
}

fn is_ignored_by_hfs(c: char) -> bool {
    matches!(c,
        '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

fn unportable(part: &str) -> Option<&'static str> {
    use skills_format::text::control::shown;
    Some(match part {
        _ if part.chars().any(char::is_control) => "contains a control character",
        // The user must approve what is written: with reversed text, `gnp.sh` looks like a picture.
        _ if part.chars().any(|c| shown(c) != c) => {
            "contains a character that changes the text direction"
        }
        _ if part.contains(['\\', ':', '*', '?', '"', '<', '>', '|']) => {
            "contains a character that Windows does not allow"
        }
        _ if part.ends_with(['.', ' ']) => "ends in a dot or a space, which Windows cuts off",
        _ if part.len() > 255 => "has a part of more than 255 bytes",
        _ if is_device(part) => "names a device on Windows",
        _ => return None,
    })
}

fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end();
    let stem = stem.to_ascii_uppercase();
    let numbered = |name: &str| {
        stem.strip_prefix(name).is_some_and(|rest| {
            matches!(
                rest,
                "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³"
            )
        })
    };
    matches!(&*stem, "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$")
        || numbered("COM")
        || numbered("LPT")
}

/// Deserializes the name of one folder: a [`RelativePath`] of one component.
pub fn name<'de, D: Deserializer<'de>>(json: D) -> Result<String, D::Error> {
    let name = String::deserialize(json)?;
    let fine = RelativePath::new(name.as_str()).map_err(D::Error::custom)?;
    if fine.contains('/') {
        return Err(D::Error::custom(refused(&name, "is not one name")));
    }
    Ok(name)
}

/// Folds a path for file systems that ignore case and normal forms, and for Windows, which removes dots and spaces at the
/// end of a name, and reads `name::$DATA` as `name`.
pub fn folded(path: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    // Most paths are ASCII, and a review folds each of them several times.
    let folded = if path.is_ascii() {
        path.to_ascii_lowercase()
    } else {
        path.nfc().flat_map(char::to_lowercase).nfc().collect()
    };
    let parts: Vec<&str> = folded.split('/').map(without_end).collect();
    parts.join("/")
}

/// Removes what Windows ignores at the end of a lowercase name.
fn without_end(part: &str) -> &str {
    let name = part.strip_suffix("::$data").unwrap_or(part);
    match name.trim_end_matches(['.', ' ']) {
        // A name of dots alone has no other spelling.
        "" => part,
        name => name,
    }
}

/// Finds two files of one tree that cannot both be written, and returns the reason. `paths` are the paths of files
/// and links. A file or a link whose path is also the folder of another file always counts: the other file would be written
/// through the link. With `twins`, so do paths that are equal on case-insensitive or normalizing file systems.
///
/// Paths are compared folded, on every file system: the link `A` and the file `a/x` conflict on a case-insensitive
/// file system.
pub fn conflict<'p>(
    paths: impl IntoIterator<Item = &'p RelativePath>,
    twins: bool,
) -> Option<String> {
    let mut all: BTreeMap<String, &RelativePath> = BTreeMap::new();
    for path in paths {
        if let Some(twin) = all.insert(folded(path), path)
            && twins
        {
            let (twin, path) = (twin.escape_debug(), path.escape_debug());
            return Some(format!(
                "'{twin}' and '{path}' are one file on some systems"
            ));
        }
    }
    all.iter().find_map(|(fold, path)| {
        let mut above = fold.match_indices('/').filter_map(|(at, _)| fold.get(..at));
        let file = above.find_map(|above| all.get(above))?;
        let (file, path) = (file.escape_debug(), path.escape_debug());
        Some(format!(
            "'{file}' is a file or a link, and also the folder of '{path}'"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Named {
        #[serde(deserialize_with = "name")]
        name: String,
    }

    const UNSAFE: &[&str] = &[
        "",
        "/",
        "/etc/passwd",
        "..",
        "../x",
        "a/../b",
        "a/..",
        "a//b",
        "a/",
        "./a",
        "a/.",
        ".git",
        "a/.git/config",
        "a/.GIT/config",
        ".git./x",
        ".git /x",
        ".git::$INDEX_ALLOCATION/x",
        "git~1/x",
        ".g\u{200c}it/x",
        "a\0b",
    ];

    #[test]
    fn paths_that_leave_the_folder() {
        for path in UNSAFE {
            assert!(RelativePath::new(*path).is_err(), "{path:?}");
            let json = serde_json::to_string(path).unwrap();
            assert!(
                serde_json::from_str::<RelativePath>(&json).is_err(),
                "{path:?}"
            );
        }
        assert!(RelativePath::new("a/".repeat(3000) + "b").is_err());
        for path in [
            "SKILL.md",
            "a/b c/ü.md",
            ".hidden",
            "...",
            "Größe \"1\".txt",
            ".gitignore",
            "a\nb",
        ] {
            let made = RelativePath::new(path).unwrap();
            assert_eq!(
                serde_json::to_string(&made).unwrap(),
                serde_json::to_string(path).unwrap()
            );
        }
        assert_eq!(RelativePath::new(r"c:\x").is_err(), cfg!(windows));
        let named = |json| serde_json::from_str::<Named>(json).map(|named| named.name);
        assert!(named(r#"{"name":"a/b"}"#).is_err());
        assert!(named(r#"{"name":".."}"#).is_err());
        assert_eq!(named(r#"{"name":"b"}"#).unwrap(), "b");
    }

    #[test]
    fn paths_of_sources() {
        let others = [
            "a\nb",
            "c:\\x",
            "a\\b",
            "nul",
            "a/COM1.txt",
            "a.",
            "b ",
            "x\u{1b}[31m",
            "a\u{202e}hs.md",
        ];
        for path in UNSAFE.iter().chain(&others) {
            assert!(RelativePath::portable(path.as_bytes()).is_err(), "{path:?}");
        }
        assert!(RelativePath::portable(b"a\xff").is_err());
        for path in ["SKILL.md", "a/b c/ü.md", ".hidden", "com.txt", "console/x"] {
            assert!(RelativePath::portable(path.as_bytes()).is_ok(), "{path}");
        }
    }

    #[test]
    fn trees() {
        let conflict = |paths: &[&str], which| {
            let paths: Vec<_> = paths
                .iter()
                .map(|path| RelativePath::new(*path).unwrap())
                .collect();
            conflict(&paths, which)
        };
        assert_eq!(folded("Ä"), folded("a\u{308}"));
        for twins in [
            ["a/B", "a/b"],
            ["\u{e4}", "A\u{308}"],
            ["SKILL.md", "SKILL.md "],
            ["SKILL.md", "SKILL.md."],
            ["SKILL.md", "skill.md. ."],
            ["SKILL.md", "SKILL.md::$DATA"],
            ["a /b", "a/b"],
        ] {
            // On Windows, no version can hold a name with a colon.
            if cfg!(windows) && twins.concat().contains(':') {
                continue;
            }
            assert!(conflict(&twins, true).is_some_and(|why| why.contains("one file")));
            assert_eq!(conflict(&twins, false), None);
        }
        for pair in [
            ["a", "a/b"],
            ["a/b/c/d", "A/b"],
            ["\u{e4}/x", "A\u{308}"],
            ["a-", "a"],
        ] {
            let found = conflict(&pair, false);
            assert_eq!(found.is_some(), pair[0] != "a-", "{pair:?}");
            assert_eq!(conflict(&pair, true), found);
        }
    }
}
