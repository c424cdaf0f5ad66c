//! Cases that are skipped on Windows. The report of a run has the reason of each.

use crate::case::Case;

const BITS: &str = "permission bits of Unix";
const SIGNALS: &str = "signals of Unix";
const FOLDERS: &str = "XDG folders";
const GIT: &str = "a message of git, which on Wine is that of another system";
const PYTHON: &str = "`python3`";
const CARGO: &str = "`cargo`, which would be that of another system";
const SYSTEM: &str = "a message or a time of the system";
const WIDTHS: &str = "figures for a path as long as that of Unix";

/// Cases by the prefix of their names, with the reason.
const NAMED: &[(&str, &str)] = &[
    (
        "catalog/lower-case::Both files",
        "a file system in which `skill.md` and `SKILL.md` are two files",
    ),
    ("cli/chat::An agent that does not answer well", SIGNALS),
    ("cli/check::In a package of a linked worktree", GIT),
    ("cli/deps::", CARGO),
    (
        "cli/reference::Find: both spellings of the file",
        "a file system in which `skill.md` and `SKILL.md` are two files",
    ),
    ("cli/improve::A change that a person looks at", BITS),
    (
        "cli/improve::An agent that breaks a bound",
        "links and pipes of Unix",
    ),
    ("cli/install::What is refused", GIT),
    ("cli/new::What cannot be made", SYSTEM),
    (
        "cli/places-session::A folder that cannot be read stops no other",
        SYSTEM,
    ),
    ("cli/rule-cases::A script that is run by its path", BITS),
    ("cli/several-folders::diff, powers and history", GIT),
    ("cli/sources::Short forms of GitHub", GIT),
    ("docs/agents.md::One agent, four commands", PYTHON),
    ("docs/agents.md::The other address", PYTHON),
    (
        "docs/agents.md::What the agent reads",
        "a path with the separators of Unix",
    ),
    ("json/deps::deps", CARGO),
    ("profiles/caliban::Skills are file-based", SYSTEM),
    (
        "profiles/caliban::Discovery locations: \"XDG-aware",
        FOLDERS,
    ),
];

/// Cases whose widths, columns or token counts include the path of their folder.
const MEASURED: &[&str] = &[
    "catalog/layers::What is shadowed is kept",
    "cli/clients::A folder as each program",
    "cli/clients::Codex",
    "cli/clients::Every bundle of a folder",
    "cli/clients::What cannot be told apart",
    "cli/chat::Trust of a project's skill, with its difference",
    "cli/rule-cases::A link out of the skill",
    "profiles/codewhale::4. The transcript",
    "profiles/openclaw::Model Invocation",
    "docs/guide/tour.md::Trying skills",
    "docs/guide/repository.md::What is left",
];

impl Case {
    /// Returns why the case is skipped on this system; `None` if it runs.
    pub fn skipped(&self) -> Option<&'static str> {
        if !cfg!(windows) {
            return None;
        }
        let begins = |start: &str| self.name.starts_with(start);
        let named = NAMED.iter().find(|(start, _)| begins(start));
        let is_measured = MEASURED.iter().any(|start| begins(start)) && !is_as_long_as_of_unix();
        named
            .map(|(_, why)| *why)
            .or_else(|| is_measured.then_some(WIDTHS))
            .or_else(|| self.needs_unix().then_some("links and permissions of Unix"))
    }
}

/// Returns whether a temporary path is as long as one below `/tmp`, as with `C:\t`.
fn is_as_long_as_of_unix() -> bool {
    std::env::temp_dir().join("case").as_os_str().len() == "/tmp/case".len()
}
