//! The program `git`, and the settings of every call.

#![expect(clippy::disallowed_methods, reason = "the one file that starts git")]

use crate::git::object::contents;
use crate::git::observer::Observer;
use crate::git::process::{Most, run};
use crate::git::said::said;
use skills_format::disk::resolve;
use skills_format::{Prose, prose};
use skills_store::{Error, ErrorKind};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Settings for every call, which override every file. They disable the programs that a repository or a prompt
/// could start. Programs with a name of their own, such as `filter.NAME.clean`, have no such setting: outside of a person's
/// own folders ([`Git::own`]), the calls are chosen so that git needs none of these programs.
pub(crate) const SETTINGS: &[&str] = &[
    // Empty, and not `false`: before git 2.36 any word is the name of a program.
    "core.fsmonitor=",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.alternateRefsCommand=",
    "core.askPass=",
    "core.pager=",
    "diff.external=",
    "log.showSignature=false",
    "tag.gpgSign=false",
    "uploadpack.packObjectsHook=",
    "commit.gpgSign=false",
    "credential.interactive=false",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "fetch.writeCommitGraph=false",
    // Hooks of the configuration, from git 2.55 on; 2.54 knows no switch for an event.
    "hook.post-index-change.enabled=false",
    "hook.reference-transaction.enabled=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.version=2",
];

/// A repository that does not exist. Without it git would search for a repository from the working folder upwards,
/// and the configuration of a project could choose the program that asks for a password.
pub(crate) const NO_REPOSITORY: &str = "/dev/null/no-repository";

/// Variables that would lead git to another repository, or change the meaning of a call. A program that a hook of
/// git starts has such variables. The user's identity and settings for remotes (`GIT_SSH_COMMAND`, `GIT_SSL_…`,
/// `GIT_CONFIG_COUNT`) stay; [`SETTINGS`] override the last.
const UNSET: &[&str] = &[
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_ATTR_SOURCE",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DEFAULT_HASH",
    "GIT_DEFAULT_REF_FORMAT",
    "GIT_DIFF_OPTS",
    "GIT_DIR",
    "GIT_EXTERNAL_DIFF",
    "GIT_GLOB_PATHSPECS",
    "GIT_GRAFT_FILE",
    "GIT_ICASE_PATHSPECS",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INDEX_VERSION",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_NAMESPACE",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_PROXY_COMMAND",
    "GIT_QUARANTINE_PATH",
    "GIT_REDIRECT_STDERR",
    "GIT_REDIRECT_STDIN",
    "GIT_REDIRECT_STDOUT",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_TEMPLATE_DIR",
    "GIT_WORK_TREE",
];

/// The transports that a call to a remote may use.
const TRANSPORTS: &str = "https:ssh:file";
/// A list without transports: git cannot fetch a missing object, whatever program the repository names for it.
const NO_TRANSPORT: &str = "none";

const SET: &[(&str, &str)] = &[
    ("GIT_ATTR_NOSYSTEM", "1"),
    // The content of the commit, and not its replacement in `refs/replace`.
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    // `Repository::read` fetches missing objects in one call. Git would fetch them one by one.
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    // Empty, so that no program is asked for a password.
    ("GIT_ASKPASS", ""),
    ("SSH_ASKPASS", "false"),
    ("SSH_ASKPASS_REQUIRE", "force"),
    ("GIT_LFS_SKIP_SMUDGE", "1"),
    ("GIT_ADVICE", "0"),
    ("LC_ALL", "C"),
];

/// The program `git`.
#[derive(Clone, Debug)]
pub struct Git {
    program: OsString,
    own: Vec<PathBuf>,
}

impl Default for Git {
    fn default() -> Self {
        Self::new("git")
    }
}

/// A call of git, with the message for its failure.
pub(crate) struct Call {
    arguments: Vec<OsString>,
    input: Vec<u8>,
    what: Prose,
    help: Prose,
    /// An exit code beside 0 that is not a failure.
    answer: Option<i32>,
    /// A warning is a refusal.
    refuses_warnings: bool,
    transports: &'static str,
    most: Most,
    variables: Vec<(&'static str, String)>,
}

impl Call {
    /// Creates a call. `what` says what cannot be done when git fails.
    pub(crate) fn new(what: impl Into<Prose>) -> Self {
        Self {
            arguments: Vec::new(),
            input: Vec::new(),
            what: what.into(),
            help: "see what `git status` says there".into(),
            answer: None,
            refuses_warnings: false,
            transports: NO_TRANSPORT,
            most: Most::default(),
            variables: Vec::new(),
        }
    }

    /// Allows the call to reach a remote.
    pub(crate) fn remote(mut self) -> Self {
        self.transports = TRANSPORTS;
        self
    }

    /// Sets the bounds of the call.
    pub(crate) fn most(mut self, most: Most) -> Self {
        self.most = most;
        self
    }

    pub(crate) fn help(mut self, help: impl Into<Prose>) -> Self {
        self.help = help.into();
        self
    }

    /// Accepts an exit code beside 0.
    pub(crate) fn answer(mut self, code: i32) -> Self {
        self.answer = Some(code);
        self
    }

    /// Refuses a result with a warning.
    pub(crate) fn without_warnings(mut self) -> Self {
        self.refuses_warnings = true;
        self
    }

    pub(crate) fn input(mut self, input: &[u8]) -> Self {
        self.input = input.to_vec();
        self
    }

    /// Adds settings `KEY=VALUE`, before the command of git.
    pub(crate) fn settings(mut self, settings: &[String]) -> Self {
        for setting in settings {
            self = self.argument("-c").argument(setting);
        }
        self
    }

    pub(crate) fn variable(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    pub(crate) fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    pub(crate) fn arguments(mut self, arguments: &[&str]) -> Self {
        self.arguments.extend(arguments.iter().map(OsString::from));
        self
    }
}

impl Git {
    /// Creates a `Git` from the program's path, or from its name on the search path.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
            own: Vec::new(),
        }
    }

    /// Names the folders of skills that are the person's own. Changes are committed in these folders only: git runs the
    /// filters of a repository, which a foreign repository chooses.
    #[must_use]
    pub fn own(mut self, folders: impl IntoIterator<Item = PathBuf>) -> Self {
        self.own = folders.into_iter().collect();
        self
    }

    /// Returns whether a folder is one of the person's own.
    pub fn is_own(&self, folder: &Path) -> bool {
        let same = |own: &PathBuf| {
            own == folder || matches!((resolve(own), resolve(folder)), (Ok(a), Ok(b)) if a == b)
        };
        self.own.iter().any(same)
    }

    /// Runs a call, and gives what it prints.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Program`] with git's message when git fails; [`ErrorKind::Refused`] when git prints more than the
    /// call allows.
    pub(crate) fn output(&self, call: Call, observer: &dyn Observer) -> Result<Vec<u8>, Error> {
        let mut command = self.command();
        command.args(&call.arguments);
        command.env("GIT_ALLOW_PROTOCOL", call.transports);
        command.envs(call.variables);
        // The words of a failure without their beginning: `read https://example.org/skills`.
        let doing = call.what.strip_prefix("cannot ").unwrap_or_default();
        let done = run(command, doing, &call.input, call.most, observer)?;
        if done.is_over {
            let most = call.most.bytes >> 20;
            let message = prose!(
                "{}: it is too large: git lists more than {most} MiB",
                call.what
            );
            return Err(Error::new(ErrorKind::Refused, message).help(call.help));
        }
        let is_answer = done.code == Some(0) || call.answer.is_some() && done.code == call.answer;
        let warns = done.code == Some(0) && call.refuses_warnings && !done.errors.trim().is_empty();
        if is_answer && !warns {
            return Ok(done.output);
        }
        let kind = if warns {
            ErrorKind::Refused
        } else {
            ErrorKind::Program
        };
        let message = prose!("{}: {}", call.what, said(&done.errors));
        Err(Error::new(kind, message).help(call.help))
    }

    /// Returns the contents of objects, in order; `None` if they have more than `max` bytes together, or are missing. `fetch` gets the
    /// missing ones first, a line each. The sizes are
    /// asked for before the contents: a few kilobytes of a pack can hold gigabytes.
    pub(crate) fn objects(
        &self,
        call: impl Fn() -> Call,
        fetch: impl FnOnce(&str) -> Result<(), Error>,
        ids: &[String],
        max: u64,
        observer: &dyn Observer,
    ) -> Result<Option<Vec<Vec<u8>>>, Error> {
        if ids.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let input = ids.join("\n") + "\n";
        let ask = |option| {
            let call = call().arguments(&["cat-file", option]);
            self.output(call.input(input.as_bytes()), observer)
        };
        let mut sizes = ask("--batch-check")?;
        let lines = String::from_utf8_lossy(&sizes);
        let missing = lines
            .lines()
            .filter_map(|line| line.strip_suffix(" missing"));
        let missing: String = missing.flat_map(|id| [id, "\n"]).collect();
        if !missing.is_empty() {
            fetch(&missing)?;
            sizes = ask("--batch-check")?;
        }
        let sizes = String::from_utf8_lossy(&sizes);
        let size = |line: &str| line.rsplit(' ').next()?.parse::<u64>().ok();
        if sizes.lines().filter_map(size).fold(0, u64::saturating_add) > max {
            return Ok(None);
        }
        Ok(contents(&ask("--batch")?, ids.len()))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        for name in UNSET {
            command.env_remove(name);
        }
        command.envs(SET.iter().copied());
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::observer::Quiet;

    #[test]
    fn no_git() {
        let git = Git::new("/no/such/git");
        let error = git.output(Call::new("x"), &Quiet).unwrap_err();
        assert_eq!(error.to_string(), "there is no program `git`");
    }
}
