//! The program, and what it is told in every call.

#![expect(clippy::disallowed_methods, reason = "the one file that starts git")]

use crate::git::observer::Observer;
use crate::git::process::{Most, run, said};
use skills_store::{Error, ErrorKind};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

/// Settings for every call. They switch off what a repository or a prompt could start: a setting of the command
/// line wins over a file. Programs that have a name of their own, as `filter.NAME.clean`, have no such switch; the
/// calls are chosen so that git asks for none of them (see [`crate::history`]).
const SETTINGS: &[&str] = &[
    // Before 2.36 any word is the name of a program, `false` too.
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
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.version=2",
];

/// A repository that is not there. Without it git looks for a repository in the working folder and above: that of
/// a project, whose configuration would choose the program that asks for a password.
pub(crate) const NO_REPOSITORY: &str = "/dev/null/no-repository";

/// Variables that would lead git to another repository, or change what the words of a call mean: a program that a
/// hook of git starts has them. The person's identity, and what the person sets for remotes (`GIT_SSH_COMMAND`,
/// `GIT_SSL_…`, `GIT_CONFIG_COUNT`), count; [`SETTINGS`] win over the last.
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

/// The ways to a remote that a call may use.
const TRANSPORTS: &str = "https:ssh:file";
/// A list without any way: an object that a repository left out is not fetched, by whatever program it names.
const NO_TRANSPORT: &str = "none";

const SET: &[(&str, &str)] = &[
    ("GIT_ATTR_NOSYSTEM", "1"),
    // What a commit holds, not what `refs/replace` puts in its place.
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    // Empty: no program is asked for a password.
    ("GIT_ASKPASS", ""),
    ("SSH_ASKPASS", "false"),
    ("SSH_ASKPASS_REQUIRE", "force"),
    ("GIT_LFS_SKIP_SMUDGE", "1"),
    ("GIT_ADVICE", "0"),
    ("LC_ALL", "C"),
];

/// The program.
#[derive(Clone, Debug)]
pub struct Git {
    program: OsString,
}

impl Default for Git {
    fn default() -> Self {
        Self::new("git")
    }
}

/// A call of git, and what is said when it fails.
pub(crate) struct Call {
    arguments: Vec<OsString>,
    input: Vec<u8>,
    what: String,
    help: String,
    /// An exit code that is an answer, not a failure.
    answer: Option<i32>,
    transports: &'static str,
    most: Most,
}

impl Call {
    /// A call. `what` is what cannot be done when git fails.
    pub(crate) fn new(what: &str) -> Self {
        Self {
            arguments: Vec::new(),
            input: Vec::new(),
            what: what.to_owned(),
            help: "see what `git status` says there".to_owned(),
            answer: None,
            transports: NO_TRANSPORT,
            most: Most::default(),
        }
    }

    /// The call may reach a remote.
    pub(crate) fn remote(mut self) -> Self {
        self.transports = TRANSPORTS;
        self
    }

    /// Bounds what git prints.
    pub(crate) fn most(mut self, most: Most) -> Self {
        self.most = most;
        self
    }

    pub(crate) fn help(mut self, help: String) -> Self {
        self.help = help;
        self
    }

    /// The exit code is an answer beside 0.
    pub(crate) fn answer(mut self, code: i32) -> Self {
        self.answer = Some(code);
        self
    }

    pub(crate) fn input(mut self, input: &[u8]) -> Self {
        self.input = input.to_vec();
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
    /// A program, by its path or as the search path finds it.
    pub fn new(program: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
        }
    }

    /// Merges three versions of a text. `None` when they conflict.
    pub(crate) fn merge_file(
        &self,
        folder: &Path,
        observer: &dyn Observer,
    ) -> Result<Option<Vec<u8>>, Error> {
        let mut command = self.command();
        command.args(["--git-dir", NO_REPOSITORY]);
        command.args(["merge-file", "-p", "--", "ours", "base", "theirs"]);
        command.current_dir(folder);
        command.env("GIT_ALLOW_PROTOCOL", NO_TRANSPORT);
        let done = run(command, &[], Most::default(), observer)?;
        match done.code {
            Some(0) => Ok(Some(done.output)),
            // The number of conflicts; 255 for a file that is not text.
            _ => Ok(None),
        }
    }

    /// Runs a call, and gives what it prints.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Program`] with what git says when it fails; [`ErrorKind::Refused`] when it prints more than
    /// the call allows.
    pub(crate) fn output(&self, call: Call, observer: &dyn Observer) -> Result<Vec<u8>, Error> {
        let mut command = self.command();
        command.args(&call.arguments);
        command.env("GIT_ALLOW_PROTOCOL", call.transports);
        let done = run(command, &call.input, call.most, observer)?;
        if done.is_over {
            let message = format!("{}: it is too large: {}", call.what, call.most);
            return Err(Error::new(ErrorKind::Refused, message).help(call.help));
        }
        if done.code == Some(0) || call.answer.is_some() && done.code == call.answer {
            return Ok(done.output);
        }
        let message = format!("{}: {}", call.what, said(&done.errors));
        Err(Error::new(ErrorKind::Program, message).help(call.help))
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

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@+=,%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::observer::Quiet;

    #[test]
    fn words_of_a_shell() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("a/b"), "a/b");
    }

    #[test]
    fn no_git() {
        let git = Git::new("/no/such/git");
        let error = git.output(Call::new("x"), &Quiet).unwrap_err();
        assert_eq!(error.to_string(), "there is no program `git`");
    }
}
