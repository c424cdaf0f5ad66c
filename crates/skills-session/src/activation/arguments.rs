//! Names the arguments of a skill, for hosts that ask for each in a form.

use skills_render::{ARGUMENTS, is_of_host};
use skills_runtime::Skill;
use std::borrow::Cow;

/// Returns the names in the skill's `arguments` that take a word each, in the order of the words.
/// Numbers and names in capitals are left out, because these names stand for the host's variables.
pub fn argument_names<'c>(skill: &Skill<'c>) -> Vec<&'c str> {
    let listed = skill.fields().arguments.iter();
    let names = listed.map(|name| name.strip_prefix('$').unwrap_or(name));
    names
        .filter(|name| *name != ARGUMENTS && !is_of_host(name))
        .collect()
}

/// Joins values to the arguments of a skill. Each value is one word, with quotes if the word needs them.
///
/// ```
/// use skills_session::activation::join_arguments;
///
/// assert_eq!(join_arguments(["src/a.rs", "be brief", ""]), "src/a.rs 'be brief' ''");
/// ```
pub fn join_arguments<'v>(values: impl IntoIterator<Item = &'v str>) -> String {
    let values: Vec<Cow<'v, str>> = values.into_iter().map(quoted).collect();
    values.join(" ")
}

fn quoted(value: &str) -> Cow<'_, str> {
    let is_special = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '\\');
    if !value.is_empty() && !value.contains(is_special) {
        return value.into();
    }
    // Between single quotes no character is escaped, so a single quote of the value must stand outside
    // of them.
    format!("'{}'", value.replace('\'', r"'\''")).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use skills_format::text::words::words;

    proptest! {
        #[test]
        fn joined_values_are_the_words(values in prop::collection::vec(".{0,6}|[ '\"\\\\a\n]{0,6}", 0..5)) {
            let joined = join_arguments(values.iter().map(String::as_str));
            prop_assert_eq!(words(&joined), values);
        }
    }
}
