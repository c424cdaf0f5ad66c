//! Which powers are part of another power of the same kind.

use crate::power::restraint;
use skills_format::ToolRule;

/// The power over every variable of the environment.
pub const EVERY_VARIABLE: &str = "(all)";
/// Stands after a package whose version is not fixed.
pub const ANY_VERSION: &str = " (any version)";

/// Returns the texts of the powers that can cover a power, if nothing but their text says so. `None`: each power of the kind has
/// to be compared.
pub(super) fn wider(kind: PowerKind, narrow: &str) -> Option<Vec<String>> {
    let cuts = |signs: &[char]| {
        let ends = narrow.match_indices(signs).map(|(at, _)| at);
        // The text is foreign, and can have any number of cuts.
        ends.take(16).collect::<Vec<_>>().into_iter()
    };
    Some(match kind {
        PowerKind::Tools | PowerKind::Restraints => return None,
        PowerKind::Variables => vec![EVERY_VARIABLE.to_owned()],
        PowerKind::Files => cuts(&['/'])
            .flat_map(|at| [narrow[..at].to_owned(), narrow[..=at].to_owned()])
            .collect(),
        PowerKind::Packages => cuts(&['@', '=', ':'])
            .map(|at| format!("{}{ANY_VERSION}", &narrow[..at]))
            .collect(),
        _ => Vec::new(),
    })
}

/// Returns whether a power covers another power of its kind. In doubt it does not, so that the other power counts as
/// gained.
pub fn covers(kind: PowerKind, wide: &str, narrow: &str) -> bool {
    wide == narrow
        || match kind {
            PowerKind::Tools => tool_covers(wide, narrow),
            PowerKind::Variables => wide == EVERY_VARIABLE,
            PowerKind::Files => narrow
                .strip_prefix(wide)
                .is_some_and(|rest| wide.ends_with('/') || rest.starts_with('/')),
            PowerKind::Packages => package_covers(wide, narrow),
            PowerKind::Restraints => restraint::holds(wide, narrow),
            _ => false,
        }
}

/// Returns whether each call that the narrow rule approves is one that the wide rule approves too. The runtime decides
/// what a rule approves by the kind of the host's tool, which is not known here: so a pattern is read only for tools whose
/// kind their name says, and is otherwise text.
fn tool_covers(wide: &str, narrow: &str) -> bool {
    let (Some(wide), Some(narrow)) = (ToolRule::parse(wide), ToolRule::parse(narrow)) else {
        return false;
    };
    let is_shell = wide.tool == "Bash";
    let is_path = PATH_TOOLS.contains(&&*narrow.tool);
    let pattern = |rule: &ToolRule| {
        let pattern = rule.pattern.as_deref()?;
        if is_shell {
            spaced(pattern)
        } else {
            Some(pattern.to_owned())
        }
    };
    names_tool(&wide.tool, &narrow.tool)
        && match (pattern(&wide), pattern(&narrow)) {
            (None, None) => true,
            (None, Some(narrow)) => is_plain(&narrow) && !chooses_script("", &narrow),
            (Some(_), None) => false,
            (Some(wide), Some(narrow)) => {
                wide == narrow
                    || is_shell && has_more_words(&wide, &narrow)
                    || is_path && is_below(&wide, &narrow)
            }
        }
}

/// The tools whose patterns are paths.
const PATH_TOOLS: &[&str] = &[
    "Edit",
    "Glob",
    "Grep",
    "LS",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "Read",
    "Write",
];

/// Programs of which an argument is a script, which can run programs and write files.
#[doc(hidden)]
pub const SCRIPTED: &[&str] = &["sed", "gsed", "awk", "gawk", "mawk", "nawk"];

/// Programs that read their first argument as options, without a `-`: `tar xIf program archive`.
#[doc(hidden)]
pub const BUNDLED: &[&str] = &["tar", "gtar", "bsdtar"];

/// Of the rules that name tools by a beginning, only those for one MCP server approve.
fn names_tool(wide: &str, narrow: &str) -> bool {
    let is_in = |beginning| is_of_server(wide) && narrow.starts_with(beginning);
    wide == narrow || wide.strip_suffix('*').is_some_and(is_in)
}

/// Returns whether a name of tools names the server of MCP that has them: `mcp__SERVER__*`.
pub(crate) fn is_of_server(tool: &str) -> bool {
    let server = tool
        .strip_prefix("mcp__")
        .and_then(|rest| rest.split_once("__"));
    server.is_some_and(|(server, _)| !server.is_empty())
}

/// Returns the pattern of a command with its end in the form with a space: `git:*` is `git *`. `None`: any command.
fn spaced(pattern: &str) -> Option<String> {
    let pattern = pattern.trim();
    match pattern.strip_suffix(":*") {
        Some("") => None,
        Some(words) => Some(format!("{words} *")),
        None if pattern == "*" => None,
        None => Some(pattern.to_owned()),
    }
}

/// Returns whether a pattern spells nothing that a rule without a pattern leaves to a question: a path outside of the
/// project, a hidden file, an option.
fn is_plain(pattern: &str) -> bool {
    let relative = pattern.strip_prefix("./").unwrap_or(pattern);
    let is_outside = relative.starts_with(['/', '~']) || relative.contains(['$', '\\']);
    let is_hidden = relative.split(['/', ' ']).any(|part| part.starts_with('.'));
    !is_outside && !is_hidden && relative.split(' ').all(is_argument)
}

/// Returns whether a word is no option of any program, `-x`, `+x`, `NAME=VALUE` and `@file`, and nothing that a shell reads.
fn is_argument(word: &str) -> bool {
    let is_of_a_shell = |c: char| "=|&;<>()`$!\\\n".contains(c);
    !word.starts_with(['-', '+', '@']) && !word.contains(is_of_a_shell)
}

/// Returns whether the narrow pattern spells a script or options, of a program whose script the wide pattern leaves open.
fn chooses_script(wide: &str, narrow: &str) -> bool {
    let program = narrow.split(' ').next().unwrap_or_default();
    let program = program.rsplit('/').next().unwrap_or_default();
    let has_script = narrow.split(' ').filter(|word| *word != "*").count() > 1;
    (SCRIPTED.contains(&program) || BUNDLED.contains(&program)) && has_script && wide != narrow
}

/// Returns whether the narrow command is the wide command with more words, none of them an option: the rule `git *` admits
/// the options that are harmless, and `git --exec-path=x *` admits this option too.
fn has_more_words(wide: &str, narrow: &str) -> bool {
    let Some(words) = wide.strip_suffix(" *").filter(|it| !it.contains('*')) else {
        return false;
    };
    let more = narrow.strip_prefix(words);
    let is_same = |more: &str| more.is_empty() || more.starts_with(' ');
    !chooses_script(wide, narrow)
        && more.is_some_and(|more| is_same(more) && more.split(' ').all(is_argument))
}

/// Returns whether the narrow path is below the folder of the wide pattern: `src/**`, or directly in it: `src/*`.
fn is_below(wide: &str, narrow: &str) -> bool {
    let (folder, is_deep) = match wide.strip_suffix("/**") {
        Some(folder) => (folder, true),
        None => match wide.strip_suffix("/*") {
            Some(folder) => (folder, false),
            None => return false,
        },
    };
    let Some(rest) = narrow
        .strip_prefix(folder)
        .and_then(|it| it.strip_prefix('/'))
    else {
        return false;
    };
    // A pattern that spells a hidden file admits that a tool writes it.
    let is_named = |part: &str| !part.is_empty() && !part.starts_with('.');
    !folder.contains('*')
        && rest.split('/').all(is_named)
        && (is_deep || !rest.contains(['/']) && rest != "**")
}

/// A package of any version covers each version of it. What stands for a version can name another package
/// (`npm foo@npm:evil`), or an address.
fn package_covers(wide: &str, narrow: &str) -> bool {
    let Some(name) = wide.strip_suffix(ANY_VERSION) else {
        return false;
    };
    let version = narrow
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix(['@', '=', ':']))
        .map(|rest| rest.trim_start_matches(['=', '^', '~', 'v', '<', '>']));
    version.is_some_and(|version| {
        version.starts_with(|c: char| c.is_ascii_digit()) && !version.contains([':', '/'])
    })
}

/// The kind of a power, in the order in which powers are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "lowercase")
)]
#[non_exhaustive]
pub enum PowerKind {
    /// A rule of `allowed-tools`.
    Tools,
    /// A program that is run, with its sub-command: `git push`.
    Commands,
    /// A host that is fetched from or sent to.
    Hosts,
    /// A file that can be run, after its interpreter: `bash scripts/run.sh`.
    Scripts,
    /// A package that is fetched, with its version if the version is fixed.
    Packages,
    /// A variable of the environment.
    Variables,
    /// A path outside of the skill: below the home folder or the root.
    Files,
    /// The tool that a slash command calls without the model.
    Dispatch,
    /// A command that a client runs at an event.
    Hooks,
    /// A command that runs before the model reads the skill.
    Injection,
    /// A part that cannot be read as code or text. It can hold any power.
    Unreadable,
    /// A limit on the skill. A restraint that is lost widens a skill, and a restraint that is added does not.
    Restraints,
}

impl PowerKind {
    /// Every kind, in the order in which powers are shown.
    pub const ALL: [Self; 12] = [
        Self::Tools,
        Self::Commands,
        Self::Hosts,
        Self::Scripts,
        Self::Packages,
        Self::Variables,
        Self::Files,
        Self::Dispatch,
        Self::Hooks,
        Self::Injection,
        Self::Unreadable,
        Self::Restraints,
    ];

    /// Returns the name of the kind in a lock and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Commands => "commands",
            Self::Hosts => "hosts",
            Self::Scripts => "scripts",
            Self::Packages => "packages",
            Self::Variables => "variables",
            Self::Files => "files",
            Self::Dispatch => "dispatch",
            Self::Hooks => "hooks",
            Self::Injection => "commands at start",
            Self::Unreadable => "unreadable",
            Self::Restraints => "restraints",
        }
    }

    /// Returns the name of the kind for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Scripts => "code",
            Self::Unreadable => "not analysed",
            Self::Restraints => "limits",
            _ => self.as_str(),
        }
    }

    /// Returns the kind with a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools() {
        for (wide, narrow, expected) in [
            ("Bash", "Bash(rm:*)", true),
            ("Bash(*)", "Bash(rm:*)", true),
            ("Bash(*)", "Bash", true),
            ("Bash", "Bash(:*)", true),
            ("Bash", "Bash(rm -rf *)", false),
            ("Bash", "Bash(sed s/a/b/e *)", false),
            ("Bash", "Bash(sed *)", true),
            ("Bash(sed *)", "Bash(sed s/a/b/e *)", false),
            ("Bash(tar *)", "Bash(tar xIf *)", false),
            ("Bash", "Bash(make CC=x)", false),
            ("Bash(git:*)", "Bash(git *)", true),
            ("Bash(git:*)", "Bash(git :*)", true),
            ("Bash(git *)", "Bash(git push:*)", true),
            ("Bash(git *)", "Bash(git push --force *)", false),
            ("Bash(git *)", "Bash(git -c core.pager=x *)", false),
            ("Bash(git *)", "Bash(git)", true),
            ("Bash(git *)", "Bash(git *|sh)", false),
            ("Bash(git *)", "Bash(git log && sh)", false),
            ("Bash", "Bash(git *;sh)", false),
            ("Bash(git *)", "Bash(gitk)", false),
            ("Bash(git *)", "Bash(git push)", true),
            ("Bash(git push)", "Bash(git push *)", false),
            ("Bash(git push)", "Bash( git push )", true),
            ("Bash(git push:*)", "Bash(git *)", false),
            ("Bash(git:*)", "Bash(*)", false),
            ("Bash(git:*)", "Bash", false),
            ("Bash(git*)", "Bash(git *)", false),
            ("Bash(git *)", "Bash(git*)", false),
            ("Bash(a * b)", "Bash(a x b)", false),
            ("Read", "Read(src/**)", true),
            ("Read", "Read(//etc/**)", false),
            ("Read", "Read(/etc/**)", false),
            ("Read", "Read(~/.ssh/**)", false),
            ("Read", "Read(${SKILL_DIR}/**)", false),
            ("Read(*)", "Read", false),
            ("Read(a:*)", "Read(a *)", false),
            ("Write", "Write(src/a.rs)", true),
            ("Write", "Write(./src/a.rs)", true),
            ("Write", "Write(.git/hooks/pre-commit)", false),
            ("Write", "Write(a/.vscode/tasks.json)", false),
            ("Write(src/*)", "Write(src/a.rs)", true),
            ("Write(src/*)", "Write(src/**)", false),
            ("Write(src/*)", "Write(src/a/b)", false),
            ("Write(src/*)", "Write(src/.env)", false),
            ("Write(src/**)", "Write(src/a/*)", true),
            ("Write(src/**)", "Write(src/a/../../x)", false),
            ("Write(s*/**)", "Write(src/a)", false),
            ("WebFetch", "WebFetch(domain:a.org)", true),
            ("WebFetch(domain:a*)", "WebFetch(domain:a.org)", false),
            ("Other(src/**)", "Other(src/a)", false),
            ("mcp__git__*", "mcp__git__log", true),
            ("mcp*", "mcp__git__log", false),
            ("*", "Bash", false),
            ("Read", "Write", false),
            ("Read", "read(//**)", false),
        ] {
            assert_eq!(
                covers(PowerKind::Tools, wide, narrow),
                expected,
                "{wide} {narrow}"
            );
        }
    }

    #[test]
    fn others() {
        for (kind, wide, narrow, expected) in [
            (PowerKind::Files, "~/.ssh", "~/.ssh/id", true),
            (PowerKind::Files, "~/.ssh", "~/.sshx", false),
            (PowerKind::Files, "/", "/etc", true),
            (PowerKind::Files, "~/.ssh/id", "~/.ssh", false),
            (PowerKind::Variables, "(all)", "TOKEN", true),
            (
                PowerKind::Packages,
                "npm a (any version)",
                "npm a@1.0",
                true,
            ),
            (
                PowerKind::Packages,
                "npm a (any version)",
                "npm ab@1.0",
                false,
            ),
            (
                PowerKind::Packages,
                "npm a@1.0",
                "npm a (any version)",
                false,
            ),
            (
                PowerKind::Packages,
                "npm a (any version)",
                "npm a@npm:b",
                false,
            ),
            (
                PowerKind::Packages,
                "npm a (any version)",
                "npm a@1.0:x",
                false,
            ),
            (PowerKind::Commands, "git", "git push", false),
            (PowerKind::Hosts, "b.org", "a.b.org", false),
        ] {
            assert_eq!(covers(kind, wide, narrow), expected, "{wide} {narrow}");
        }
    }
}
