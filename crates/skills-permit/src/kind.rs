//! What the tool of a program does, and the names that programs give to such a tool.

use crate::known_names::TOOL_NAMES;

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
        let known = TOOL_NAMES.iter().find(|(_, names)| names.contains(&name));
        known.map_or(Self::Other, |(kind, _)| {
            Self::parse(kind).unwrap_or_default()
        })
    }

    /// Returns the names that well-known programs give to a tool of this kind.
    pub fn names(self) -> &'static [&'static str] {
        let known = TOOL_NAMES.iter().find(|(kind, _)| *kind == self.as_str());
        known.map_or(&[], |(_, names)| names)
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
