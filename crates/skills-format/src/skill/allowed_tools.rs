//! `allowed-tools`: the tools that a skill may use, and the patterns of their inputs.

use crate::text::span::Span;
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

/// An entry of `allowed-tools` or `disallowed-tools` that does not parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolFault {
    /// The entry within the text.
    pub span: Span,
    /// The fault, with the entry as its subject: `names no tool`.
    pub message: &'static str,
    /// What to write.
    pub help: &'static str,
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

    /// Reads a list of entries, separated by white space or commas. Text in parentheses is not separated. An entry that
    /// does not parse is not in the result: see [`ToolRule::faults`].
    pub fn parse_list(text: &str) -> Vec<Self> {
        read_list(text).0
    }

    /// Returns the entries of a list that do not parse, in the order of the text.
    ///
    /// An entry is the name of a tool, alone or with a pattern in parentheses. The parentheses follow the name directly,
    /// are paired, and end the entry. The name has no white space, comma, parenthesis, bracket, quote or backslash, and
    /// the pattern is not blank and has no control characters.
    ///
    /// ```
    /// use skills_format::ToolRule;
    ///
    /// let [fault] = &ToolRule::faults("Read Bash(git *")[..] else { panic!() };
    /// assert_eq!(fault.span.of("Read Bash(git *"), "Bash(git *");
    /// assert!(ToolRule::faults("Read Bash(git add:*) mcp__git__* Skill(commit)").is_empty());
    /// ```
    pub fn faults(text: &str) -> Vec<ToolFault> {
        read_list(text).1
    }

    /// Returns the entries of a list as they are written, also those that do not parse.
    pub fn entries(text: &str) -> Vec<&str> {
        entries(text)
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

    /// Returns whether a text is the name of one tool: not empty, without white space, commas, parentheses, brackets,
    /// quotes and backslashes. A `*` at the end stands for any text.
    pub fn is_tool_name(text: &str) -> bool {
        !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || is_outside_name(c))
    }

    /// Reads one entry. Returns `None` if the entry does not parse: see [`ToolRule::faults`].
    pub fn parse(text: &str) -> Option<Self> {
        if text == Self::NONE.tool {
            return Some(Self::NONE);
        }
        let (mut rules, faults) = read_list(text);
        (rules.len() == 1 && faults.is_empty()).then(|| rules.swap_remove(0))
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

/// Parentheses, and characters that look like them. All of them group the text of an entry. Otherwise the `*` of
/// `Bash（git * ）` would be an entry of its own, which allows every tool.
const OPENING: [char; 3] = ['(', '\u{ff08}', '\u{fe59}'];
const CLOSING: [char; 3] = [')', '\u{ff09}', '\u{fe5a}'];

/// Returns whether a character other than white space cannot be in the name of a tool.
fn is_outside_name(c: char) -> bool {
    OPENING.contains(&c) || CLOSING.contains(&c) || ",;|&<>=!?[]{}\"'`\\".contains(c)
}

/// Returns the entries of a list as they are written.
fn entries(text: &str) -> Vec<&str> {
    spans(text).into_iter().map(|span| span.of(text)).collect()
}

fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut depth = 0_usize;
    let mut start = None;
    for (i, c) in text.char_indices() {
        if OPENING.contains(&c) {
            depth += 1;
        } else if CLOSING.contains(&c) {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 && (c.is_whitespace() || c == ',') {
            spans.extend(start.take().map(|start| Span::new(start, i)));
        } else {
            start.get_or_insert(i);
        }
    }
    spans.extend(start.map(|start| Span::new(start, text.len())));
    spans
}

/// Returns the rules of a list, and the entries that are not rules.
fn read_list(text: &str) -> (Vec<ToolRule>, Vec<ToolFault>) {
    let mut rules: Vec<ToolRule> = Vec::new();
    let mut faults = Vec::new();
    // The end of the last rule, until an entry follows that does not parse.
    let mut end = None;
    for span in spans(text) {
        match read_entry(span.of(text)) {
            Ok(rule) => {
                rules.push(rule);
                end = Some(span.end);
            }
            Err((message, help)) => {
                // The author of `Bash (git *)` did not mean every command.
                let between = end.take().and_then(|end| text.get(end..span.start));
                if message == UNNAMED && between.is_some_and(|text| text.trim().is_empty()) {
                    rules.pop();
                }
                faults.push(ToolFault {
                    span,
                    message,
                    help,
                });
            }
        }
    }
    if !faults.is_empty() {
        // A part of a broken entry, such as the `*` of `Bash[git * ]`, must not stand for every tool.
        rules.retain(|rule| *rule != ToolRule::ALL);
    }
    (rules, faults)
}

const UNNAMED: &str = "names no tool";

/// Reads an entry.
///
/// # Errors
///
/// The fault and its help.
fn read_entry(entry: &str) -> Result<ToolRule, (&'static str, &'static str)> {
    let (tool, rest) = match entry.split_once('(') {
        Some((tool, rest)) => (tool, Some(rest)),
        None => (entry, None),
    };
    if tool.is_empty() || tool.starts_with(OPENING) {
        return Err((
            UNNAMED,
            "write the name of a tool directly before the parenthesis, without a space, or remove the entry",
        ));
    }
    if tool.contains(is_outside_name) {
        return Err((
            "is not the name of a tool",
            "write names of tools with spaces between them, such as `Read Bash(git log:*)`",
        ));
    }
    let pattern = match rest.map(|rest| (rest, rest.strip_suffix(')'))) {
        None => None,
        Some((_, Some(pattern))) if is_balanced(pattern) => Some(Cow::Owned(pattern.to_owned())),
        Some((rest, _)) if rest.matches('(').count() >= rest.matches(')').count() => {
            return Err((
                "has a parenthesis that is not closed",
                "write `)` where its pattern ends",
            ));
        }
        Some((_, Some(pattern))) if !pattern.contains(')') => {
            return Err((
                "has no pattern that can be read",
                "write a pattern on one line in the parentheses, or remove the parentheses",
            ));
        }
        Some(_) => {
            return Err((
                "has text after its pattern",
                "write a space after the `)` that ends the pattern",
            ));
        }
    };
    Ok(ToolRule {
        tool: Cow::Owned(tool.to_owned()),
        pattern,
    })
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

    /// Each text, the rules that are left, and the entries that do not parse.
    #[test]
    fn an_entry_that_does_not_parse_is_not_a_rule() {
        for (text, rules, faulty) in [
            ("Bash(git *", "", "Bash(git *"),
            ("Read, Bash(git * Write", "Read", "Bash(git * Write"),
            ("Bash(git (log) *", "", "Bash(git (log) *"),
            ("Bash(git (log)", "", "Bash(git (log)"),
            ("Bash(git log))", "", "Bash(git log))"),
            ("Bash(echo \\()", "", "Bash(echo \\()"),
            ("Bash(echo \\))", "", "Bash(echo \\))"),
            ("Bash(git:*)x Read", "Read", "Bash(git:*)x"),
            ("Bash(a)(b)", "", "Bash(a)(b)"),
            ("Bash() Read( )", "", "Bash()|Read( )"),
            ("Bash(a\nb)", "", "Bash(a\nb)"),
            ("Read)", "", "Read)"),
            ("(git:*)", "", "(git:*)"),
            ("Read, (git:*)", "Read", "(git:*)"),
            ("Bash (git:*)", "", "(git:*)"),
            ("Read Bash(a) (b)", "Read", "(b)"),
            ("\"Bash(git *)\"", "", "\"Bash(git *)\""),
            ("'Bash'(git *)", "", "'Bash'(git *)"),
            ("`Read` Bash", "Bash", "`Read`"),
            (
                "Bash\u{ff08}git * \u{ff09} Read",
                "Read",
                "Bash\u{ff08}git * \u{ff09}",
            ),
            ("Bash(git *\u{ff09} Read", "Read", "Bash(git *\u{ff09}"),
            ("Bash\u{ff08}git *) Read", "Read", "Bash\u{ff08}git *)"),
            ("Bash\\(git *\\)", "", "Bash\\(git *\\)"),
            ("Bash[git * ] Read", "Read", "Bash[git|]"),
            ("[Read, Write]", "", "[Read|Write]"),
        ] {
            let shown = ToolRule::parse_list(text);
            let shown: Vec<String> = shown.iter().map(ToString::to_string).collect();
            assert_eq!(shown.join(" "), rules, "{text}");
            let found = ToolRule::faults(text);
            let found: Vec<&str> = found.iter().map(|fault| fault.span.of(text)).collect();
            assert_eq!(found.join("|"), faulty, "{text}");
            assert_eq!(ToolRule::parse(text), None, "{text}");
            assert!(!ToolRule::is_exact_list(text), "{text}");
        }
        for text in [
            "Bash(git add:*)",
            "Bash(npm run test:*)",
            "mcp__server__tool",
            "mcp__server__*",
            "Skill(name)",
            "Bash(echo (a b))",
            "Bash(echo \"a, b\")",
            "Read(//etc/[a-z]*/{a,b})",
            "WebFetch(domain:example.com)",
            "ask/user",
            "server:tool",
            "*",
        ] {
            assert!(ToolRule::faults(text).is_empty(), "{text}");
            let rule = ToolRule::parse(text).map(|rule| rule.to_string());
            assert_eq!(rule.as_deref(), Some(text));
        }
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
        assert!(texts(" , (x) Bash(open").is_empty());
        for name in [
            "",
            " ",
            "a b",
            "a,b",
            "a(",
            "a)",
            "\"a\"",
            "a\u{ff08}",
            "no tool",
        ] {
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
