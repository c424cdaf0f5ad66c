//! The program, and what it is told in every call.

#![expect(clippy::disallowed_methods, reason = "the one file that starts git")]

use crate::error::{Error, ErrorKind};
use crate::git::observer::Observer;
use crate::git::process::{run, said};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

/// What switches off everything that a repository or a prompt could start.
const SETTINGS: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.askPass=",
    "commit.gpgSign=false",
    "credential.interactive=false",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "fetch.writeCommitGraph=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.version=2",
];

/// Variables that would lead git to another repository.
const UNSET: &[&str] = &[
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_TEMPLATE_DIR",
    "GIT_EXTERNAL_DIFF",
];

const SET: &[(&str, &str)] = &[
    ("GIT_ALLOW_PROTOCOL", "https:ssh:file"),
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
        }
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
        command.args(["merge-file", "-p", "--", "ours", "base", "theirs"]);
        command.current_dir(folder);
        let done = run(command, &[], observer)?;
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
    /// [`ErrorKind::Program`] with what git says when it fails.
    pub(crate) fn output(&self, call: Call, observer: &dyn Observer) -> Result<Vec<u8>, Error> {
        let mut command = self.command();
        command.args(&call.arguments);
        let done = run(command, &call.input, observer)?;
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
