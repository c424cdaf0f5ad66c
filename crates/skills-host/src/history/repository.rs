//! The repository of a folder of skills.

use crate::git::observer::Observer;
use crate::git::program::{Call, Git};
use crate::history::hooks::settings_without_hooks;
use crate::history::planted::refuse_planted;
use skills_format::disk::resolve;
use skills_format::prose;
use skills_store::files::clock::Clock;
use skills_store::files::copy::make_folder;
use skills_store::files::folder::OpenFolder;
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// The message when git does not print the history.
pub(crate) const UNREAD: &str = "its history cannot be read";

/// The author of commits if git knows no identity.
const NOBODY: &str = "skills <skills@localhost>";

/// The repository that keeps the history of a folder of skills.
#[derive(Clone)]
pub struct History<'h> {
    /// The folder of skills.
    pub(crate) folder: PathBuf,
    /// The root of the repository.
    root: PathBuf,
    /// The path of the folder of skills in the repository: empty, or with a slash at its end.
    prefix: String,
    pub(crate) git: &'h Git,
    clock: &'h dyn Clock,
    pub(crate) observer: &'h dyn Observer,
    /// The settings that turn off the hooks of the configuration.
    settings: Vec<String>,
}

/// The repository to which a folder belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The folder is the root of a repository.
    Own,
    /// The folder is inside the repository with this root.
    Inside(PathBuf),
    /// The folder is in no repository.
    Outside,
}

impl Place {
    /// Finds the repository of a folder, which need not exist.
    pub fn of(folder: &Path) -> Self {
        if is_repository(folder) {
            return Self::Own;
        }
        let there = folder.ancestors().find(|above| above.exists());
        let real = there.and_then(|there| resolve(there).ok());
        let mut above = real
            .as_deref()
            .unwrap_or(folder)
            .ancestors()
            .filter(|above| above.join(".git").symlink_metadata().is_ok());
        above
            .next()
            .map_or(Self::Outside, |root| Self::Inside(root.to_owned()))
    }
}

/// Returns whether a folder has a real `.git` folder. A link or a file `.git` could lead to another repository.
fn is_repository(folder: &Path) -> bool {
    let git = folder.join(".git").symlink_metadata();
    git.is_ok_and(|git| git.is_dir())
}

impl<'h> History<'h> {
    /// Opens the history of a folder of skills; `None` if the folder is not the root of a git repository.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: the repository leads elsewhere, by a link or by the name of another repository.
    pub fn of(
        folder: &Path,
        git: &'h Git,
        clock: &'h dyn Clock,
        observer: &'h dyn Observer,
    ) -> Result<Option<Self>, Error> {
        if !is_repository(folder) {
            return Ok(None);
        }
        refuse_planted(&folder.join(".git"))?;
        let history = Self {
            folder: folder.to_owned(),
            root: folder.to_owned(),
            prefix: String::new(),
            git,
            clock,
            observer,
            settings: Vec::new(),
        };
        history.without_hooks().map(Some)
    }

    /// Opens the history for a change that is made in any case: an unusable repository is only reported.
    pub(crate) fn to_record(
        folder: &Path,
        git: &'h Git,
        clock: &'h dyn Clock,
        observer: &'h dyn Observer,
    ) -> Option<Self> {
        Self::of(folder, git, clock, observer).unwrap_or_else(|error| {
            let help = error.remedy_or("look at the repository with `git status`");
            observer.warning(&format!(
                "{error:#}; the change is made and not committed: {help}"
            ));
            None
        })
    }

    /// Opens the history of a folder of skills inside a larger repository.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: the repository is a linked work tree or a submodule, or leads elsewhere.
    pub fn inside(
        folder: &Path,
        root: &Path,
        git: &'h Git,
        clock: &'h dyn Clock,
        observer: &'h dyn Observer,
    ) -> Result<Self, Error> {
        let refused = |what: &str| {
            let message = prose!("{} {what}", root);
            Error::new(ErrorKind::Refused, message).help("commit the skill there with git")
        };
        if !is_repository(root) {
            return Err(refused(
                "has its repository elsewhere: it is a linked work tree or a submodule",
            ));
        }
        refuse_planted(&root.join(".git"))?;
        let real = resolve(folder);
        let real = real.map_err(|error| Error::io(folder, "cannot be read", error))?;
        let prefix = real.strip_prefix(root).ok().and_then(Path::to_str);
        let prefix = prefix.ok_or_else(|| refused("does not hold the folder of skills"))?;
        let history = Self {
            folder: folder.to_owned(),
            root: root.to_owned(),
            prefix: prefix.replace('\\', "/") + "/",
            git,
            clock,
            observer,
            settings: Vec::new(),
        };
        history.without_hooks()
    }

    fn without_hooks(mut self) -> Result<Self, Error> {
        let call = self.call("its configuration cannot be read");
        self.settings = settings_without_hooks(&self.folder, self.git, call, self.observer)?;
        Ok(self)
    }

    /// Creates a repository in a folder of skills that is in no repository. Git prepares it in `part`: git follows the
    /// links of a path, and others may change the folder of skills.
    #[cfg_attr(
        not(feature = "improve"),
        expect(dead_code, reason = "only repairs make a repository")
    )]
    pub(crate) fn make(
        skills: &OpenFolder,
        part: &Path,
        git: &'h Git,
        clock: &'h dyn Clock,
        observer: &'h dyn Observer,
    ) -> Result<Option<Self>, Error> {
        let folder = skills.path();
        make_folder(part)?;
        let what = prose!("{}: cannot make a repository", folder);
        let call = Call::new(&what).arguments(&["init", "--quiet", "--template=", "--"]);
        git.output(call.argument(part), observer)?;
        OpenFolder::open(part)?.move_to(".git", skills, ".git")?;
        Self::of(folder, git, clock, observer)
    }

    /// Returns the author and the time of a commit.
    pub(crate) fn identity(&self) -> String {
        let ident = self.call("cannot read the identity");
        let ident = self.text(ident.arguments(&["var", "GIT_COMMITTER_IDENT"]));
        // Git prints no identity if the name or the address is missing.
        let ident = ident.unwrap_or_else(|_| NOBODY.to_owned());
        let seconds = self.clock.now().as_second();
        match ident.rsplit_once("> ") {
            Some((person, time)) => {
                let zone = time.rsplit(' ').next().unwrap_or("+0000");
                format!("{person}> {seconds} {zone}")
            }
            None => format!("{NOBODY} {seconds} +0000"),
        }
    }

    /// Makes a call of git in this repository. Paths are relative to its root.
    pub(crate) fn call(&self, what: &str) -> Call {
        let what = prose!("{}: {what}", &self.folder);
        let call = Call::new(&what).argument("-C").argument(&self.root);
        let call = call.arguments(&["--git-dir=.git", "--work-tree=."]);
        call.settings(&self.settings)
    }

    /// Creates a call of git that writes the index of this repository. `place` is an empty folder in `.git`.
    pub(crate) fn call_in(&self, place: &Path, what: &str) -> Result<Call, Error> {
        let what = prose!("{}: {what}", &self.folder);
        let call = || {
            let call = Call::new(&what).argument("-C").argument(place);
            call.arguments(&["--git-dir=..", "--work-tree=."])
        };
        // Asked again: a file that is included for some paths of `.git` can count here alone.
        let settings = settings_without_hooks(&self.folder, self.git, call(), self.observer)?;
        Ok(call().settings(&settings))
    }

    /// Returns the path of a file or folder in `.git`.
    pub(crate) fn inside_git(&self, name: &str) -> PathBuf {
        self.root.join(".git").join(name)
    }

    /// Runs `git cat-file` with an option on the objects in `input`, one object a line. `what` is the message of a
    /// failure.
    pub(crate) fn ask(&self, what: &str, option: &str, input: &str) -> Result<Vec<u8>, Error> {
        let call = self.call(what).arguments(&["cat-file", option]);
        self.git
            .output(call.input(format!("{input}\n").as_bytes()), self.observer)
    }

    /// Returns the root of the repository.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path in the repository of a skill or another file of the folder.
    pub(crate) fn path(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Runs a call, and returns its output as text.
    pub(crate) fn text(&self, call: Call) -> Result<String, Error> {
        let output = self.git.output(call, self.observer)?;
        Ok(String::from_utf8_lossy(&output).trim().to_owned())
    }

    /// Resolves a revision to a commit; `None` if it does not exist.
    ///
    /// A failed or stopped git is an error: an unreadable history is not an empty history.
    pub(crate) fn resolve(&self, revision: &str) -> Result<Option<String>, Error> {
        let call = self.call("cannot read a revision").answer(1).arguments(&[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
        ]);
        let commit = self.text(call.argument(format!("{revision}^{{commit}}")))?;
        Ok((!commit.is_empty()).then_some(commit))
    }
}
