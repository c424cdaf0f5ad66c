//! The tools that the matcher of a hook matches, as Claude Code reads it.

use skills_permit::power::restraint::EVERY_TOOL;

/// Returns the names of the tools that a matcher matches, none for a matcher that matches no tool. Matchers that match the
/// same tools have the same names: `*` stands for any letters at the end of a name, and other expressions have slashes.
pub(super) fn tools(matcher: &str) -> Vec<String> {
    if matcher.is_empty() || matcher == "*" {
        return vec![EVERY_TOOL.to_owned()];
    }
    if let Some(names) = names(matcher) {
        return names;
    }
    let mut tools = Vec::new();
    for expression in alternatives(matcher) {
        let Expression { text, starts, ends } = expression.without_any();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let tool = if text.is_empty() && !(starts && ends) {
            EVERY_TOOL.to_owned()
        } else if !text.is_empty() && text.chars().all(is_name) {
            let open = |is_closed: bool| if is_closed { "" } else { "*" };
            format!("{}{text}{}", open(starts), open(ends))
        } else {
            format!("/{}/", matcher.trim())
        };
        if !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    tools
}

/// Returns whether a matcher can be what Claude Code takes it for.
pub(super) fn is_sound(matcher: &str) -> bool {
    matcher == "*" || names(matcher).is_some() || is_expression(matcher)
}

/// Returns the names of a matcher that is a list. It is a list, and no expression, if it has no other characters.
fn names(matcher: &str) -> Option<Vec<String>> {
    let is_listed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '|' | ',' | ' ' | '-');
    if matcher.is_empty() || !matcher.chars().all(is_listed) {
        return None;
    }
    let names = matcher.split(['|', ',']).map(str::trim);
    // No tool has a space in its name.
    let names = names.filter(|name| !name.is_empty() && !name.contains(' '));
    Some(names.map(ToOwned::to_owned).collect())
}

/// Returns the alternatives of an expression: of `^(A|B)$`, `^A$` and `^B$` without their marks. An expression with other
/// groups is one.
fn alternatives(matcher: &str) -> Vec<Expression<'_>> {
    let whole = Expression {
        text: matcher,
        starts: false,
        ends: false,
    };
    let inner = whole.marks();
    let group = inner.text.strip_prefix("(?:").or_else(|| {
        let group = inner.text.strip_prefix('(');
        group.filter(|group| !group.starts_with('?'))
    });
    let group = group.and_then(|group| group.strip_suffix(')'));
    let is_plain = |text: &str| !text.contains(['(', ')', '[', ']', '\\', '{']);
    match group {
        Some(group) if is_plain(group) => {
            let parts = group.split('|');
            let parts = parts.map(|text| Expression { text, ..inner });
            parts.collect()
        }
        // `^A|B$` is `^A`, or `B$`.
        None if is_plain(matcher) => {
            let parts = matcher.split('|');
            parts.map(|text| Expression { text, ..whole }).collect()
        }
        _ => vec![whole],
    }
}

/// A regular expression, and whether it begins and ends where the name of the tool does.
#[derive(Clone, Copy)]
struct Expression<'m> {
    text: &'m str,
    starts: bool,
    ends: bool,
}

impl Expression<'_> {
    /// Takes the marks of the beginning and the end from the text.
    fn marks(self) -> Self {
        let text = self.text;
        let (text, starts) = match text.strip_prefix('^') {
            Some(text) => (text, true),
            None => (text, self.starts),
        };
        let (text, ends) = match text.strip_suffix('$') {
            Some(text) => (text, true),
            None => (text, self.ends),
        };
        Self { text, starts, ends }
    }

    /// Takes the marks and each `.*` at an end from the text.
    fn without_any(self) -> Self {
        let Self { text, starts, ends } = self.marks();
        let (text, starts) = match text.strip_prefix(".*") {
            Some(text) => (text, false),
            None => (text, starts),
        };
        let (text, ends) = match text.strip_suffix(".*") {
            Some(text) => (text, false),
            None => (text, ends),
        };
        // A name has at least one letter.
        match text {
            "." | ".+" => Self {
                text: "",
                starts: false,
                ends: false,
            },
            _ => Self { text, starts, ends },
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
    use super::{is_expression, tools};

    #[test]
    fn matchers_by_their_tools() {
        for (matcher, expected) in [
            ("", &["every tool"][..]),
            ("*", &["every tool"]),
            (".*", &["every tool"]),
            ("^.*$", &["every tool"]),
            (".+", &["every tool"]),
            ("Bash|.*", &["*Bash*", "every tool"]),
            // A list matches whole names.
            ("Bash", &["Bash"]),
            ("Bash|Write", &["Bash", "Write"]),
            ("Bash, Write", &["Bash", "Write"]),
            (" Bash ", &["Bash"]),
            ("Bash||Bash-x", &["Bash", "Bash-x"]),
            // It matches no tool.
            (" ", &[]),
            ("|", &[]),
            ("every tool", &[]),
            ("Bash Write|Edit", &["Edit"]),
            // An expression matches any part of a name.
            ("^Bash$", &["Bash"]),
            ("^(Bash|Write)$", &["Bash", "Write"]),
            ("^(?:Bash|Write)$", &["Bash", "Write"]),
            ("(Bash|Write)", &["*Bash*", "*Write*"]),
            ("^Bash|Write$", &["Bash*", "*Write"]),
            ("Bash.*", &["*Bash*"]),
            ("^mcp__git__.*", &["mcp__git__*"]),
            ("Edit|mcp__.*", &["*Edit*", "*mcp__*"]),
            ("^(mcp__a__.*|Edit)$", &["mcp__a__*", "Edit"]),
            ("^(?!Read).*$", &["/^(?!Read).*$/"]),
            ("^(A|(B))$", &["/^(A|(B))$/"]),
            ("(A)(B)", &["/(A)(B)/"]),
            ("B[a]sh", &["/B[a]sh/"]),
            ("Ba.h", &["/Ba.h/"]),
            ("^$", &["/^$/"]),
        ] {
            assert_eq!(tools(matcher), expected, "{matcher:?}");
        }
    }

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
