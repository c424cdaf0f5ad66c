//! The host's names for the tools that skills name differently.

use crate::kind::{ToolKind, Tools};
use skills_format::{Text, ToolRule};
use std::borrow::Cow;
use std::fmt;

/// A mapping from the tool names in skills to the host's names of the same tools.
///
/// The mapping is applied to `allowed-tools`. The text of a body is not changed: the model reads a table
/// of the names. Names that the mapping does not have follow from the kinds of the host's tools: [`Tools`]. Each name must name exactly one tool, because a rule under any
/// other name would match no tool, or many.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ToolNames {
    /// Pairs of a name in skills and the host's name.
    names: Cow<'static, [(Text, Text)]>,
}

/// The error of a name that cannot be the name of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidName(String);

impl fmt::Display for InvalidName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidName {}

impl ToolNames {
    /// An empty mapping: the host uses the names that skills use.
    pub const NONE: Self = Self {
        names: Cow::Borrowed(&[]),
    };

    /// Makes the mapping of a constant. Its names are not checked: see [`ToolNames::new`].
    pub const fn of_constant(names: &'static [(Text, Text)]) -> Self {
        Self {
            names: Cow::Borrowed(names),
        }
    }

    /// Makes a mapping from pairs of a name in skills and the host's
    /// name.
    ///
    /// # Errors
    ///
    /// A name is empty, or holds white space, a comma or a parenthesis; or the
    /// host's name ends in `*`, which stands for many tools, and the name in skills does not.
    pub fn new<A: Into<Text>, B: Into<Text>>(
        names: impl IntoIterator<Item = (A, B)>,
    ) -> Result<Self, InvalidName> {
        let names: Cow<'static, [(Text, Text)]> = names
            .into_iter()
            .map(|(theirs, ours)| (theirs.into(), ours.into()))
            .collect();
        for (theirs, ours) in names.iter() {
            check(theirs, ours)?;
        }
        Ok(Self { names })
    }

    /// Returns the pairs of a name in skills and the host's name, in the order of the table.
    pub fn names(&self) -> &[(Text, Text)] {
        &self.names
    }

    /// Returns the host's name for a tool name in skills. A name without an entry is returned unchanged.
    pub fn of<'a>(&'a self, tool: &'a str) -> &'a str {
        self.names
            .iter()
            .find(|(theirs, _)| theirs == tool)
            .map_or(tool, |(_, ours)| ours)
    }

    /// Returns the rules with the host's tool names.
    #[expect(clippy::ptr_arg, reason = "borrowed rules stay borrowed")]
    pub fn apply(&self, rules: &Cow<'static, [ToolRule]>) -> Cow<'static, [ToolRule]> {
        if rules.iter().all(|rule| self.of(&rule.tool) == rule.tool) {
            return rules.clone();
        }
        rules
            .iter()
            .map(|rule| ToolRule {
                tool: self.of(&rule.tool).to_owned().into(),
                pattern: rule.pattern.clone(),
            })
            .collect()
    }

    /// Appends an empty line and the table. Appends nothing if the mapping is empty.
    pub fn push_table(&self, out: &mut String) {
        let rows = self.names.iter();
        push_table(out, rows.map(|(theirs, ours)| (&**theirs, &**ours)));
    }

    /// Appends the table of a skill: this mapping, and the host's tools of the kinds that the skill names, each without
    /// the tools that the skill takes away.
    ///
    /// `in_lists` are the tools in the skill's lists, and `body` is its body.
    pub fn push_table_of<'a>(
        &'a self,
        out: &mut String,
        tools: &Tools,
        in_lists: impl Iterator<Item = &'a str>,
        body: &str,
        is_taken: impl Fn(&str, ToolKind) -> bool,
    ) {
        let is_left = |ours: &str| !is_taken(ours, tools.kind_of(ours));
        let of_kinds = self.of_kinds(tools, in_lists, body, is_left);
        let mapped = self.names.iter().filter(|(_, ours)| is_left(ours));
        let mapped = mapped.map(|(theirs, ours)| (&**theirs, &**ours));
        let of_kinds = of_kinds.iter();
        let of_kinds = of_kinds.map(|(theirs, ours)| (*theirs, &**ours));
        push_table(out, mapped.chain(of_kinds));
    }

    /// Returns the well-known names in a skill that mean tools of the host by their kinds, each with these tools.
    fn of_kinds<'a>(
        &self,
        tools: &Tools,
        in_lists: impl Iterator<Item = &'a str>,
        body: &str,
        is_left: impl Fn(&str) -> bool,
    ) -> Vec<(&'a str, String)> {
        let mut names: Vec<&str> = in_lists.collect();
        for kind in tools.kinds() {
            let is_named = |name: &&&str| names_tool(body, name);
            names.extend(kind.names().iter().filter(is_named));
        }
        let mut rows: Vec<(&str, String)> = Vec::new();
        for name in names {
            let is_known = |(theirs, _): &(&str, String)| *theirs == name;
            if self.of(name) != name || rows.iter().any(is_known) {
                continue;
            }
            let mut ours = tools.of_kind_of(name);
            ours.retain(|tool| is_left(tool));
            let ours = ours.join(", ");
            if !ours.is_empty() {
                rows.push((name, ours));
            }
        }
        rows
    }
}

fn push_table<'a>(out: &mut String, rows: impl Iterator<Item = (&'a str, &'a str)>) {
    for (number, (theirs, ours)) in rows.enumerate() {
        if number == 0 {
            out.push_str("\n\n| tool named in the skill | tool to call |\n|---|---|");
        }
        for part in ["\n| ", theirs, " | ", ours, " |"] {
            out.push_str(part);
        }
    }
}

/// Returns whether a body speaks of a tool: `` `Read` ``, `Read(…)` or `Read tool`. Only names that begin with a
/// capital are searched: `` `list` `` is a command of many programs.
fn names_tool(body: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && body.match_indices(name).any(|(at, _)| {
            let before = body.get(..at).unwrap_or_default();
            let after = body.get(at + name.len()..).unwrap_or_default();
            let is_code = before.ends_with('`') && after.starts_with('`');
            !before.ends_with(is_word)
                && !after.starts_with(is_word)
                && (is_code || after.starts_with('(') || after.starts_with(" tool"))
        })
}

/// Checks that both are names of tools, and that a rule allows no more tools under the host's name.
fn check(theirs: &str, ours: &str) -> Result<(), InvalidName> {
    for name in [theirs, ours] {
        if !ToolRule::is_tool_name(name) {
            return Err(InvalidName(format!(
                "'{name}' is not the name of a tool; a name is not empty and has no white space, comma, bracket or quote"
            )));
        }
    }
    // `Read` mapped to `*` would turn a rule for one tool into a rule for every tool: a skill would
    // widen what it asked for.
    if ours.ends_with('*') && !theirs.ends_with('*') {
        return Err(InvalidName(format!(
            "the tool '{theirs}' of skills cannot be all tools '{ours}'; name one tool"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_of_one_tool() {
        for (theirs, ours) in [("Read", ""), ("", "Read"), ("Read", "a b"), ("Read", "R*")] {
            let made = ToolNames::new([(theirs, ours)]);
            let error = made.expect_err("not a name").to_string();
            assert!(error.contains("name"), "{error}");
        }
        assert!(ToolNames::new([("mcp__git__*", "git_*"), ("Read", "read")]).is_ok());
    }

    #[test]
    fn rules_get_the_names_of_the_host() {
        let names = ToolNames::new([("Bash", "run"), ("Read", "fs_get")]).expect("names");
        assert_eq!([names.of("Bash"), names.of("Grep")], ["run", "Grep"]);
        assert_eq!(names.names().len(), 2);
        let apply = |list: &str| {
            let rules = names.apply(&ToolRule::parse_list(list).into());
            rules.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(apply("Grep Bash(git *)"), ["Grep", "run(git *)"]);
        assert_eq!(apply("Grep Write"), ["Grep", "Write"]);
        assert_eq!(apply("Bash Read"), ["run", "fs_get"]);
        assert_eq!(apply(""), [""; 0]);
    }

    const HEAD: &str = "\n\n| tool named in the skill | tool to call |\n|---|---|";

    #[test]
    fn the_table_of_a_skill_has_each_name_that_it_uses() {
        let names = ToolNames::new([("Bash", "run"), ("Send", "mail")]).expect("names");
        let mut table = String::new();
        names.push_table(&mut table);
        assert_eq!(table, format!("{HEAD}\n| Bash | run |\n| Send | mail |"));
        let host = Tools::from([
            ("run", ToolKind::Shell),
            ("fs_get", ToolKind::Read),
            ("cat", ToolKind::Read),
            ("find", ToolKind::Search),
            ("mail", ToolKind::Other),
        ]);
        let table = |lists: &[&'static str], body: &str, taken: &[&str]| {
            let mut out = String::new();
            let is_taken = |tool: &str, kind: ToolKind| {
                assert_eq!(kind, host.kind_of(tool));
                taken.contains(&tool)
            };
            names.push_table_of(&mut out, &host, lists.iter().copied(), body, is_taken);
            out
        };
        let mapped = format!("{HEAD}\n| Bash | run |\n| Send | mail |");
        // `Bash` is mapped, `cat` is a tool of the host, and nothing is called `Telescope`.
        let lists = ["Read", "Bash", "Read", "cat", "Telescope"];
        let read = "\n| Read | fs_get, cat |";
        assert_eq!(table(&lists, "", &[]), format!("{mapped}{read}"));
        let body = "Use `Grep`, then Read(a.md). Write nothing.";
        let grep = "\n| Grep | find |";
        assert_eq!(table(&["Read"], body, &[]), format!("{mapped}{read}{grep}"));
        let left = format!("{HEAD}\n| Bash | run |\n| Read | cat |");
        assert_eq!(table(&["Read"], body, &["mail", "fs_get", "find"]), left);
        assert_eq!(table(&[], "", &["mail", "run"]), "");
    }

    #[test]
    fn a_tool_is_named_in_code_or_as_a_tool() {
        for (body, is_named) in [
            ("Use `Read`.", true),
            ("Call Read(a.md) first.", true),
            ("The Read tool shows it.", true),
            ("Read the file.", false),
            ("`Reader` and `x-Read`", false),
            ("Spread tool", false),
            ("x_Read(a.md)", false),
            ("x-Read(a.md)", false),
            ("xRead tool", false),
            ("`Read the file`", false),
            ("`read`", false),
            ("", false),
        ] {
            assert_eq!(names_tool(body, "Read"), is_named, "{body}");
        }
        assert!(!names_tool("`list`", "list"));
    }
}
