//! The two lists of one skill.

use crate::in_force::{InForce, Starter, approved};
use crate::kind::ToolKind;
use crate::narrow::{Narrowed, narrow};
use crate::tool_names::ToolNames;
use crate::tools::Tools;
use skills_format::ToolRule;

/// The `allowed-tools` and `disallowed-tools` of one skill. [`InForce`] adds who started the skill, for a host with several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    lists: InForce,
}

impl Rules {
    /// Reads both lists as a `SKILL.md` writes them. Empty: the skill has no such list.
    ///
    /// An entry of `allowed-tools` that does not parse names no tool, and the list approves nothing. An entry of
    /// `disallowed-tools` that does not parse takes every tool away.
    pub fn parse(allowed: &str, disallowed: &str) -> Self {
        let read = |list: &str, unread: ToolRule| {
            let mut rules = ToolRule::parse_list(list);
            if !ToolRule::faults(list).is_empty() {
                rules.push(unread);
            }
            rules
        };
        Self {
            lists: InForce {
                skill: String::new(),
                source: String::new(),
                by: Starter::Person,
                rules: read(allowed, ToolRule::NONE),
                denied: read(disallowed, ToolRule::ALL),
                approves: ToolRule::is_exact_list(allowed),
                beyond_lock: Vec::new(),
            },
        }
    }

    /// Returns whether a call is left in a host that reads `allowed-tools` as a limit. `tool` is the host's name of the
    /// tool, and `input` is what the call acts on: see [`Narrowed::allows`].
    pub fn allows(&self, tool: &str, kind: ToolKind, input: &str) -> bool {
        let tools = Tools::from([(tool, kind)]);
        let left = narrow(&[&*self.lists.rules], &tools).without(&self.lists.denied);
        left.allows(tool, input)
    }

    /// Returns whether a host may skip its own question about a call: see [`Approved::admits`](crate::Approved::admits).
    pub fn approves(&self, tool: &str, kind: ToolKind, input: &str) -> bool {
        let tools = Tools::from([(tool, kind)]);
        let left: Narrowed = narrow(&[], &tools).without(&self.lists.denied);
        let lists = std::slice::from_ref(&self.lists);
        approved(lists, &tools, &left, &ToolNames::NONE).admits(tool, input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_do_not_parse_allow_less() {
        let shell = |allowed: &str, denied: &str| {
            let rules = Rules::parse(allowed, denied);
            (
                rules.allows("Bash", ToolKind::Shell, "git log"),
                rules.approves("Bash", ToolKind::Shell, "git log"),
            )
        };
        for (allowed, denied, expected) in [
            ("", "", (true, false)),
            ("Bash(git *)", "", (true, true)),
            ("Bash(git *", "", (false, false)),
            ("Read, (x)", "", (false, false)),
            ("Bash(git *), (x)", "", (true, false)),
            ("Read", "", (false, false)),
            ("Bash", "Bash(git log:*)", (false, false)),
            ("Bash", "(x)", (false, false)),
            ("Bash", "Read", (true, true)),
        ] {
            assert_eq!(shell(allowed, denied), expected, "{allowed} {denied}");
        }
    }
}
