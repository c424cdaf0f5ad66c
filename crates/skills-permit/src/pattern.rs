//! Compares inputs with patterns.

use crate::kind::ToolKind;
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

/// Compares the parts of a path with the parts of a pattern: `**` stands for any number of parts.
pub(crate) fn matches_parts(
    pattern: &[&str],
    path: &[&str],
    is_like: impl Fn(&str, &str) -> bool,
) -> bool {
    let is_one = |of_path: &&str, part: &&str| is_like(part, of_path);
    fits(
        path.iter().copied(),
        pattern.iter().copied(),
        |part| *part == "**",
        is_one,
    )
}

/// Compares a text with a pattern: `*` stands for any characters, and `?` for one.
pub(crate) fn is_like(pattern: &str, text: &str) -> bool {
    let is_one = |c: &char, wanted: &char| *wanted == '?' || wanted == c;
    fits(text.chars(), pattern.chars(), |c| *c == '*', is_one)
}

/// Returns whether a pattern matches a list. What `is_every` accepts matches any number of items.
///
/// # Cost
///
/// The product of the lengths: only the last place that matches any number is tried again.
pub(crate) fn fits<T>(
    mut items: impl Iterator<Item = T> + Clone,
    mut pattern: impl Iterator<Item = T> + Clone,
    is_every: impl Fn(&T) -> bool,
    is_one: impl Fn(&T, &T) -> bool,
) -> bool {
    // What follows the last place that matches any number, and the items that it was compared with.
    let mut again = None;
    loop {
        match (pattern.next(), items.clone().next()) {
            (Some(every), _) if is_every(&every) => again = Some((pattern.clone(), items.clone())),
            (Some(one), Some(item)) if is_one(&item, &one) => _ = items.next(),
            (None, None) => return true,
            _ => {
                let Some((after, from)) = &mut again else {
                    return false;
                };
                if from.next().is_none() {
                    return false;
                }
                (pattern, items) = (after.clone(), from.clone());
            }
        }
    }
}

// The opposite of an approval: a pattern that any part of the input may match takes the call. A shell can write one
// command in many ways, so words are compared without quotes, at any place, without case, and with other words
// between them. A text that a shell replaces may become anything.

/// Returns whether rules of `disallowed-tools` take a tool away, and not only some of its calls.
pub fn is_taken(disallowed: &[ToolRule], tool: &str, kind: ToolKind) -> bool {
    let mut whole = disallowed.iter().filter(|rule| rule.pattern.is_none());
    whole.any(|rule| takes(rule, tool, kind))
}

/// Returns whether a rule of `disallowed-tools` names a tool: by its name, by the beginning of the name, or by a name
/// of the kind, in any case. More than `allowed-tools` names, since an author takes away what the tool does.
pub(crate) fn takes(rule: &ToolRule, tool: &str, kind: ToolKind) -> bool {
    let (named, tool) = (rule.tool.to_lowercase(), tool.to_lowercase());
    named == tool
        || named
            .strip_suffix('*')
            .is_some_and(|beginning| tool.starts_with(beginning))
        || kind.may_be_named(&named)
        // As in Claude Code, rules for Edit are rules for each tool that changes files: a tool that writes a whole file
        // changes the file too.
        || matches!(kind, ToolKind::Write | ToolKind::Notebook) && ToolKind::Edit.may_be_named(&named)
}

/// Returns whether a pattern may match any part of an input.
pub(crate) fn may_match(pattern: &str, input: &str) -> bool {
    let pattern = pattern.trim().to_lowercase();
    let open = pattern
        .strip_suffix(":*")
        .or_else(|| pattern.strip_suffix(" *"));
    let pattern = open.unwrap_or(&pattern).trim();
    let input = input.to_lowercase();
    // A placeholder that was not filled could stand for anything.
    if pattern.trim_matches(['*', '/']).is_empty() || pattern == input || pattern.contains('$') {
        return true;
    }
    if let Some(domain) = pattern.strip_prefix("domain:") {
        // An address can write a host with escapes.
        return input.contains('%') || input.contains(domain.trim_start_matches("*."));
    }
    input.contains(['$', '`'])
        || may_run(pattern, &input)
        || may_name(pattern, &input)
        || tokens(&input).iter().any(|token| may_name(pattern, token))
}

/// Returns whether the words of a pattern stand in the input, in this order.
fn may_run(pattern: &str, input: &str) -> bool {
    let pattern = tokens(pattern);
    let mut wanted = pattern.iter().peekable();
    for token in tokens(input) {
        while wanted.next_if(|word| may_be(word, &token)).is_some() {
            // The files that a glob stands for can be several words.
            if !token.contains(is_glob) {
                break;
            }
        }
    }
    !pattern.is_empty() && wanted.peek().is_none()
}

/// Returns the words of a text, without quotes.
fn tokens(text: &str) -> Vec<String> {
    let joined = text.replace("\\\r\n", "").replace("\\\n", "");
    let plain = joined.replace(['"', '\'', '\\'], "");
    let is_between = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(
                c,
                ';' | '|' | '&' | '<' | '>' | '(' | ')' | '{' | '}' | ',' | '=' | ':'
            )
    };
    let words = plain.split(is_between).filter(|word| !word.is_empty());
    words.map(ToOwned::to_owned).collect()
}

fn is_glob(c: char) -> bool {
    matches!(c, '*' | '?' | '[' | ']')
}

/// Returns whether a word of a command line may be the word of a pattern.
fn may_be(word: &str, token: &str) -> bool {
    let name = token.rsplit('/').next().unwrap_or_default();
    let program = [".exe", ".cmd", ".bat", ".com"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name);
    [token, name, program]
        .into_iter()
        .any(|token| may_equal(word, token))
}

/// Returns whether a text may match another. Both can hold globs.
fn may_equal(pattern: &str, text: &str) -> bool {
    let is_more = |text: &str| text.contains(['?', '[', ']', '{', '}']);
    match (pattern.contains(is_glob), text.contains(is_glob)) {
        (false, false) => pattern == text,
        (true, true) => true,
        (true, false) => is_more(pattern) || is_like(pattern, text),
        (false, true) => is_more(text) || is_like(text, pattern),
    }
}

/// Returns whether a pattern may match a path, at any depth, or a folder above it.
fn may_name(pattern: &str, path: &str) -> bool {
    let path = path.replace('\\', "/");
    let named = |text: &'_ str| -> Vec<String> {
        let parts = text
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".");
        parts.map(ToOwned::to_owned).collect()
    };
    let path = named(&path);
    if path.iter().any(|part| part == "..") {
        return true;
    }
    let pattern = named(pattern.trim_start_matches("~/"));
    let anywhere = std::iter::once("**")
        .chain(pattern.iter().map(|part| &**part))
        .chain(std::iter::once("**"));
    let path: Vec<&str> = path.iter().map(|part| &**part).collect();
    !pattern.is_empty() && matches_parts(&anywhere.collect::<Vec<_>>(), &path, may_equal)
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

#[cfg(test)]
mod denied_tests {
    use super::*;

    #[test]
    fn a_rule_without_a_pattern_takes_the_tool() {
        let rules = ToolRule::parse_list("Write Bash(rm:*) mcp__git__* Mail");
        for (tool, kind, is_gone) in [
            ("put", ToolKind::Write, true),
            ("WRITE", ToolKind::Other, true),
            // Some calls of the shell are left.
            ("sh", ToolKind::Shell, false),
            ("mcp__git__log", ToolKind::Other, true),
            ("mcp__gitlab__log", ToolKind::Other, false),
            ("mail", ToolKind::Other, true),
            ("mails", ToolKind::Other, false),
            ("view", ToolKind::Read, false),
        ] {
            assert_eq!(is_taken(&rules, tool, kind), is_gone, "{tool}");
        }
        assert!(!is_taken(&[], "put", ToolKind::Write));
        let edit = ToolRule::parse_list("edit");
        for kind in [ToolKind::Edit, ToolKind::Write, ToolKind::Notebook] {
            assert!(is_taken(&edit, "put", kind), "{kind:?}");
        }
        // Who takes away the writing of whole files can leave the change of parts.
        assert!(!is_taken(&rules, "patch", ToolKind::Edit));
        assert!(!is_taken(&edit, "view", ToolKind::Read));
    }

    #[test]
    fn what_may_match_is_taken() {
        for (pattern, input) in [
            ("git push:*", "git push"),
            ("git push *", "git push --force"),
            ("git push", "git push origin main"),
            ("git push:*", "git -C x push"),
            ("git push:*", "cd x && git push"),
            ("git push:*", "cd x\ngit push"),
            ("git push:*", "g'i't pu\"s\"h"),
            ("git push:*", "g\\it push"),
            ("git push:*", "git pu\\\nsh"),
            ("git push:*", "/usr/bin/git push"),
            ("git push:*", "GIT.EXE push"),
            ("git push:*", "sh -c 'git push'"),
            ("git push:*", "$x push"),
            ("git push:*", "`echo git` push"),
            ("git push:*", "/usr/bin/gi? push"),
            ("git push:*", "{git,push}"),
            ("git push:*", "env A=1 git push"),
            ("a git gild:*", "x a gi*"),
            ("git push:*", "echo $(git push)"),
            ("git push:*", "{\"command\":\"git push\"}"),
            ("rm:*", "find . | xargs rm"),
            ("rm -rf *", "rm -r -rf x"),
            ("npm run deploy*", "npm run deploy:prod"),
            ("", "anything"),
            ("${SKILL_DIR}/run:*", "anything"),
            ("*", "anything"),
            ("**", "a/b"),
            (".env", "project/.env"),
            (".env", ".ENV"),
            ("./.env", "/home/x/.env"),
            ("secrets/**", "a/secrets/b/c"),
            ("secrets", "secrets/key"),
            ("secrets", "cat secrets/key"),
            ("secrets/**", "src/../secrets/key"),
            // A link of `a` can lead beside any folder.
            ("secrets/**", "a/../key"),
            ("~/.ssh/**", "/home/x/.ssh/id"),
            ("*.pem", "keys/a.pem"),
            ("*.pem", "{\"path\":\"keys/a.pem\"}"),
            ("*.pem", "keys/*"),
            ("keys\\a", "keys\\a"),
            ("domain:example.com", "https://api.example.com/x"),
            ("domain:example.com", "https://EXAMPLE.com"),
            ("domain:example.com", "https://ex%61mple.com"),
        ] {
            assert!(may_match(pattern, input), "{pattern}: {input}");
        }
        for (pattern, input) in [
            ("git push:*", "git log"),
            ("git push:*", "push git"),
            ("git push:*", "ls *.rs"),
            // One word is one word of the pattern, unless it stands for files.
            ("npm npm:*", "npm test"),
            ("rm:*", "cargo test"),
            (".env", "src/env.rs"),
            ("secrets/**", "src/lib.rs"),
            ("domain:example.com", "https://example.org"),
        ] {
            assert!(!may_match(pattern, input), "{pattern}: {input}");
        }
    }
}
