//! `skills outdated`: the same as `skills update --dry-run`, under the name that other programs give it.

use std::ffi::{OsStr, OsString};

const NAME: &str = "outdated";

/// Replaces the name in a command line. The name is not a command: it would have the options of `update` again.
pub(crate) fn replace(words: &mut Vec<OsString>) {
    let Some(at) = command(words) else {
        return;
    };
    let is_help = |word: &OsString| *word == *"help" || *word == *"man";
    if words.get(at).is_some_and(is_help) {
        if let Some(name) = words.get_mut(at + 1).filter(|name| *name == NAME) {
            *name = "update".into();
        }
        return;
    }
    if words.get(at).is_none_or(|word| word != NAME) {
        return;
    }
    let has_dry_run = words.iter().any(|word| word == "--dry-run");
    let dry_run = (!has_dry_run).then(|| OsString::from("--dry-run"));
    words.splice(
        at..=at,
        [OsString::from("update")].into_iter().chain(dry_run),
    );
}

/// Replaces the name in a line that a shell completes. The number of the words stays.
pub(crate) fn replace_in_place(words: &mut [OsString]) {
    if let Some(name) = command(words)
        .and_then(|at| words.get_mut(at))
        .filter(|name| *name == NAME)
    {
        *name = "update".into();
    }
}

/// Returns the place of the command in a line: the first word after the options of the program.
fn command(words: &[OsString]) -> Option<usize> {
    let mut before: &OsStr = OsStr::new("");
    for (at, word) in words.iter().enumerate().skip(1) {
        if before != "--color" && !word.as_encoded_bytes().starts_with(b"-") {
            return Some(at);
        }
        before = word;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_replaced() {
        for (line, replaced) in [
            (
                "skills outdated a --to project",
                "skills update --dry-run a --to project",
            ),
            (
                "skills --color never outdated",
                "skills --color never update --dry-run",
            ),
            ("skills outdated --dry-run", "skills update --dry-run"),
            ("skills help outdated", "skills help update"),
            ("skills man outdated", "skills man update"),
            ("skills show outdated", "skills show outdated"),
            ("skills", "skills"),
        ] {
            let mut words = line.split(' ').map(OsString::from).collect();
            replace(&mut words);
            assert_eq!(words, replaced.split(' ').collect::<Vec<_>>(), "{line}");
        }
    }
}
