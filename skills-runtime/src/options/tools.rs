//! The host's tools, and what they do.

/// The host's tools, each with its kind.
///
/// Skills name tools as other programs do: `Read`, `Bash`, `Grep`. The kinds connect these names to the
/// host's own tools, in `allowed-tools` and `disallowed-tools`. A rule that names a tool of the host
/// exactly means that tool alone. [`Profile::tool_names`](crate::Profile) goes before the kinds. Pairs of a
/// name and a kind are converted, so [`Session::set_tools`](crate::Session::set_tools) takes them.
///
/// ```
/// # #[cfg(feature = "macros")] {
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::options::ToolKind;
/// use skills_runtime::{Profile, Session};
///
/// let mut session = Session::new(Profile::DEFAULT);
/// session.set_tools([
///     ("fs_read", ToolKind::Read),
///     ("bash_exec", ToolKind::Shell),
///     ("send_mail", ToolKind::Other),
/// ]);
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tools {
    tools: Vec<(String, ToolKind)>,
}

/// What a tool does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

/// The names that programs give to their tools, by kind: Claude Code first, then Codex, Gemini CLI,
/// `OpenCode`, VS Code, Cursor, Cline, Windsurf, Zed, Amazon Q and `OpenClaw`. A name that programs use for
/// different things is not here.
const NAMES: &[(ToolKind, &[&str])] = &[
    (
        ToolKind::Read,
        &[
            "Read",
            "read",
            "read_file",
            "read_many_files",
            "view_file",
            "fs_read",
            "readFile",
        ],
    ),
    (
        ToolKind::Write,
        &[
            "Write",
            "write",
            "write_file",
            "create_file",
            "write_to_file",
            "fs_write",
            "writeFile",
        ],
    ),
    (
        ToolKind::Edit,
        &[
            "Edit",
            "MultiEdit",
            "edit",
            "multiedit",
            "edit_file",
            "apply_patch",
            "replace",
            "replace_in_file",
            "str_replace_editor",
            "str_replace_based_edit_tool",
            "search_replace",
            "editFile",
        ],
    ),
    (
        ToolKind::Shell,
        &[
            "Bash",
            "bash",
            "shell",
            "shell_command",
            "local_shell",
            "exec_command",
            "exec",
            "run_shell_command",
            "run_command",
            "run_in_terminal",
            "run_terminal_cmd",
            "execute_command",
            "execute_bash",
            "bash_exec",
            "terminal",
        ],
    ),
    (
        ToolKind::Search,
        &[
            "Grep",
            "Glob",
            "grep",
            "glob",
            "search",
            "search_file_content",
            "grep_search",
            "file_search",
            "codebase_search",
            "search_files",
            "find_files",
            "find_path",
        ],
    ),
    (
        ToolKind::List,
        &[
            "LS",
            "ls",
            "list",
            "list_dir",
            "list_directory",
            "list_files",
        ],
    ),
    (
        ToolKind::Fetch,
        &[
            "WebFetch",
            "webfetch",
            "web_fetch",
            "fetch",
            "read_url_content",
        ],
    ),
    (
        ToolKind::WebSearch,
        &[
            "WebSearch",
            "websearch",
            "web_search",
            "google_web_search",
            "search_web",
        ],
    ),
    (
        ToolKind::Ask,
        &[
            "AskUserQuestion",
            "ask_user",
            "ask_followup_question",
            "request_user_input",
        ],
    ),
    (
        ToolKind::Task,
        &[
            "Task",
            "Agent",
            "task",
            "spawn_agent",
            "runSubagent",
            "new_task",
        ],
    ),
    (ToolKind::Notebook, &["NotebookEdit", "edit_notebook"]),
];

impl ToolKind {
    /// Every kind, [`ToolKind::Other`] last.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
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
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub fn of(name: &str) -> Self {
        let known = NAMES.iter().find(|(_, names)| names.contains(&name));
        known.map_or(Self::Other, |(kind, _)| *kind)
    }

    /// Returns whether a name in lower case may stand for a tool of this kind: a name that well-known programs
    /// give to it, in any case, or its beginning and `*`.
    pub(crate) fn may_be_named(self, name: &str) -> bool {
        let known = NAMES.iter().filter(|(kind, _)| *kind == self);
        let mut known = known.flat_map(|(_, names)| *names);
        known.any(|known| match name.strip_suffix('*') {
            Some(beginning) => known.to_ascii_lowercase().starts_with(beginning),
            None => known.eq_ignore_ascii_case(name),
        })
    }

    /// Returns the kind's name: `read`, `web-search`.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
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

impl Tools {
    /// Makes the list of the host's tools from their names. A name that well-known programs give to a
    /// tool has the kind that the name stands for. Any other tool has no kind: rules name it only by its own name.
    pub fn named<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Self {
        Self::from(names.into_iter().map(|name| {
            let name = name.into();
            let kind = ToolKind::of(&name);
            (name, kind)
        }))
    }

    /// Iterates over the tools, in the host's order.
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub fn iter(&self) -> impl Iterator<Item = (&str, ToolKind)> {
        self.tools.iter().map(|(name, kind)| (&**name, *kind))
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_name_stands_for_one_kind() {
        let all: Vec<&str> = NAMES
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        let different: BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(all.len(), different.len());
        for (kind, names) in NAMES {
            assert!(names.iter().all(|name| ToolKind::of(name) == *kind));
        }
        let names: BTreeSet<&str> = ToolKind::ALL.iter().map(|kind| kind.as_str()).collect();
        assert_eq!(names.len(), ToolKind::ALL.len());
        assert_eq!(ToolKind::of("Read*"), ToolKind::Other);
    }

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
}
