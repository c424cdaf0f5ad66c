//! The repository of a source, fetched into a bare folder.

use crate::git::object::{TreeItem, contents, is_id, tree_items};
use crate::git::observer::Observer;
use crate::git::process::Most;
use crate::git::program::{Call, Git, NO_REPOSITORY};
use skills_format::text::command::shell_word;
use skills_store::{Error, ErrorKind};
use std::path::PathBuf;

/// Lists the files of a commit, with `-t` also the folders. A few kilobytes can hold a tree that repeats itself
/// endlessly; with a line for each folder, such a list reaches [`MOST_TREE`] and ends.
pub(crate) const LIST_TREE: &[&str] = &["ls-tree", "-r", "-t", "-z", "--full-tree"];
/// The bounds of the list of a commit: three times the maximum number of files in a source.
pub(crate) const MOST_TREE: Most = Most {
    bytes: 64 << 20,
    records: 300_000,
    memory: 2 << 30,
};
/// The bounds of the references of a remote. The largest repositories have a million references.
const MOST_REFERENCES: Most = Most {
    bytes: 128 << 20,
    records: usize::MAX,
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
        let call = Call::new("cannot make a temporary repository")
            .help(see(url))
            .arguments(&["init", "--quiet", "--bare", "--template=", "--"]);
        git.output(call.argument(&folder), observer)?;
        let url = url.to_owned();
        Ok(Self { git, folder, url })
    }
}

impl Repository<'_> {
    /// Fetches a commit with its folders. A remote that cannot leave out the files sends them too.
    pub(crate) fn fetch(&self, commit: &str, observer: &dyn Observer) -> Result<(), Error> {
        let arguments = [
            "fetch",
            "--progress",
            "--depth=1",
            "--filter=blob:none",
            "--no-tags",
            "--no-write-fetch-head",
            "--recurse-submodules=no",
            "skills",
            commit,
        ];
        let what = format!("cannot fetch {commit} from {}", self.url);
        self.run(&arguments, &[], &what, observer).map(drop)
    }

    /// Fetches all branches and tags with their whole history, for a remote that does not send a single commit.
    pub(crate) fn fetch_history(&self, observer: &dyn Observer) -> Result<(), Error> {
        let arguments = [
            "fetch",
            "--progress",
            "--filter=blob:none",
            "--no-write-fetch-head",
            "--recurse-submodules=no",
            "skills",
            "+refs/heads/*:refs/heads/*",
            "+refs/tags/*:refs/tags/*",
        ];
        let what = format!("cannot fetch {}", self.url);
        self.run(&arguments, &[], &what, observer).map(drop)
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
        let input = ids.join("\n") + "\n";
        let input = input.as_bytes();
        let what = format!("cannot read files of {}", self.url);
        let check = ["cat-file", "--batch-check"];
        let found = self.run(&check, input, &what, observer)?;
        let missing: Vec<String> = String::from_utf8_lossy(&found)
            .lines()
            .filter_map(|line| line.strip_suffix(" missing").map(|id| id.to_owned() + "\n"))
            .collect();
        let found = if missing.is_empty() {
            found
        } else {
            self.fetch_objects(missing.concat().as_bytes(), observer)?;
            self.run(&check, input, &what, observer)?
        };
        // The sizes before the contents: a few kilobytes of a pack can hold gigabytes.
        let sizes = String::from_utf8_lossy(&found);
        let sizes = sizes
            .lines()
            .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
        if sizes.fold(0, u64::saturating_add) > max {
            let message = format!("the skill of {} has more than {max} bytes", self.url);
            return Err(Error::new(ErrorKind::Refused, message)
                .help("a skill holds instructions, not data"));
        }
        let output = self.run(&["cat-file", "--batch"], input, &what, observer)?;
        let contents = contents(&output, ids.len());
        contents
            .ok_or_else(|| Error::new(ErrorKind::Program, format!("{what}: objects are missing")))
    }

    fn fetch_objects(&self, ids: &[u8], observer: &dyn Observer) -> Result<(), Error> {
        let arguments = [
            "-c",
            "fetch.negotiationAlgorithm=noop",
            "fetch",
            "--progress",
            "--filter=blob:none",
            "--no-tags",
            "--no-write-fetch-head",
            "--recurse-submodules=no",
            "--stdin",
            "skills",
        ];
        let what = format!("cannot fetch files of {}", self.url);
        self.run(&arguments, ids, &what, observer).map(drop)
    }

    fn run(
        &self,
        arguments: &[&str],
        input: &[u8],
        what: &str,
        observer: &dyn Observer,
    ) -> Result<Vec<u8>, Error> {
        let call = self.call(what).input(input).arguments(arguments);
        self.git.output(call, observer)
    }

    fn call(&self, what: &str) -> Call {
        let url = format!("remote.skills.url={}", self.url);
        let mut call = Call::new(what).help(see(&self.url)).remote();
        call = call.argument("--git-dir").argument(&self.folder);
        for setting in [
            url.as_str(),
            "remote.skills.promisor=true",
            "remote.skills.partialclonefilter=blob:none",
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
