//! `allowed-tools`: which tools a skill may use, and with what.

use std::borrow::Cow;
use std::fmt;

/// One entry of `allowed-tools`: `Read`, `Bash(git add:*)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ToolRule {
    /// The tool's name, as the skill writes it.
    pub tool: Cow<'static, str>,
    /// The text in parentheses, in the host's language of patterns.
    pub pattern: Option<Cow<'static, str>>,
}

impl ToolRule {
    /// A rule that matches no tool, for `allowed-tools` that cannot be read. A parsed list never
    /// holds it, since the name of a tool ends at a space.
    #[cfg(feature = "yaml")]
    pub(crate) const NONE: Self = Self {
        tool: Cow::Borrowed("no tool"),
        pattern: None,
    };

    /// Reads a list of entries, separated by white space or commas. Text in parentheses is not
    /// separated. An unclosed parenthesis extends to the end.
    pub fn parse_list(text: &str) -> Vec<Self> {
        let mut rules = Vec::new();
        let mut depth = 0_usize;
        let mut start = None;
        for (i, c) in text.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 && (c.is_whitespace() || c == ',') {
                rules.extend(
                    start
                        .take()
                        .and_then(|start| text.get(start..i))
                        .and_then(Self::parse),
                );
            } else {
                start.get_or_insert(i);
            }
        }
        rules.extend(
            start
                .and_then(|start| text.get(start..))
                .and_then(Self::parse),
        );
        rules
    }

    /// Reads one entry. `None` if it does not name a tool.
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
        let none = ToolRule::NONE.to_string();
        assert_eq!(ToolRule::parse(&none), Some(ToolRule::NONE));
        assert!(!ToolRule::parse_list(&none).contains(&ToolRule::NONE));
    }
}
