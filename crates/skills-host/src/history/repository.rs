//! The repository of a folder of skills.

use crate::git::observer::Observer;
use crate::git::program::{Call, Git};
use crate::history::planted::refuse_planted;
use skills_format::disk::resolve;
use skills_format::text::path::PathText as _;
use skills_store::files::clock::Clock;
use skills_store::files::copy::make_folder;
use skills_store::files::folder::OpenFolder;
use skills_store::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// The person of commits when git knows none.
const NOBODY: &str = "skills <skills@localhost>";

/// The repository that keeps the history of a folder of skills.
#[derive(Clone)]
pub struct History<'h> {
    /// The folder of skills.
    pub(crate) folder: PathBuf,
    /// The folder that the repository is of.
    root: PathBuf,
    /// The folder of skills in it: empty, or a path with a slash at its end.
    prefix: String,
    pub(crate) git: &'h Git,
    clock: &'h dyn Clock,
    pub(crate) observer: &'h dyn Observer,
}

/// In which repository a folder lies.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// It has a repository of its own.
    Own,
    /// It lies in the repository of this folder, which is of something else.
    Inside(PathBuf),
    /// It lies in no repository.
    Outside,
}

impl Place {
    /// Looks where a folder lies, whether it is there or not.
    pub fn of(folder: &Path) -> Self {
        if is_repository(folder) {
            return Self::Own;
        }
        let there = folder.ancestors().find(|above| above.exists());
        let real = there.and_then(|there| resolve(there).ok());
        let above = real.as_deref().unwrap_or(folder).ancestors();
        let mut above = above.filter(|above| above.join(".git").symlink_metadata().is_ok());
        above
            .next()
            .map_or(Self::Outside, |root| Self::Inside(root.to_owned()))
    }
}

/// A link or a file in the place of `.git` could lead to another repository.
fn is_repository(folder: &Path) -> bool {
    let git = folder.join(".git").symlink_metadata();
    git.is_ok_and(|git| git.is_dir())
}

impl<'h> History<'h> {
    /// The history of a folder of skills; `None` when the folder is not the root of a git repository.
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
        Ok(Some(Self {
            folder: folder.to_owned(),
            root: folder.to_owned(),
            prefix: String::new(),
            git,
            clock,
            observer,
        }))
    }

    /// The same for a change that is made in any case: a repository that is not used is reported.
    pub(crate) fn to_record(
        folder: &Path,
        git: &'h Git,
        clock: &'h dyn Clock,
        observer: &'h dyn Observer,
    ) -> Option<Self> {
        Self::of(folder, git, clock, observer).unwrap_or_else(|error| {
            let help = error.remedy().unwrap_or("look at it");
            observer.warning(&format!(
                "{error:#}; the change is made and not committed: {help}"
            ));
            None
        })
    }

    /// The history of a folder of skills in the repository that it lies in.
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
            let message = format!("{} {what}", root.shown());
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
        Ok(Self {
            folder: folder.to_owned(),
            root: root.to_owned(),
            prefix: prefix.replace('\\', "/") + "/",
            git,
            clock,
            observer,
        })
    }

    /// Makes a repository in a folder of skills that lies in none. `part` is where it is prepared: git follows the
    /// links of a path, so that it is not the folder of skills, which others may change.
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
        let what = format!("{}: cannot make a repository", folder.shown());
        let call = Call::new(&what).arguments(&["init", "--quiet", "--template=", "--"]);
        git.output(call.argument(part), observer)?;
        OpenFolder::open(part)?.move_to(".git", skills, ".git")?;
        Self::of(folder, git, clock, observer)
    }

    /// The person and the time of a commit.
    pub(crate) fn identity(&self) -> String {
        let ident = self.call("cannot read the identity");
        let ident = self.text(ident.arguments(&["var", "GIT_COMMITTER_IDENT"]));
        // Without a name and an address git prints no identity.
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

    /// A call of git in this repository. Paths count from its root.
    pub(crate) fn call(&self, what: &str) -> Call {
        let what = format!("{}: {what}", self.folder.shown());
        let call = Call::new(&what).argument("-C").argument(&self.root);
        call.arguments(&["--git-dir=.git", "--work-tree=."])
    }

    /// A call of git that writes the index of this repository. `place` is an empty folder in `.git`.
    pub(crate) fn call_in(&self, place: &Path, what: &str) -> Call {
        let what = format!("{}: {what}", self.folder.shown());
        let call = Call::new(&what).argument("-C").argument(place);
        call.arguments(&["--git-dir=..", "--work-tree=."])
    }

    /// A file or a folder of the repository itself.
    pub(crate) fn inside_git(&self, name: &str) -> PathBuf {
        self.root.join(".git").join(name)
    }

    /// The path of a skill, or of another file of the folder, in the repository.
    pub(crate) fn path(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Runs a call, and gives the text that it prints.
    pub(crate) fn text(&self, call: Call) -> Result<String, Error> {
        let output = self.git.output(call, self.observer)?;
        Ok(String::from_utf8_lossy(&output).trim().to_owned())
    }

    /// The commit that a revision names; `None` when there is none.
    ///
    /// A git that failed or was stopped is an error: a history that cannot be read is not an empty history.
    pub(crate) fn resolve(&self, revision: &str) -> Result<Option<String>, Error> {
        let call = self.call("cannot read a revision").answer(1);
        let call = call.arguments(&["rev-parse", "--verify", "--quiet", "--end-of-options"]);
        let commit = self.text(call.argument(format!("{revision}^{{commit}}")))?;
        Ok((!commit.is_empty()).then_some(commit))
    }
}
