//! Quotes paths for a shell.

use std::borrow::Cow;

/// Quotes a path as one word of a POSIX shell's command. A path that begins with `-` gets a `./` before, so that no
/// command takes the path for an option.
///
/// ```
/// use skills_check::render::quoted;
///
/// assert_eq!(quoted("skills"), "skills");
/// assert_eq!(quoted("it's mine"), r"'it'\''s mine'");
/// assert_eq!(quoted("-d"), "./-d");
/// ```
pub fn quoted(path: &str) -> Cow<'_, str> {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ':' | '@' | ',');
    if path.is_empty() || !path.chars().all(is_plain) {
        let dash = if path.starts_with('-') { "./" } else { "" };
        return format!("'{dash}{}'", path.replace('\'', r"'\''")).into();
    }
    if path.starts_with('-') {
        return format!("./{path}").into();
    }
    path.into()
}
