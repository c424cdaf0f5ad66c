//! Paths as text.

use std::borrow::Cow;
use std::path::Path;

/// The form of a path for people, models and other programs.
pub trait PathText {
    /// Writes the path with `/` between its parts on every system. Windows accepts this form too.
    ///
    /// Parts that are not Unicode are written with the replacement character. The prefix of long paths
    /// on Windows (`\\?\C:\`) is left out, since the prefix needs backslashes.
    fn shown(&self) -> Cow<'_, str>;
}

impl PathText for Path {
    fn shown(&self) -> Cow<'_, str> {
        let text = self.to_string_lossy();
        if std::path::MAIN_SEPARATOR == '/' {
            return text;
        }
        let plain = match text.strip_prefix(r"\\?\") {
            Some(rest) if rest.as_bytes().get(1) == Some(&b':') => rest,
            _ => &*text,
        };
        plain.replace(std::path::MAIN_SEPARATOR, "/").into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_of_the_system() {
        let path = Path::new("a").join("b");
        assert_eq!(path.shown(), "a/b");
        let (drive, long) = (Path::new(r"C:\a\b"), Path::new(r"\\?\C:\a\b"));
        if cfg!(windows) {
            assert_eq!(drive.shown(), "C:/a/b");
            assert_eq!(long.shown(), "C:/a/b");
        } else {
            // A backslash is a character of a name there.
            assert_eq!(drive.shown(), r"C:\a\b");
        }
    }
}
