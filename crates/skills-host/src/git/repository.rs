//! The repository of a source, fetched into a bare folder.

use crate::git::object::{TreeItem, is_id, tree_items};
use crate::git::observer::Observer;
use crate::git::process::Most;
use crate::git::program::{Call, Git, NO_REPOSITORY};
use skills_format::text::command::shell_word;
use skills_store::{Error, ErrorKind};
use std::path::PathBuf;

/// Lists the files of a commit, with `-t` also the folders. A few kilobytes can hold a tree that repeats itself
/// endlessly; with a line for each folder, such a list reaches [`MOST_TREE`] and ends.
pub(crate) const LIST_TREE: &[&str] = &["ls-tree", "-r", "-t", "-z", "--full-tree"];
/// The bounds of the list of a commit: the maximum number of files in a source, with long names.
pub(crate) const MOST_TREE: Most = Most {
    bytes: 32 << 20,
    memory: 2 << 30,
};
/// The bounds of the references of a remote. The largest repositories have a million references.
const MOST_REFERENCES: Most = Most {
    bytes: 128 << 20,
    memory: 512 << 20,
};

/// A bare repository in a temporary folder.
#[derive(Debug)]
pub(crate) struct Repository<'g> {
    git: &'g Git,
    folder: PathBuf,
    url: String,
}

impl<'g> Repository<'g> {
    /// Creates an empty repository in a folder that does not exist yet.
    pub(crate) fn make(
        git: &'g Git,
        folder: PathBuf,
        url: &str,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let call = Call::new("cannot create a temporary repository")
            .help(see(url))
            .arguments(&["init", "--quiet", "--bare", "--template=", "--"]);
        git.output(call.argument(&folder), observer)?;
        let url = url.to_owned();
        Ok(Self { git, folder, url })
    }

    /// Fetches a commit with its folders. A remote that cannot leave out the files sends them too.
    pub(crate) fn fetch(&self, commit: &str, observer: &dyn Observer) -> Result<(), Error> {
        let what = format!("cannot fetch {commit} from {}", self.url);
        let arguments = ["--depth=1", "--no-tags", "skills", commit];
        self.fetch_with(&arguments, "", &what, observer)
    }

    /// Fetches all branches and tags with their whole history, for a remote that does not send a single commit.
    pub(crate) fn fetch_history(&self, observer: &dyn Observer) -> Result<(), Error> {
        let what = format!("cannot fetch {}", self.url);
        let all = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
        self.fetch_with(&["skills", all[0], all[1]], "", &what, observer)
    }

    fn fetch_with(
        &self,
        arguments: &[&str],
        input: &str,
        what: &str,
        observer: &dyn Observer,
    ) -> Result<(), Error> {
        let fetch = [
            "fetch",
            "--progress",
            "--filter=blob:none",
            "--no-write-fetch-head",
        ];
        let call = self.call(what).arguments(&fetch).arguments(arguments);
        self.git.output(call.input(input.as_bytes()), observer)?;
        Ok(())
    }

    /// Returns every file of a commit.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] for a tree that is too large to be a source of skills.
    pub(crate) fn files(
        &self,
        commit: &str,
        observer: &dyn Observer,
    ) -> Result<Vec<TreeItem>, Error> {
        let what = format!("cannot list {commit} of {}", self.url);
        let call = self.call(&what).most(MOST_TREE).help(
            "install from a smaller repository, or clone it and install from the folder of the skills".to_owned(),
        ).arguments(LIST_TREE).arguments(&[commit, "--"]);
        let output = self.git.output(call, observer)?;
        Ok(tree_items(&output))
    }

    /// Returns the contents of objects, in order. Missing objects are fetched first, in one call.
    pub(crate) fn read(
        &self,
        ids: &[String],
        max: u64,
        observer: &dyn Observer,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let what = format!("cannot read files of {}", self.url);
        let fetch = |missing: &str| {
            let what = format!("cannot fetch files of {}", self.url);
            self.fetch_with(
                &["--no-tags", "--stdin", "skills"],
                missing,
                &what,
                observer,
            )
        };
        let call = || self.call(&what);
        let contents = self.git.objects(call, fetch, ids, max, observer)?;
        contents.ok_or_else(|| {
            let why = format!("they have more than {max} bytes, or objects are missing");
            Error::new(ErrorKind::Refused, format!("{what}: {why}"))
                .help("a skill contains instructions, not data")
        })
    }

    fn call(&self, what: &str) -> Call {
        let url = format!("remote.skills.url={}", self.url);
        let mut call = Call::new(what).help(see(&self.url)).remote();
        call = call.argument("--git-dir").argument(&self.folder);
        for setting in [
            url.as_str(),
            "remote.skills.promisor=true",
            "remote.skills.partialclonefilter=blob:none",
            "fetch.negotiationAlgorithm=noop",
        ] {
            call = call.argument("-c").argument(setting);
        }
        call
    }
}

/// Returns the references of a remote that have one of these names, each with its id. An annotated tag is listed
/// twice; the name with the commit's id ends with `^{}`.
pub(crate) fn remote_refs(
    git: &Git,
    url: &str,
    names: &[String],
    observer: &dyn Observer,
) -> Result<Vec<(String, String)>, Error> {
    let mut call = Call::new(format!("cannot read {url}"))
        .help(see(url))
        .remote()
        .most(MOST_REFERENCES)
        .arguments(&["--git-dir", NO_REPOSITORY, "ls-remote", "--", url]);
    for name in names {
        call = call.argument(name);
    }
    let output = git.output(call, observer)?;
    let text = String::from_utf8_lossy(&output);
    let pair = |line: &str| {
        let (id, name) = line.split_once('\t')?;
        is_id(id).then(|| (name.to_owned(), id.to_owned()))
    };
    Ok(text.lines().filter_map(pair).collect())
}

/// Returns the command that shows the problem of a remote.
fn see(url: &str) -> String {
    format!("see what `git ls-remote {}` says", shell_word(url))
}
