//! What the tool of a program does, and the names that programs give to such a tool.

use crate::known_names;

/// What a tool does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum ToolKind {
    /// Reads files: `Read` of Claude Code.
    Read,
    /// Writes whole files: `Write`.
    Write,
    /// Changes parts of files: `Edit`.
    Edit,
    /// Runs command lines of a POSIX shell: `Bash`.
    Shell,
    /// Searches files by their names or contents: `Grep`, `Glob`.
    Search,
    /// Lists folders: `LS`.
    List,
    /// Reads an address of the web: `WebFetch`.
    Fetch,
    /// Searches the web: `WebSearch`.
    WebSearch,
    /// Asks the person: `AskUserQuestion`.
    Ask,
    /// Starts another agent: `Task`, `Agent`.
    Task,
    /// Edits notebooks: `NotebookEdit`.
    Notebook,
    /// Anything else. Rules name such a tool only by its own name.
    #[default]
    Other,
}

impl ToolKind {
    /// Every kind, [`ToolKind::Other`] last.
    pub const ALL: [Self; 12] = [
        Self::Read,
        Self::Write,
        Self::Edit,
        Self::Shell,
        Self::Search,
        Self::List,
        Self::Fetch,
        Self::WebSearch,
        Self::Ask,
        Self::Task,
        Self::Notebook,
        Self::Other,
    ];

    /// Returns the kind of a name that well-known programs give to a tool: `Bash`, `read_file`. Any other
    /// name is [`ToolKind::Other`].
    pub fn of(name: &str) -> Self {
        let mut kinds = Self::ALL.into_iter();
        let known = kinds.find(|kind| kind.names().contains(&name));
        known.unwrap_or_default()
    }

    /// Returns the names that well-known programs give to a tool of this kind.
    pub fn names(self) -> &'static [&'static str] {
        known_names::names(self.as_str())
    }

    /// Reads the name of a kind: `read`, `web-search`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Reads a tool as `NAME`, with the kind of a well-known name, or as `NAME=KIND`.
    ///
    /// # Errors
    ///
    /// A message: the name is empty, or no kind has the name.
    pub fn read_tool(text: &str) -> Result<(&str, Self), String> {
        let (name, kind) = match text.split_once('=') {
            None => (text, Self::of(text)),
            Some((name, kind)) => {
                let known = Self::parse(kind).ok_or_else(|| {
                    let all = Self::ALL.map(Self::as_str).join(", ");
                    format!("no kind is called `{kind}`; the kinds: {all}")
                })?;
                (name, known)
            }
        };
        if name.trim().is_empty() {
            return Err("a tool has a name: NAME or NAME=KIND".to_owned());
        }
        Ok((name, kind))
    }

    /// Returns whether a name in lower case may stand for a tool of this kind: a name that well-known programs
    /// give to it, in any case, or its beginning and `*`.
    pub fn may_be_named(self, name: &str) -> bool {
        self.names()
            .iter()
            .any(|known| match name.strip_suffix('*') {
                Some(beginning) => known.to_ascii_lowercase().starts_with(beginning),
                None => known.eq_ignore_ascii_case(name),
            })
    }

    /// Returns the kind's name: `read`, `web-search`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Shell => "shell",
            Self::Search => "search",
            Self::List => "list",
            Self::Fetch => "fetch",
            Self::WebSearch => "web-search",
            Self::Ask => "ask",
            Self::Task => "task",
            Self::Notebook => "notebook",
            Self::Other => "other",
        }
    }
}

/// The host's tools, each with its kind.
///
/// Skills name tools as other programs do: `Read`, `Bash`, `Grep`. The kinds connect these names to the
/// host's own tools, in `allowed-tools` and `disallowed-tools`. A rule that names a tool of the host
/// exactly means that tool alone. [`ToolNames`](crate::ToolNames) go before the kinds. Pairs of a name and a kind are
/// converted.
///
/// ```
/// use skills_permit::{ToolKind, Tools};
///
/// let tools = Tools::from([
///     ("fs_read", ToolKind::Read),
///     ("bash_exec", ToolKind::Shell),
///     ("send_mail", ToolKind::Other),
/// ]);
/// assert_eq!(tools.kind_of("fs_read"), ToolKind::Read);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tools {
    tools: Vec<(String, ToolKind)>,
    /// True if the host gave names only.
    are_names: bool,
}

impl Tools {
    /// No tools.
    pub const NONE: Self = Self {
        tools: Vec::new(),
        are_names: false,
    };

    /// Makes the list of the host's tools from their names. A name that well-known programs give to a
    /// tool has the kind that the name stands for. Any other tool has no kind: rules name it only by its own name.
    pub fn named<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Self {
        let tools = Self::from(names.into_iter().map(|name| {
            let name = name.into();
            let kind = ToolKind::of(&name);
            (name, kind)
        }));
        Self {
            are_names: true,
            ..tools
        }
    }

    /// Returns whether the host gave names only, so that a tool without a kind is not a choice of the host.
    pub fn are_names(&self) -> bool {
        self.are_names
    }

    /// Iterates over the tools, in the host's order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, ToolKind)> {
        self.tools.iter().map(|(name, kind)| (&**name, *kind))
    }

    /// Returns the kind of a tool. For a tool that the host did not name, the kind that its name stands for.
    pub fn kind_of(&self, tool: &str) -> ToolKind {
        let given = self.iter().find(|(own, _)| *own == tool);
        given.map_or_else(|| ToolKind::of(tool), |(_, kind)| kind)
    }

    /// Returns the kinds of the tools, each once, without [`ToolKind::Other`].
    pub(crate) fn kinds(&self) -> Vec<ToolKind> {
        let mut kinds: Vec<ToolKind> = self.iter().map(|(_, kind)| kind).collect();
        kinds.retain(|kind| *kind != ToolKind::Other);
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// Returns the tools that a well-known name means by its kind. None if the host has a tool of this name.
    pub fn of_kind_of(&self, name: &str) -> Vec<&str> {
        if ToolKind::of(name) == ToolKind::Other || self.iter().any(|(own, _)| own == name) {
            return Vec::new();
        }
        let meant = self.iter().zip(self.meant(name));
        let meant = meant.filter(|((own, _), is_meant)| *is_meant && !own.contains(['|', '\n']));
        meant.map(|((own, _), _)| own).collect()
    }

    /// Tells for each tool, in order, whether a rule names it. A rule names the tool of this name; if the
    /// host has no such tool, the tools of the kind that the name stands for. A name that ends in `*` names
    /// tools by their beginning.
    pub(crate) fn meant<'t>(&'t self, rule: &'t str) -> impl Iterator<Item = bool> + 't {
        let is_own = move |name: &str| match rule.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == rule,
        };
        // Asked for a name of its own, the host does not offer another tool.
        let has_own = self.iter().any(|(name, _)| is_own(name));
        let wanted = ToolKind::of(rule);
        let is_of_kind = move |kind| !has_own && wanted != ToolKind::Other && wanted == kind;
        self.iter()
            .map(move |(name, kind)| is_own(name) || is_of_kind(kind))
    }
}

/// The tools of these names and kinds, in the host's order.
impl<I: IntoIterator<Item = (T, ToolKind)>, T: Into<String>> From<I> for Tools {
    fn from(tools: I) -> Self {
        let tools = tools.into_iter().map(|(name, kind)| (name.into(), kind));
        Self {
            tools: tools.collect(),
            are_names: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_name_stands_for_one_kind() {
        let all: Vec<&str> = ToolKind::ALL
            .iter()
            .flat_map(|kind| kind.names())
            .copied()
            .collect();
        let different: BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(all.len(), different.len());
        for kind in ToolKind::ALL {
            assert!(kind.names().iter().all(|name| ToolKind::of(name) == kind));
            assert_eq!(ToolKind::parse(kind.as_str()), Some(kind));
        }
        let names: BTreeSet<&str> = ToolKind::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(names.len(), ToolKind::ALL.len());
        assert_eq!(ToolKind::of("Read*"), ToolKind::Other);
        let names =
            "Read Write Edit Bash Grep LS WebFetch WebSearch AskUserQuestion Task NotebookEdit x";
        let kinds = names.split(' ').map(ToolKind::of);
        assert!(kinds.eq(ToolKind::ALL));
        assert!(ToolKind::Other.names().is_empty());
    }

    #[test]
    fn a_tool_with_its_kind() {
        assert_eq!(ToolKind::read_tool("Bash"), Ok(("Bash", ToolKind::Shell)));
        assert_eq!(ToolKind::read_tool("x"), Ok(("x", ToolKind::Other)));
        assert_eq!(ToolKind::read_tool("x=read"), Ok(("x", ToolKind::Read)));
        for text in ["", "=read", " =read", "x=", "x=Read", "x=y=z"] {
            assert!(ToolKind::read_tool(text).is_err(), "{text}");
        }
    }
}

#[cfg(test)]
mod tools_tests {
    use super::*;

    #[test]
    fn a_rule_means_a_tool_by_its_name_and_then_by_its_kind() {
        let host = Tools::from([
            ("fs_get", ToolKind::Read),
            ("cat", ToolKind::Read),
            ("Bash", ToolKind::Shell),
            ("run", ToolKind::Shell),
            ("mcp__git__log", ToolKind::Other),
        ]);
        let meant = |rule: &str| {
            let meant = host.iter().zip(host.meant(rule));
            let meant = meant.filter(|(_, is_meant)| *is_meant);
            let names: Vec<&str> = meant.map(|((name, _), _)| name).collect();
            names.join(" ")
        };
        for (rule, names) in [
            ("Read", "fs_get cat"),
            ("read_file", "fs_get cat"),
            ("Bash", "Bash"),
            ("shell", "Bash run"),
            ("run", "run"),
            ("mcp__git__*", "mcp__git__log"),
            ("R*", ""),
            ("Write", ""),
            ("Telescope", ""),
            ("other", ""),
        ] {
            assert_eq!(meant(rule), names, "{rule}");
        }
    }

    #[test]
    fn the_kinds_of_a_host() {
        let host = Tools::named(["Read", "run_it", "shell", "grep"]);
        assert!(host.are_names() && !Tools::NONE.are_names());
        let kinds: Vec<ToolKind> = host.iter().map(|(_, kind)| kind).collect();
        let shell = ToolKind::Shell;
        assert_eq!(
            kinds,
            [ToolKind::Read, ToolKind::Other, shell, ToolKind::Search]
        );
        assert_eq!(
            host.kinds(),
            [ToolKind::Read, ToolKind::Shell, ToolKind::Search]
        );
        let host = Tools::from([
            ("Read", shell),
            ("a|b", shell),
            ("run", shell),
            ("x", ToolKind::Other),
        ]);
        assert_eq!(host.kinds(), [shell]);
        // The kind that the host gave goes before the kind of the name.
        assert_eq!(host.kind_of("Read"), shell);
        assert_eq!(host.kind_of("Write"), ToolKind::Write);
        assert_eq!(host.kind_of("y"), ToolKind::Other);
        // `a|b` would break the table in a skill's text.
        assert_eq!(host.of_kind_of("Bash"), ["Read", "run"]);
        for name in ["Read", "run", "Telescope", "Write"] {
            assert!(host.of_kind_of(name).is_empty(), "{name}");
        }
    }
}
