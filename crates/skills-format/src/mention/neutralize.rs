//! Escapes text that a host quotes, so that the text cannot start a skill.

use crate::mention::grammar::{is_digit, is_letter};
use memchr::memchr_iter;
use std::borrow::Cow;

/// Escapes every mention and slash command in `text`, so that the text cannot start a skill.
///
/// Puts a backslash before every `$` that an id could follow, unless a backslash already escapes the `$`: a
/// second backslash would escape the first. Also puts a backslash before a `/` that begins the text, after
/// any white space. A text without these characters is borrowed. Neutralizing a text twice gives the same
/// text as neutralizing it once.
///
/// # Cost
///
/// Linear in the text.
///
/// ```
/// use skills_format::neutralize;
///
/// assert_eq!(neutralize("/deploy costs $5, as $tdd says"), "\\/deploy costs \\$5, as \\$tdd says");
/// assert_eq!(neutralize("`\\$tdd`"), "`\\$tdd`");
/// ```
pub fn neutralize(text: &str) -> Cow<'_, str> {
    let slash = text.len() - text.trim_start().len();
    let slash = text
        .get(slash..)
        .filter(|text| text.starts_with('/'))
        .map(|_| slash);
    let dollars = memchr_iter(b'$', text.as_bytes()).filter(|dollar| is_free(text, *dollar));

    let mut safe = String::new();
    let mut done = 0;
    for at in slash.into_iter().chain(dollars) {
        safe.push_str(text.get(done..at).unwrap_or_default());
        safe.push('\\');
        done = at;
    }
    if done == 0 && safe.is_empty() {
        return Cow::Borrowed(text);
    }
    safe.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(safe)
}

/// Returns whether an id could follow the `$`, and no backslash escapes the `$`.
fn is_free(text: &str, dollar: usize) -> bool {
    let (before, after) = text.split_at(dollar);
    let backslashes = before.len() - before.trim_end_matches('\\').len();
    let after = after.strip_prefix('$').unwrap_or_default();
    backslashes % 2 == 0 && after.starts_with(|c| is_letter(c) || is_digit(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_and_a_first_slash_are_escaped() {
        for (text, safe) in [
            ("", ""),
            ("a", "a"),
            ("$a", "\\$a"),
            ("x$a$b", "x\\$a\\$b"),
            ("$5 $é $检 $_a $-a", "\\$5 \\$é \\$检 $_a $-a"),
            ("`$a` ${b} $(c) $ $. $_ $$", "`\\$a` ${b} $(c) $ $. $_ $$"),
            ("$$a", "$\\$a"),
            ("\\$a", "\\$a"),
            ("\\\\$a", "\\\\\\$a"),
            ("[$a](skill://b/a)", "[\\$a](skill://b/a)"),
            ("$a:*", "\\$a:*"),
            ("/a /b", "\\/a /b"),
            ("/", "\\/"),
            (" \n/a $b", " \n\\/a \\$b"),
            ("\\/a", "\\/a"),
            ("a\n/b", "a\n/b"),
        ] {
            assert_eq!(neutralize(text), safe, "{text:?}");
            assert_eq!(matches!(neutralize(text), Cow::Borrowed(_)), text == safe);
        }
    }
}
