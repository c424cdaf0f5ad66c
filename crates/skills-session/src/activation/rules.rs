//! The folder of a skill in the patterns of its tool rules.

use crate::options::Placeholders;
use skills_format::foreign::{CLIENT_SKILL_DIR, SKILL_DIR};
use skills_format::{Text, ToolRule};
use std::borrow::Cow;

/// Fills the skill's folder into the patterns of its rules. Rules without the folder stay borrowed.
pub(crate) fn fill_rules(
    rules: Cow<'static, [ToolRule]>,
    placeholders: Placeholders,
    folder: &str,
) -> Cow<'static, [ToolRule]> {
    with_patterns(rules, |pattern| Some(filled(pattern, placeholders, folder)))
}

/// Widens the rules whose folder could not be filled to their whole tools. A rule that takes a tool away and matches
/// nothing would take nothing away.
pub(crate) fn without_folders(rules: Cow<'static, [ToolRule]>) -> Cow<'static, [ToolRule]> {
    with_patterns(rules, |_| None)
}

/// Replaces the patterns that hold the folder.
fn with_patterns(
    rules: Cow<'static, [ToolRule]>,
    change: impl Fn(Text) -> Option<Text>,
) -> Cow<'static, [ToolRule]> {
    let has_folder = |rule: &ToolRule| {
        let pattern = rule.pattern.as_deref();
        pattern.is_some_and(|pattern| pattern.contains("SKILL_DIR}"))
    };
    if !rules.iter().any(has_folder) {
        return rules;
    }
    let mut rules = rules.into_owned();
    for rule in rules.iter_mut().filter(|rule| has_folder(rule)) {
        rule.pattern = rule.pattern.take().and_then(&change);
    }
    rules.into()
}

fn filled(pattern: Text, placeholders: Placeholders, folder: &str) -> Text {
    let names: &[&str] = match placeholders {
        Placeholders::Guarded => &[CLIENT_SKILL_DIR, SKILL_DIR],
        Placeholders::Everywhere => &[CLIENT_SKILL_DIR],
        Placeholders::Numbered | Placeholders::None => &[],
    };
    let names = names.iter().map(|name| format!("${{{name}}}"));
    let names: Vec<String> = names.filter(|name| pattern.contains(&**name)).collect();
    if names.is_empty() {
        return pattern;
    }
    // A folder named `*` would turn a rule for one script into a rule for many: the pattern then stays, and
    // matches nothing.
    if folder.contains(|c: char| {
        c.is_control() || c.is_whitespace() || "*?[]{}()!\\\"'`$;&|<>,".contains(c)
    }) {
        return pattern;
    }
    let fill = |pattern: Cow<'_, str>, name: &String| pattern.replace(&**name, folder).into();
    names.iter().fold(pattern, fill)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_filled_opens_nothing() {
        let rules = ToolRule::parse_list(
            "Read(${SKILL_DIR}/a.md) Bash(${CLAUDE_SKILL_DIR}/b.sh *) Read(c.md)",
        );
        let kept = fill_rules(rules.clone().into(), Placeholders::Guarded, "/a folder");
        assert_eq!(*kept, *rules);
        assert_eq!(
            *without_folders(kept),
            *ToolRule::parse_list("Read Bash Read(c.md)")
        );
    }
}
