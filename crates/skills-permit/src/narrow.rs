//! Narrows the host's tools to the tools that active skills leave. No function adds a tool.

use crate::kind::{ToolKind, Tools};
use crate::pattern::{matches, may_match, takes};
use skills_format::ToolRule;

/// The host's tools that active skills leave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Narrowed {
    /// The tools still allowed, in the host's order.
    pub tools: Vec<NarrowedTool>,
    /// The tools that skills name and the host does not have, without duplicates: first the tools of
    /// `allowed-tools`, then the tools of `disallowed-tools`, in the order of the rules.
    pub unknown: Vec<String>,
}

/// A tool that is still allowed, with the rules of its allowed calls.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct NarrowedTool {
    /// The host's name of the tool.
    pub tool: String,
    /// The rules of the allowed calls, without duplicates. Each rule has the host's name of the tool and a
    /// pattern. A call must match at least one rule. Empty: every call. The host still asks its own
    /// permissions.
    pub rules: Vec<ToolRule>,
    /// The rules of skills that only narrow further. A call must also match at least one rule of each
    /// list.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub further: Vec<Vec<ToolRule>>,
    /// The rules of `disallowed-tools` with a pattern. A call that a rule may match is taken away.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty"))]
    pub denied: Vec<ToolRule>,
    #[cfg_attr(feature = "serde", serde(skip))]
    /// The kind that the host gave to the tool.
    pub kind: ToolKind,
}

/// Narrows the host's tools to the tools that the rules of any active skill name.
///
/// Each skill is given by its rules. A skill without rules changes nothing. If no skill has rules, all
/// tools are allowed. A rule names a tool by the host's name, by a prefix of the name and `*`, or by a
/// well-known name of another program ([`ToolKind::of`]).
///
/// # Cost
///
/// Compares each rule with each tool.
///
/// ```
/// use skills_permit::{ToolRule, Tools, narrow};
///
/// let review = ToolRule::parse_list("Read Bash(git:*)");
/// let narrowed = narrow(&[&review], &Tools::named(["read_file", "Write", "Bash"]));
/// assert_eq!(narrowed.names().collect::<Vec<_>>(), ["read_file", "Bash"]);
/// assert_eq!(narrowed.tools[1].rules, ToolRule::parse_list("Bash(git:*)"));
/// ```
pub fn narrow(skills: &[&[ToolRule]], available: &Tools) -> Narrowed {
    let rules: Vec<&ToolRule> = skills.iter().copied().flatten().collect();
    let mut narrowed = Narrowed::default();
    let mut of_tools: Vec<Vec<&ToolRule>> = available.iter().map(|_| Vec::new()).collect();
    for rule in &rules {
        let mut is_known = false;
        for (of_tool, is_meant) in of_tools.iter_mut().zip(available.meant(&rule.tool)) {
            if is_meant {
                of_tool.push(rule);
                is_known = true;
            }
        }
        if !is_known && !narrowed.unknown.iter().any(|tool| *tool == rule.tool) {
            narrowed.unknown.push(rule.tool.to_string());
        }
    }
    for ((tool, kind), of_tool) in available.iter().zip(of_tools) {
        // All rules count here, also rules for tools that the host lacks: a skill whose tools are all
        // missing allows no tool, and not every tool.
        if rules.is_empty() || !of_tool.is_empty() {
            narrowed.tools.push(NarrowedTool {
                tool: tool.to_owned(),
                rules: with_patterns(tool, &of_tool),
                further: Vec::new(),
                denied: Vec::new(),
                kind,
            });
        }
    }
    narrowed
}

impl NarrowedTool {
    fn allows(&self, input: &str) -> bool {
        let is_matched = |rule: &ToolRule| matches(rule, &self.tool, input);
        let any = |rules: &[ToolRule]| rules.is_empty() || rules.iter().any(is_matched);
        let takes = |rule: &ToolRule| may_match(rule.pattern.as_deref().unwrap_or("*"), input);
        any(&self.rules)
            && self.further.iter().all(|rules| any(rules))
            && !self.denied.iter().any(takes)
    }
}

impl Narrowed {
    /// Iterates over the names of the tools still allowed, in the host's order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.tools.iter().map(|left| &*left.tool)
    }

    /// Returns whether active skills leave a call to the host. `tool` is the host's name of the tool, and
    /// `input` is what the call acts on, as for [`Approved::admits`](crate::Approved::admits).
    ///
    /// `false` for a tool that is not in the list: a skill took the tool away, or the host did not name it. A model can
    /// call a tool that it was not offered.
    ///
    /// - `git diff:*` allows a command line of these words, with or without further words.
    /// - A pattern with a space is a command line, in which `*` stands for any text.
    /// - Any other pattern is a path: `*` and `?` stand for text and a character of one part, and `**` for any parts.
    ///
    /// A command line that holds `;`, `&`, `|`, `<`, `>`, a backquote, `$(` or a line end matches only a pattern of the same
    /// text. So does a path with `..`. A pattern of `disallowed-tools` takes the call if any part of the input may match.
    ///
    /// A call that is left is not permitted yet: the host asks its own gate.
    ///
    /// # Cost
    ///
    /// At most the product of the lengths of the input and the patterns.
    ///
    /// ```
    /// use skills_permit::{ToolKind, Tools, narrow};
    ///
    /// let left = narrow(&[], &Tools::from([("shell", ToolKind::Shell)]));
    /// assert!(left.allows("shell", "git push"), "no active skill takes it away");
    /// assert!(!left.allows("write_file", "a.txt"), "the host has no such tool");
    /// ```
    pub fn allows(&self, tool: &str, input: &str) -> bool {
        let mut tools = self.tools.iter();
        let left = tools.find(|left| left.tool == tool);
        left.is_some_and(|left| left.allows(input))
    }

    /// Narrows the allowed tools by the rules of one more skill. Never adds a tool or a call.
    #[must_use]
    pub fn further(mut self, skill: &[ToolRule]) -> Self {
        let left = Tools::from(self.tools.iter().map(|left| (&*left.tool, left.kind)));
        let narrowed = narrow(&[skill], &left);
        let mut tools = std::mem::take(&mut self.tools);
        tools.retain_mut(|left| {
            let Some(again) = narrowed.tools.iter().find(|again| again.tool == left.tool) else {
                return false;
            };
            left.narrow_further(&again.rules);
            true
        });
        self.tools = tools;
        self
    }

    /// Takes away the tools of `disallowed-tools`. A rule with a pattern takes calls away.
    #[must_use]
    pub fn without(mut self, disallowed: &[ToolRule]) -> Self {
        for rule in disallowed {
            let is_taken = |left: &NarrowedTool| takes(rule, &left.tool, left.kind);
            if rule.pattern.is_none() {
                self.tools.retain(|left| !is_taken(left));
                continue;
            }
            for left in self.tools.iter_mut().filter(|left| is_taken(left)) {
                let rule = ToolRule {
                    tool: left.tool.clone().into(),
                    pattern: rule.pattern.clone(),
                };
                if !left.denied.contains(&rule) {
                    left.denied.push(rule);
                }
            }
        }
        self
    }
}

/// Returns the tools of `disallowed-tools` that the host does not have, without duplicates.
pub fn not_here(disallowed: &[ToolRule], available: &Tools) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    for rule in disallowed {
        let mut tools = available.iter();
        let is_here = tools.any(|(tool, kind)| takes(rule, tool, kind));
        if !is_here && !missing.iter().any(|tool| *tool == rule.tool) {
            missing.push(rule.tool.to_string());
        }
    }
    missing
}

impl NarrowedTool {
    fn narrow_further(&mut self, rules: &[ToolRule]) {
        if rules.is_empty() || self.rules == rules {
            return;
        }
        if self.rules.is_empty() {
            self.rules = rules.to_vec();
        } else if !self.further.iter().any(|known| known == rules) {
            // As a list of its own: merged into `rules`, it would allow calls that only one of the two
            // skills allows.
            self.further.push(rules.to_vec());
        }
    }
}

/// Returns the rules that have a pattern, for this tool. Returns an empty list if one rule has no pattern,
/// because this rule allows every call.
fn with_patterns(tool: &str, rules: &[&ToolRule]) -> Vec<ToolRule> {
    let mut of_tool: Vec<ToolRule> = Vec::new();
    for rule in rules {
        if rule.pattern.is_none() {
            return Vec::new();
        }
        // With the tool's own name: a rule can name tools by their beginning, and two rules with one
        // pattern are one rule then.
        let rule = ToolRule {
            tool: tool.to_owned().into(),
            pattern: rule.pattern.clone(),
        };
        if !of_tool.contains(&rule) {
            of_tool.push(rule);
        }
    }
    of_tool
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn patterns(rules: &[ToolRule]) -> Vec<&str> {
        let patterns = rules.iter().filter_map(|rule| rule.pattern.as_deref());
        patterns.collect()
    }

    fn narrowed(skills: &[&str], available: &[&str]) -> String {
        let rules: Vec<Vec<ToolRule>> = skills
            .iter()
            .map(|list| ToolRule::parse_list(list))
            .collect();
        let rules: Vec<&[ToolRule]> = rules.iter().map(Vec::as_slice).collect();
        let narrowed = narrow(&rules, &Tools::named(available.iter().copied()));
        let tools = narrowed
            .tools
            .iter()
            .map(
                |NarrowedTool { tool, rules, .. }| match patterns(rules).as_slice() {
                    [] => tool.clone(),
                    patterns => format!("{tool}({})", patterns.join("|")),
                },
            )
            .collect::<Vec<_>>();
        format!(
            "{}; unknown: {}",
            tools.join(" "),
            narrowed.unknown.join(" ")
        )
    }

    #[test]
    fn narrows() {
        let host = ["Read", "Bash", "Write", "mcp__git__log", "mcp__git__show"];
        for (skills, expected) in [
            (&["Bash(git:*) Read"][..], "Read Bash(git:*); unknown: "),
            (
                &[""],
                "Read Bash Write mcp__git__log mcp__git__show; unknown: ",
            ),
            (&["Edit Edit(x)"], "; unknown: Edit"),
            (&["Read", ""], "Read; unknown: "),
            (&["Bash(a)", "Bash(b) Bash(a)"], "Bash(a|b); unknown: "),
            (&["Bash(a)", "Bash"], "Bash; unknown: "),
            (
                &["mcp__git__* web*"],
                "mcp__git__log mcp__git__show; unknown: web*",
            ),
        ] {
            assert_eq!(narrowed(skills, &host), expected, "{skills:?}");
        }
    }

    #[test]
    fn a_further_skill_limits_tools_and_patterns() {
        let rules = ToolRule::parse_list;
        let host = Tools::named(["Read", "Write", "Bash"]);
        let first = narrow(&[&*rules("Bash(git *) Read Write(src/*)")], &host);
        assert_eq!(first.clone().further(&[]), first, "no rules");
        let left = first.further(&rules("Bash(*log) Read(docs/*) Write"));
        let shown = |left: &Narrowed| {
            let tools = left.tools.iter().map(|left| {
                let further: Vec<_> = left.further.iter().map(|rules| patterns(rules)).collect();
                format!("{} {:?} {further:?}", left.tool, patterns(&left.rules))
            });
            tools.collect::<Vec<_>>()
        };
        let expected = [
            "Read [\"docs/*\"] []",
            "Write [\"src/*\"] []",
            "Bash [\"git *\"] [[\"*log\"]]",
        ];
        assert_eq!(shown(&left), expected);
        let again = left.clone().further(&rules("Bash(*log) Read Write"));
        assert_eq!(shown(&again), expected, "without duplicates");
        let fewer = left.clone().further(&rules("Bash(*a) Bash(*b)"));
        let both = [r#"Bash ["git *"] [["*log"], ["*a", "*b"]]"#];
        assert_eq!(shown(&fewer), both);

        for (call, is_allowed) in [("git log", true), ("git push", false), ("cat log", false)] {
            assert_eq!(left.allows("Bash", call), is_allowed, "{call}");
        }
        assert!(
            !left.allows("Telescope", "git log"),
            "not a tool of the host"
        );
        let free = narrow(&[&*rules("Bash")], &host);
        assert!(free.allows("Bash", "anything") && !free.allows("Read", "anything"));
    }

    #[test]
    fn tools_to_take_away_that_the_host_lacks_are_named_once() {
        let host = Tools::from([("run", ToolKind::Shell), ("mail", ToolKind::Other)]);
        let rules = ToolRule::parse_list("Bash MAIL Telescope Edit Telescope(x)");
        assert_eq!(not_here(&rules, &host), ["Telescope", "Edit"]);
        assert_eq!(not_here(&[], &host), [""; 0]);
    }

    #[test]
    fn names_of_tools_are_taken_away_in_any_case() {
        let host = Tools::from([
            ("run", ToolKind::Shell),
            ("Fetch_Page", ToolKind::Fetch),
            ("mail", ToolKind::Other),
        ]);
        for (rule, expected) in [
            ("Bash", "Fetch_Page mail"),
            ("BASH", "Fetch_Page mail"),
            ("Shell", "Fetch_Page mail"),
            ("SHELL", "Fetch_Page mail"),
            ("Bash*", "Fetch_Page mail"),
            ("webfetch", "run mail"),
            ("MAIL", "run Fetch_Page"),
            ("ma*", "run Fetch_Page"),
            ("*", ""),
            ("other", "run Fetch_Page mail"),
        ] {
            let rules = ToolRule::parse_list(rule);
            let left = narrow(&[], &host).without(&rules);
            let left: Vec<&str> = left.tools.iter().map(|left| &*left.tool).collect();
            assert_eq!(left.join(" "), expected, "{rule}");
        }
        let pushes = ToolRule::parse_list("BASH(git push:*)");
        let left = narrow(&[], &host).without(&pushes);
        assert!(!left.allows("run", "git push"));
    }

    proptest! {
        #[test]
        fn always_a_part(
            skills in prop::collection::vec("([A-C*]{1,2}(\\([a-c]\\))? ){0,4}", 0..4),
            available in prop::collection::vec("[A-C]{1,2}", 0..6),
        ) {
            let rules: Vec<Vec<ToolRule>> = skills.iter().map(|list| ToolRule::parse_list(list)).collect();
            let lists: Vec<&[ToolRule]> = rules.iter().map(Vec::as_slice).collect();
            let narrowed = narrow(&lists, &Tools::named(available.clone()));
            let left: Vec<&String> = narrowed.tools.iter().map(|tool| &tool.tool).collect();
            let mut host = available.iter();
            prop_assert!(left.iter().all(|tool| host.any(|host| host == *tool)), "in order, within the host's");
            prop_assert!(narrowed.unknown.iter().all(|tool| !available.contains(tool)));
            let declared = rules.iter().flatten().count();
            prop_assert!(declared > 0 || left.len() == available.len());
        }
    }
}
