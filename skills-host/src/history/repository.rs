//! The repository of a folder of skills.

use crate::error::Error;
use crate::files::clock::Clock;
use crate::git::observer::Observer;
use crate::git::program::{Call, Git};
use std::path::{Path, PathBuf};

/// The person of commits when git knows none.
const NOBODY: &str = "skills <skills@localhost>";

/// The repository of a folder of skills.
#[derive(Clone, Copy)]
pub struct History<'h> {
    pub(crate) folder: &'h Path,
    pub(crate) git: &'h Git,
    clock: &'h dyn Clock,
    pub(crate) observer: &'h dyn Observer,
}

impl<'h> History<'h> {
    /// The history of a folder of skills; `None` when the folder is not the root of a git repository.
    pub fn of(
        folder: &'h Path,
        git: &'h Git,
        clock: &'h dyn Clock,
        observer: &'h dyn Observer,
    ) -> Option<Self> {
        let repository = folder.join(".git").symlink_metadata().ok()?;
        // A link or a file could lead to another repository.
        repository.is_dir().then_some(Self {
            folder,
            git,
            clock,
            observer,
        })
    }

    /// The person and the time of a commit.
    pub(crate) fn identity(&self) -> String {
        let ident = self.call("cannot read the identity");
        let ident = self.text(ident.arguments(&["var", "GIT_COMMITTER_IDENT"]));
        let ident = ident.unwrap_or_default();
        let seconds = self.clock.now().as_second();
        match ident.rsplit_once("> ") {
            Some((person, time)) => {
                let zone = time.rsplit(' ').next().unwrap_or("+0000");
                format!("{person}> {seconds} {zone}")
            }
            None => format!("{NOBODY} {seconds} +0000"),
        }
    }

    /// A call of git in this repository.
    pub(crate) fn call(&self, what: &str) -> Call {
        let what = format!("{}: {what}", self.folder.display());
        let git = self.repository();
        let call = Call::new(&what).argument("--git-dir").argument(git);
        call.argument("--work-tree").argument(self.folder)
    }

    fn repository(&self) -> PathBuf {
        self.folder.join(".git")
    }

    /// Runs a call, and gives the text that it prints.
    pub(crate) fn text(&self, call: Call) -> Result<String, Error> {
        let output = self.git.output(call, self.observer)?;
        Ok(String::from_utf8_lossy(&output).trim().to_owned())
    }
}
