//! Reads the hooks that can refuse a call of a tool: without them the skill may do more.

use crate::powers::reader::{Reader, excerpt};
use crate::view::hooks::{GUARDS, is_text, of_event};
use skills_format::PowerKind;
use skills_format::power::cover::{EVERY_TOOL, NOT_AS_READ, OF_TOOL};
use skills_format::text::span::Lines;
use skills_format::yaml::node::Node;

/// Adds the guards of hooks. A guard of several tools is a restraint for each. The suffix stands after each restraint; a
/// guard that can let calls pass has a suffix of its own, so that it is not the same restraint as one that cannot.
pub(super) fn add(hooks: &Node, suffix: &str, lines: &Lines<'_>, reader: &mut Reader<'_>) {
    // Claude Code loads none of a skill's hooks then.
    let is_loaded = hooks
        .entries()
        .iter()
        .all(|(event, groups)| of_event(event, groups).is_empty());
    for (event, groups) in hooks.entries() {
        let event = event.as_str().unwrap_or_default();
        if !GUARDS.contains(&event) {
            continue;
        }
        for group in groups.items().unwrap_or_default() {
            let matcher = match group.get("matcher") {
                None => "",
                Some(matcher) if is_text(matcher) => matcher.as_str().unwrap_or_default().trim(),
                // It matches no tool.
                Some(_) => continue,
            };
            let tools: Vec<&str> = match matcher {
                "" | "*" | ".*" => vec![EVERY_TOOL],
                matcher if matcher.contains(['(', ')', '[', '{']) => vec![matcher],
                matcher => matcher.split('|').collect(),
            };
            for hook in group.get("hooks").and_then(Node::items).unwrap_or_default() {
                let mut keys = ["command", "url", "prompt", "tool"].iter();
                let Some(what) = keys.find_map(|key| hook.get(key)) else {
                    continue;
                };
                let is = |key: &str| hook.get(key).and_then(Node::as_bool) == Some(true);
                let fault = if !is_loaded {
                    "hooks that Claude Code does not load"
                } else if matcher != "*" && !is_expression(matcher) {
                    "a matcher that is no regular expression"
                } else if is("async") || is("asyncRewake") {
                    "a hook that runs in the background"
                } else if is("once") {
                    "a hook that runs once"
                } else {
                    ""
                };
                let suffix = match (suffix, fault) {
                    ("", "") => String::new(),
                    ("", fault) => format!("{NOT_AS_READ}{fault}"),
                    _ => suffix.to_owned(),
                };
                let line = lines.position(what.span.start).line;
                let what = excerpt(what.as_str().unwrap_or_default());
                for tool in &tools {
                    let text = format!("{event}{OF_TOOL}{}: {what}{suffix}", tool.trim());
                    reader.add(PowerKind::Restraints, text, line);
                }
            }
        }
    }
}

/// Returns whether a matcher can be a regular expression of JavaScript: its brackets are closed, and what repeats has
/// something to repeat. Other faults are not found.
fn is_expression(matcher: &str) -> bool {
    let mut depth = 0_usize;
    // What a quantifier can follow: an atom, or, as `?`, a quantifier.
    let (mut is_atom, mut is_quantifier) = (false, false);
    let mut chars = matcher.chars().peekable();
    while let Some(c) = chars.next() {
        let mut repeats = false;
        match c {
            '\\' => {
                if chars.next().is_none() {
                    return false;
                }
                is_atom = true;
            }
            '[' => {
                loop {
                    match chars.next() {
                        None => return false,
                        Some(']') => break,
                        Some('\\') => {
                            chars.next();
                        }
                        Some(_) => {}
                    }
                }
                is_atom = true;
            }
            '(' => {
                depth += 1;
                is_atom = false;
                if chars.next_if_eq(&'?').is_some()
                    && chars
                        .next_if(|c| matches!(c, ':' | '=' | '!' | '<' | 'i' | 'm' | 's' | '-'))
                        .is_none()
                {
                    return false;
                }
            }
            ')' => {
                let Some(outer) = depth.checked_sub(1) else {
                    return false;
                };
                depth = outer;
                is_atom = true;
            }
            '?' if is_quantifier => {}
            '*' | '+' | '?' if is_atom => {
                is_atom = false;
                repeats = true;
            }
            '*' | '+' | '?' => return false,
            '|' | '^' => is_atom = false,
            _ => is_atom = true,
        }
        is_quantifier = repeats;
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::is_expression;

    #[test]
    fn matchers_that_are_expressions() {
        for matcher in [
            "",
            "Bash",
            "Bash|Write",
            "mcp__.*",
            "^(?:Bash|Write)$",
            "a*?",
            "[*)]+",
            "\\(",
            "Bash|",
            "(?!Read).+",
            "x{2}",
        ] {
            assert!(is_expression(matcher), "{matcher}");
        }
        for matcher in [
            "Bash|*",
            "Bash|Write|)",
            "(Bash",
            "[a",
            "a**",
            "+",
            "(*)",
            "(?x)",
            "a\\",
        ] {
            assert!(!is_expression(matcher), "{matcher}");
        }
    }
}
