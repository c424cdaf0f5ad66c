//! Paths of a source that no system may be asked to write.

/// Why a path of a source is refused; `None` for a path that is fine on every system.
pub(crate) fn refused(path: &[u8]) -> Option<String> {
    let Ok(path) = std::str::from_utf8(path) else {
        let shown = String::from_utf8_lossy(path);
        return Some(format!("the path '{}' is not UTF-8", shown.escape_debug()));
    };
    let shown = path.escape_debug();
    if path.starts_with('/') {
        return Some(format!("the path '{shown}' is absolute"));
    }
    path.split('/').find_map(|part| {
        let why = match part {
            "" | "." => "has an empty part",
            ".." => "leaves the folder",
            _ if part.eq_ignore_ascii_case(".git") => "is inside a `.git`",
            _ if part.chars().any(char::is_control) => "holds a control character",
            _ if part.contains(['\\', ':', '*', '?', '"', '<', '>', '|']) => {
                "holds a character that Windows does not allow"
            }
            _ if part.ends_with(['.', ' ']) => "ends in a dot or a space, which Windows cuts off",
            _ if part.len() > 255 => "has a part of more than 255 bytes",
            _ if is_device(part) => "names a device on Windows",
            _ => return None,
        };
        Some(format!("the path '{shown}' {why}"))
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

/// A path as file systems that do not tell cases or forms of letters apart see it.
pub(crate) fn folded(path: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    path.nfc().flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_paths() {
        for path in [
            "/etc/passwd",
            "../x",
            "a/../b",
            "a//b",
            "./a",
            "a/.GIT/config",
            "a\nb",
            "c:\\x",
            "a\\b",
            "nul",
            "a/COM1.txt",
            "a.",
            "b ",
            "x\u{1b}[31m",
        ] {
            assert!(refused(path.as_bytes()).is_some(), "{path}");
        }
        assert!(refused(b"a\xff").is_some());
        for path in ["SKILL.md", "a/b c/ü.md", ".hidden", "com.txt", "console/x"] {
            assert_eq!(refused(path.as_bytes()), None, "{path}");
        }
        assert_eq!(folded("Ä"), folded("a\u{308}"));
    }
}
