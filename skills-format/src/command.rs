//! Names of slash commands, as chat services allow them.

/// Longest name.
const MAX: usize = 32;

/// The base of a skill's slash command where names of any form are not allowed: lower case, every
/// run of other characters than `[a-z0-9]` one `_`, none at the ends; at most 32 characters; `skill`
/// when nothing is left. Unique only after all skills are known.
///
/// ```
/// assert_eq!(skills_format::command_base("code-review"), "code_review");
/// assert_eq!(skills_format::command_base("代码"), "skill");
/// ```
pub fn command_base(name: &str) -> String {
    let lower = name.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let joined: String = words.join("_").chars().take(MAX).collect();
    match joined.trim_end_matches('_') {
        "" => "skill".to_owned(),
        command => command.to_owned(),
    }
}
