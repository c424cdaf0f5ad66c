//! `allowed-tools`: the tools that a skill may use, and the patterns of their inputs.

use std::borrow::Cow;
use std::fmt;

/// One entry of `allowed-tools`: `Read`, `Bash(git add:*)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ToolRule {
    /// The tool's name, as the skill writes it.
    pub tool: Cow<'static, str>,
    /// The text in parentheses, in the pattern language of the host.
    pub pattern: Option<Cow<'static, str>>,
}

/// Words of sentences that authors write into a list. Around such a word, a list may mean the opposite.
const WORDS: &[&str] = &[
    "all", "and", "any", "but", "deny", "disallow", "except", "exclude", "never", "no", "none",
    "not", "nothing", "only", "or", "without",
];

impl ToolRule {
    /// A rule that matches no tool. It stands in place of a rule that cannot be read: without this rule, the list
    /// could be empty, which allows every tool. A parsed list never holds it, since a space ends a tool's name.
    pub const NONE: Self = Self {
        tool: Cow::Borrowed("no tool"),
        pattern: None,
    };

    /// A rule that matches every tool: it stands in a list of tools that are taken away, in place of an entry that
    /// cannot be read.
    pub const ALL: Self = Self {
        tool: Cow::Borrowed("*"),
        pattern: None,
    };

    /// Reads a list of entries, separated by white space or commas. Text in parentheses is not
    /// separated. An unclosed parenthesis extends to the end. Entries that name no tool are left out: see
    /// [`ToolRule::unnamed`].
    pub fn parse_list(text: &str) -> Vec<Self> {
        entries(text).into_iter().filter_map(Self::parse).collect()
    }

    /// Returns the entries of a list that name no tool, such as `(git:*)`.
    pub fn unnamed(text: &str) -> Vec<&str> {
        let mut entries = entries(text);
        entries.retain(|entry| Self::parse(entry).is_none());
        entries
    }

    /// Returns whether each entry of a list can be read in one way only: the name of a tool, and then nothing or a
    /// pattern in parentheses that close at the end of the entry. Blanks, tabs, line ends and commas part the entries,
    /// and no entry is a word of a sentence (`not Bash`).
    pub fn is_exact_list(text: &str) -> bool {
        let is_word = |entry: &&str| WORDS.iter().any(|word| entry.eq_ignore_ascii_case(word));
        let is_other_space = |c: char| c.is_whitespace() && !matches!(c, ' ' | '\t' | '\n' | '\r');
        !text.contains(is_other_space)
            && Self::inexact(text).is_empty()
            && !entries(text).iter().any(is_word)
    }

    /// Returns the entries of a list that can be read in more than one way, or in none: `"Bash"` with its quotes,
    /// `Bash|Write`, `*sh`, `Bash(git:*)x`.
    pub fn inexact(text: &str) -> Vec<&str> {
        let is_exact = |entry: &str| {
            let (tool, pattern) = match entry.split_once('(') {
                Some((tool, rest)) => (tool, rest.strip_suffix(')')),
                None => (entry, Some("no pattern")),
            };
            let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
            let name = tool.strip_suffix('*').unwrap_or(tool);
            !name.starts_with(['-', '.'])
                && !tool.ends_with(['-', '.'])
                && !name.is_empty()
                && name.chars().all(is_in_name)
                && pattern.is_some_and(is_balanced)
        };
        let mut entries = entries(text);
        entries.retain(|entry| !is_exact(entry));
        entries
    }

    /// Returns whether a text is the name of one tool: not empty, without white space, commas and parentheses. A `*`
    /// at the end stands for any text.
    pub fn is_tool_name(text: &str) -> bool {
        let is_other = |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')');
        !text.is_empty() && !text.contains(is_other)
    }

    /// Reads one entry. Returns `None` if the entry names no tool.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (tool, pattern) = match text.split_once('(') {
            Some((tool, rest)) => (tool.trim(), Some(rest.strip_suffix(')').unwrap_or(rest))),
            None => (text, None),
        };
        (!tool.is_empty()).then(|| Self {
            tool: Cow::Owned(tool.to_owned()),
            pattern: pattern.map(|pattern| Cow::Owned(pattern.to_owned())),
        })
    }

    /// Returns whether the rule matches a call: the rule names the tool, and its pattern matches the call's
    /// input, such as a command line or the path of a file.
    ///
    /// `matcher` compares the pattern with the input; [`ToolRule::common`] is the common form. A rule
    /// without a pattern matches every input. A rule can name tools by their beginning and `*`.
    ///
    /// Use the result to show or sort calls, not as a gate: patterns have no common definition, and a
    /// command line can do more than it says. The host must still check its own permissions.
    ///
    /// ```
    /// use skills_format::ToolRule;
    ///
    /// let rule = ToolRule::parse("Bash(git diff:*)").expect("a rule");
    /// assert!(rule.matches("Bash", "git diff HEAD~1", ToolRule::common));
    /// assert!(!rule.matches("Bash", "git push", ToolRule::common));
    /// assert!(rule.matches("Bash", "anything", |pattern, _| pattern == "git diff:*"));
    /// ```
    pub fn matches(
        &self,
        tool: &str,
        input: &str,
        matcher: impl FnOnce(&str, &str) -> bool,
    ) -> bool {
        let is_named = match self.tool.strip_suffix('*') {
            Some(beginning) => tool.starts_with(beginning),
            None => self.tool == tool,
        };
        is_named
            && self
                .pattern
                .as_deref()
                .is_none_or(|pattern| matcher(pattern, input))
    }

    /// Compares an input with a pattern in the common form, for [`ToolRule::matches`]:
    ///
    /// - `git diff:*`: a command line of these words, with or without further words;
    /// - a pattern with a space: a command line, in which `*` stands for any text;
    /// - any other pattern: a path, in which `*` and `?` stand for text and a character of one part, and
    ///   `**` for any parts.
    ///
    /// A command line that holds `;`, `&`, `|`, `<`, `>`, a backquote, `$(` or a line end matches only a
    /// pattern of the same text. So does a path with `..`.
    ///
    /// # Cost
    ///
    /// At most the product of both lengths.
    pub fn common(pattern: &str, input: &str) -> bool {
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
            return is_plain && glob(pattern, input, false);
        }
        let climbs = input.split(['/', '\\']).any(|part| part == "..");
        !climbs && glob(pattern, input, true)
    }
}

/// Returns whether a pattern is a printable text whose parentheses are in pairs.
fn is_balanced(pattern: &str) -> bool {
    let mut depth = 0_usize;
    for c in pattern.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return false,
            ')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0 && !pattern.trim().is_empty() && !pattern.contains(char::is_control)
}

/// Returns the entries of a list as they are written.
fn entries(text: &str) -> Vec<&str> {
    let mut entries = Vec::new();
    let mut depth = 0_usize;
    let mut start = None;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && (c.is_whitespace() || c == ',') {
            entries.extend(start.take().and_then(|start| text.get(start..i)));
        } else {
            start.get_or_insert(i);
        }
    }
    entries.extend(start.and_then(|start| text.get(start..)));
    entries
}

/// Returns whether a text matches a pattern with `*`, `?` and, in paths, `**`.
///
/// Works without backtracking, which is exponential for patterns such as `*a*a*b`: `ends` says which prefixes
/// of the text the pattern so far matches.
// Not by `fast-glob`, which reads the patterns of `skills.toml`: there `?` is one byte, a leading `!` turns the match
// around, braces and brackets are syntax, and `*` ends at the `/` of a command line too.
fn glob(pattern: &str, text: &str, is_path: bool) -> bool {
    let text: Vec<char> = text.chars().collect();
    let mut ends = vec![false; text.len() + 1];
    if let Some(first) = ends.first_mut() {
        *first = true;
    }
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let crosses = !is_path || rest.starts_with("**");
        let (token, length) = match c {
            // `a/**/b` also matches `a/b`.
            '*' if is_path && rest.starts_with("**/") => (Token::Parts, 3),
            '*' if rest.starts_with("**") => (Token::Any { crosses }, 2),
            '*' => (Token::Any { crosses }, 1),
            '?' => (Token::One, 1),
            c => (Token::Same(c), c.len_utf8()),
        };
        rest = rest.get(length..).unwrap_or_default();
        ends = token.after(&ends, &text, is_path);
    }
    ends.last().copied().unwrap_or_default()
}

/// A part of a pattern.
enum Token {
    Same(char),
    One,
    Any {
        crosses: bool,
    },
    /// Any number of whole parts of a path, each with its `/`.
    Parts,
}

impl Token {
    /// Returns which prefixes of the text match after this part.
    fn after(&self, ends: &[bool], text: &[char], is_path: bool) -> Vec<bool> {
        let mut next = Vec::with_capacity(ends.len());
        let mut any = false;
        for (at, is_end) in ends.iter().copied().enumerate() {
            let before = at.checked_sub(1).and_then(|at| text.get(at)).copied();
            let was_end = at.checked_sub(1).and_then(|at| ends.get(at)).copied() == Some(true);
            next.push(match self {
                Self::Same(c) => was_end && before == Some(*c),
                Self::One => was_end && before.is_some_and(|c| !(is_path && c == '/')),
                Self::Any { crosses } => {
                    let stays = *crosses || before != Some('/');
                    any = is_end || any && stays;
                    any
                }
                Self::Parts => {
                    let here = is_end || any && before == Some('/');
                    any |= is_end;
                    here
                }
            });
        }
        next
    }
}

impl fmt::Display for ToolRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.pattern {
            Some(pattern) => write!(f, "{}({pattern})", self.tool),
            None => f.write_str(&self.tool),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_form_of_patterns() {
        let matches = |rule: &str, tool: &str, input: &str| {
            ToolRule::parse(rule)
                .expect("a rule")
                .matches(tool, input, ToolRule::common)
        };
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
            assert_eq!(matches(rule, tool, input), expected, "{rule} {input}");
        }
        let slow = format!("Read({}b)", "*a".repeat(500));
        assert!(!matches(&slow, "Read", &"a".repeat(5_000)));
    }

    #[test]
    fn lists() {
        let texts = |list: &str| {
            ToolRule::parse_list(list)
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            texts("Read Bash(git add:*)  Grep"),
            ["Read", "Bash(git add:*)", "Grep"]
        );
        assert_eq!(
            texts("Read, Bash(git:*),Grep"),
            ["Read", "Bash(git:*)", "Grep"]
        );
        assert_eq!(texts("Bash(echo (a b))"), ["Bash(echo (a b))"]);
        assert_eq!(texts(" , (x) Bash(open"), ["Bash(open)"]);
        assert_eq!(
            ToolRule::unnamed("Read , (x) Bash(a) (y z)"),
            ["(x)", "(y z)"]
        );
        for name in ["", " ", "a b", "a,b", "a(", "a)", "no tool"] {
            assert!(!ToolRule::is_tool_name(name), "{name:?}");
        }
        for (list, is_exact) in [
            ("", true),
            ("Read, Bash(git add:*) mcp__git__*", true),
            ("Bash(echo (a b))", true),
            ("Bash(git add:*", false),
            ("Bash(git:*)x", false),
            ("Bash(a)(b)", false),
            ("Bash()", false),
            ("Bash( )", false),
            ("Bash(a\u{7})", false),
            ("(x)", false),
            ("*", false),
            ("Re\u{430}d", false),
            ("Read)", false),
            ("`Read`", false),
            ("not Bash", false),
            ("None, Bash", false),
            ("Read, but never Bash", false),
            ("Read\u{a0}Bash", false),
            ("Read\u{2028}Bash", false),
            ("Read\u{b}Bash", false),
            ("Read\tBash\nGrep", true),
            ("-Bash", false),
            ("- Bash", false),
            ("Bash.", false),
        ] {
            assert_eq!(ToolRule::is_exact_list(list), is_exact, "{list}");
        }
        assert!(ToolRule::is_tool_name("mcp__git__*") && ToolRule::is_tool_name("ask/user"));
        let none = ToolRule::NONE.to_string();
        assert_eq!(ToolRule::parse(&none), Some(ToolRule::NONE));
        assert!(!ToolRule::parse_list(&none).contains(&ToolRule::NONE));
    }
}
