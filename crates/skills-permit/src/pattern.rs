//! Compares inputs with patterns.

use skills_format::ToolRule;

/// Returns whether a rule means a call: it names the tool, and its pattern matches the input. A rule can name tools by
/// their beginning and `*`, and a rule without a pattern matches every input.
pub(crate) fn matches(rule: &ToolRule, tool: &str, input: &str) -> bool {
    let is_named = match rule.tool.strip_suffix('*') {
        Some(beginning) => tool.starts_with(beginning),
        None => rule.tool == tool,
    };
    let pattern = rule.pattern.as_deref();
    is_named && pattern.is_none_or(|pattern| matches_pattern(pattern, input))
}

/// Returns whether an input matches a pattern in the form that most programs read:
///
/// - `git diff:*`: a command line of these words, with or without further words;
/// - a pattern with a space: a command line;
/// - any other pattern: a path, in which `**` stands for any parts.
///
/// A command line that holds `;`, `&`, `|`, `<`, `>`, a backquote, `$(` or a line end matches only a pattern of the same
/// text. So does a path with `..`.
fn matches_pattern(pattern: &str, input: &str) -> bool {
    if pattern == input {
        return true;
    }
    let is_plain =
        !input.contains([';', '&', '|', '<', '>', '`', '\n', '\r']) && !input.contains("$(");
    if let Some(words) = pattern.strip_suffix(":*") {
        let rest = input.strip_prefix(words);
        return is_plain
            && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
    }
    if pattern.contains(' ') {
        return is_plain && is_like(pattern, input);
    }
    let pattern: Vec<&str> = pattern.split('/').collect();
    let path: Vec<&str> = input.split('/').collect();
    !input.split(['/', '\\']).any(|part| part == "..") && matches_parts(&pattern, &path, is_like)
}

/// Returns whether the parts of a path match the parts of a pattern, in which `**` stands for any parts. `is_like`
/// compares two other parts.
///
/// Works without backtracking, which is exponential for patterns with several `**`: `ends` says which beginnings of the
/// path the pattern so far matches.
pub(crate) fn matches_parts(
    pattern: &[&str],
    path: &[&str],
    is_like: impl Fn(&str, &str) -> bool,
) -> bool {
    let mut ends = vec![false; path.len() + 1];
    // The empty pattern matches the empty beginning.
    ends[0] = true;
    for part in pattern {
        if *part == "**" {
            let mut any = false;
            for end in &mut ends {
                any |= *end;
                *end = any;
            }
        } else {
            let one_more = ends.iter().zip(path);
            let one_more = one_more.map(|(is_end, of_path)| *is_end && is_like(part, of_path));
            ends = std::iter::once(false).chain(one_more).collect();
        }
    }
    ends[path.len()]
}

/// Returns whether a text matches a pattern in which `*` stands for any text and `?` for one character.
///
/// After a mismatch only the last `*` takes one character more: an earlier one could not reach further. So the cost is at
/// most the product of both lengths.
pub(crate) fn is_like(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern.chars(), text.chars());
    // What follows the last star, and the text that it was compared with.
    let mut star = None;
    loop {
        match (pattern.next(), text.clone().next()) {
            (Some('*'), _) => star = Some((pattern.clone(), text.clone())),
            (None, None) => return true,
            (Some(wanted), Some(c)) if wanted == '?' || wanted == c => {
                text.next();
            }
            _ => {
                let Some((after, from)) = &mut star else {
                    return false;
                };
                if from.next().is_none() {
                    return false;
                }
                (pattern, text) = (after.clone(), from.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_text_and_double_stars_for_parts() {
        for (pattern, text, expected) in [
            ("a", "a", true),
            ("a", "b", false),
            ("a", "", false),
            ("", "", true),
            ("*", "", true),
            ("*", "é", true),
            ("?", "é", true),
            ("?", "", false),
            ("a?c*", "abcd", true),
            ("*?", "a", true),
            ("*?", "", false),
            ("*.rs", "lib.rs", true),
            ("*.rs", "a.rs.rs", true),
            ("*.rs", "lib.rsx", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b*", "xxbxxaxx", false),
        ] {
            assert_eq!(is_like(pattern, text), expected, "{pattern} {text}");
        }
        for (pattern, path, expected) in [
            ("src/**", "src/a/b", true),
            ("src/**/x", "src/x", true),
            ("src/**/x", "src/a/y", false),
            ("**/x/**", "a/x/b", true),
            ("src/*", "src/a/b", false),
        ] {
            let parts = |text: &'static str| text.split('/').collect::<Vec<_>>();
            let matches = matches_parts(&parts(pattern), &parts(path), is_like);
            assert_eq!(matches, expected, "{pattern} {path}");
        }
        let slow = vec!["**"; 500];
        assert!(!matches_parts(
            &[&slow[..], &["b"]].concat(),
            &vec!["a"; 5_000],
            is_like
        ));
    }

    #[test]
    fn patterns_of_calls() {
        for (rule, tool, input, expected) in [
            ("Bash", "Bash", "rm -rf /", true),
            ("Bash", "Read", "x", false),
            ("mcp__git__*", "mcp__git__log", "x", true),
            ("Bash(git diff:*)", "Bash", "git diff", true),
            ("Bash(git diff:*)", "Bash", "git diff HEAD -- src", true),
            ("Bash(git diff:*)", "Bash", "git difftool", false),
            ("Bash(git diff:*)", "Bash", "git diff; rm -rf /", false),
            ("Bash(git diff:*)", "Bash", "git diff $(rm x)", false),
            ("Bash(npm run *)", "Bash", "npm run test/unit", true),
            ("Bash(npm run *)", "Bash", "npm run a && rm b", false),
            ("Bash(ls | wc)", "Bash", "ls | wc", true),
            ("Read(src/*.rs)", "Read", "src/lib.rs", true),
            ("Read(src/*.rs)", "Read", "src/a/lib.rs", false),
            ("Read(src/**)", "Read", "src/a/lib.rs", true),
            ("Read(src/**/lib.rs)", "Read", "src/lib.rs", true),
            ("Read(src/**/lib.rs)", "Read", "src/a/b/lib.rs", true),
            ("Read(src/**/lib.rs)", "Read", "src/a/b/xlib.rs", false),
            ("Read(src/**)", "Read", "src/../secret", false),
            ("Read(src/?.rs)", "Read", "src/a.rs", true),
            ("Read(src/?.rs)", "Read", "src/ab.rs", false),
        ] {
            let parsed = ToolRule::parse(rule).expect("a rule");
            assert_eq!(matches(&parsed, tool, input), expected, "{rule} {input}");
        }
        let slow = format!("Read({}b)", "*a".repeat(500));
        let slow = ToolRule::parse(&slow).expect("a rule");
        assert!(!matches(&slow, "Read", &"a".repeat(5_000)));
    }
}
