//! The skills of a commit, read through git without a checkout.

use crate::files::snapshot::{FileBytes, MAX_BYTES, is_skill_file};
use crate::git::object::{TreeItem, contents, is_id, tree_items};
use crate::git::observer::Observer;
use crate::git::program::{Call, Git};
use crate::git::repository::{LIST_TREE, MOST_TREE};
use crate::review::item::{Item, ItemKind};
use crate::review::leads::Leads;
use crate::review::outside::{Entries, Entry, Tree};
use crate::review::side::{Side, deciding_above, files_of, shown};
use skills_format::disk::resolved;
use skills_format::prose;
use skills_format::tree::filled::names_filled;
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum number of bytes of all skills of a revision.
pub(super) const MAX_SIDE: u64 = 4 * MAX_BYTES;

/// The maximum bytes of the text of a link. No system has longer paths, so a checkout fails.
const MAX_LINK: u64 = 4096;

/// A commit of the repository that holds a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// The id of the commit.
    pub commit: String,
    /// The skills below the folder. Their folders are relative to it.
    pub side: Side,
    /// The top folder of the repository.
    pub(super) top: PathBuf,
}

/// Returns the top folder of the repository that holds a folder, and the path of the folder in it, with a `/` at the
/// end.
///
/// # Errors
///
/// [`ErrorKind::Program`] with git's message if the folder is in no repository.
pub fn toplevel(
    git: &Git,
    folder: &Path,
    observer: &dyn Observer,
) -> Result<(PathBuf, String), Error> {
    let call = within(folder, prose!("{} is not in a git repository", folder));
    let call = call.arguments(&["rev-parse", "--show-toplevel", "--show-prefix"]);
    let call = call.help("name two folders to compare without git");
    let output = git.output(call, observer)?;
    let text = String::from_utf8_lossy(&output);
    if text.matches('\n').count() > 2 {
        let what = "a path with a line break cannot be compared with a revision";
        return Err(Error::new(ErrorKind::Refused, what));
    }
    let mut lines = text.split('\n');
    let top = lines.next().unwrap_or_default();
    Ok((
        PathBuf::from(top),
        lines.next().unwrap_or_default().to_owned(),
    ))
}

/// Reads the skills of a revision below a folder of its repository.
///
/// # Errors
///
/// [`ErrorKind::Program`] if the revision does not exist, and [`ErrorKind::Refused`] if the revision is too large.
pub fn of_revision(
    git: &Git,
    folder: &Path,
    revision: &str,
    observer: &dyn Observer,
) -> Result<Revision, Error> {
    let (top, prefix) = toplevel(git, folder, observer)?;
    if let Some(link) = link_below(&top, folder) {
        let message = prose!(
            "{} is a link, and a revision can have other skills behind it",
            &link
        );
        let help = "name the folder to which it leads, or one above the link";
        return Err(Error::new(ErrorKind::Refused, message).help(help));
    }
    let commit = commit_of(git, &top, revision, observer)?;
    is_a_folder(git, &top, &commit, &prefix, observer)?;
    let listed = listed(git, &top, &commit, &prefix, observer)?;
    let mut above = Vec::new();
    let mut ids = BTreeMap::new();
    let mut items = Vec::new();
    let mut leads = BTreeMap::new();
    let mut links = Vec::new();
    for item in listed {
        let Some(path) = item.path.strip_prefix(prefix.as_bytes()) else {
            above.push((shown(&item.path), item.id));
            continue;
        };
        let kind = match item.mode.as_str() {
            "100644" => ItemKind::File { executable: false },
            "100755" => ItemKind::File { executable: true },
            "120000" if item.size > MAX_LINK => {
                let text = format!("a text of {} bytes, {}", item.size, item.id);
                leads.insert(shown(path), Leads::To(text));
                ItemKind::Link
            }
            "120000" => {
                links.push((shown(path), item.id.clone()));
                ItemKind::Link
            }
            _ => {
                leads.insert(shown(path), Leads::At(item.id.clone()));
                ItemKind::Other
            }
        };
        let known = (item.id.clone(), item.mode == "100755", item.size);
        ids.insert(path.to_vec(), known);
        items.push(Item {
            path: path.to_vec(),
            kind,
        });
    }
    items.sort_by(|a, b| a.path.cmp(&b.path));
    let skills = skill_folders(&items);
    let is_walked = |path: &str| is_walked(path, &skills);
    links.retain(|(path, _)| is_walked(path));
    // The texts of links and the attributes above are read in one call.
    let wanted = links.iter().chain(&above);
    let wanted: Vec<String> = wanted.map(|(_, id)| id.clone()).collect();
    let mut found = objects(git, &top, &wanted, observer)?.into_iter();
    for (path, _) in links {
        let target = found.next().unwrap_or_default();
        leads.insert(path, Leads::To(shown(&target)));
    }
    let above = above.into_iter().zip(found);
    let above = above.map(|((path, _), bytes)| (path, FileBytes::new(bytes, false)));
    let above = above.collect();
    let tree = Committed {
        git,
        top: &top,
        observer,
        entries: Entries::of(items.iter().map(|item| {
            let path = shown(&item.path);
            let target = leads.get(&path).and_then(Leads::target);
            (path, target)
        })),
        items,
        ids,
    };
    let walked: Vec<Item> = tree
        .items
        .iter()
        .filter(|item| is_walked(&shown(&item.path)))
        .cloned()
        .collect();
    let side = Side::of_items(&walked, leads, &tree, &prefix, above, &|_| false)?;
    Ok(Revision { commit, side, top })
}

/// The files of a commit below a folder.
struct Committed<'c> {
    git: &'c Git,
    top: &'c Path,
    observer: &'c dyn Observer,
    entries: Entries,
    /// In the order of their paths.
    items: Vec<Item>,
    /// The id, the run bit and the size of each path.
    ids: BTreeMap<Vec<u8>, (String, bool, u64)>,
}

impl Committed<'_> {
    fn item(&self, path: &str) -> Option<&Item> {
        let order = |item: &Item| item.path.as_slice().cmp(path.as_bytes());
        let at = self.items.binary_search_by(order).ok()?;
        self.items.get(at)
    }
}

impl Tree for Committed<'_> {
    fn is_file(&self, path: &str) -> bool {
        let item = self.item(path);
        item.is_some_and(|item| matches!(item.kind, ItemKind::File { .. }))
    }

    fn entry(&self, folder: &str, name: &str) -> Option<Entry> {
        self.entries.find(folder, name, Vec::new)
    }

    fn below(&self, folder: &str) -> Result<Vec<String>, Error> {
        let skills = BTreeSet::new();
        let below = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let first = |item: &Item| item.path.as_slice() < below.as_bytes();
        let items = self.items[self.items.partition_point(first)..].iter();
        let items = items.take_while(|item| item.path.starts_with(below.as_bytes()));
        // As in a working folder, what programs fill is left out.
        let items = items
            .filter(|item| {
                is_walked(
                    shown(&item.path).get(below.len()..).unwrap_or_default(),
                    &skills,
                )
            })
            .cloned()
            .collect();
        Ok(files_of(items))
    }

    fn read(&self, paths: &[Vec<u8>]) -> Result<Vec<FileBytes>, Error> {
        let mut known = Vec::new();
        for path in paths {
            // A path that was made of its text, of which a name is not UTF-8.
            let found = self.ids.get(path).ok_or_else(|| {
                let path = String::from_utf8_lossy(path);
                Error::new(
                    ErrorKind::Refused,
                    format!("the name of `{path}` is not UTF-8"),
                )
                .help("rename the file")
            });
            known.push(found?);
        }
        // The sizes before the contents: a few kilobytes of a pack can hold gigabytes.
        if known.iter().map(|(.., size)| size).sum::<u64>() > MAX_SIDE {
            let message = prose!("the skills of {} have more than {MAX_SIDE} bytes", self.top);
            return Err(Error::new(ErrorKind::Refused, message));
        }
        let ids: Vec<String> = known.iter().map(|(id, ..)| id.clone()).collect();
        let bytes = objects(self.git, self.top, &ids, self.observer)?;
        let files = bytes.into_iter().zip(known);
        Ok(files
            .map(|(bytes, (_, executable, _))| FileBytes::new(bytes, *executable))
            .collect())
    }
}

/// Lists the files of a commit below a folder, and those above it that decide about the files below.
fn listed(
    git: &Git,
    top: &Path,
    commit: &str,
    prefix: &str,
    observer: &dyn Observer,
) -> Result<Vec<TreeItem>, Error> {
    let mut call = within(top, format!("cannot list {commit}")).most(MOST_TREE);
    call = call.arguments(LIST_TREE).arguments(&["-l", commit, "--"]);
    if !prefix.is_empty() {
        call = call.argument(prefix);
        for path in deciding_above(prefix) {
            call = call.argument(path);
        }
    }
    Ok(tree_items(&git.output(call, observer)?))
}

/// Reads the skills of a folder of a repository as they are now.
///
/// # Errors
///
/// The errors of [`toplevel`] and [`Side::of_folder`].
pub fn of_working_folder(git: &Git, folder: &Path, observer: &dyn Observer) -> Result<Side, Error> {
    let (top, prefix) = toplevel(git, folder, observer)?;
    Side::of_folder_at(&resolved(folder), &top, &prefix, &|_| false)
}

/// Returns the id of the commit that two revisions have in common, as `git diff A...B` finds it.
///
/// # Errors
///
/// [`ErrorKind::Program`] if a revision does not exist, or if the revisions have no common commit, and
/// [`ErrorKind::Refused`] if they have several: what is new since one can be what another has removed.
pub fn merge_base(
    git: &Git,
    folder: &Path,
    [first, second]: [&str; 2],
    observer: &dyn Observer,
) -> Result<String, Error> {
    let (top, _) = toplevel(git, folder, observer)?;
    let one = commit_of(git, &top, first, observer)?;
    let other = commit_of(git, &top, second, observer)?;
    let what = prose!("`{first}` and `{second}` have no common commit in {}", &top);
    let help = "write two dots to compare the two revisions themselves";
    // git ends with 1, and prints nothing, if there is no common commit.
    let call = within(&top, what.clone()).help(help).answer(1);
    let call = call.arguments(&["merge-base", "--all", &one, &other]);
    let output = String::from_utf8_lossy(&git.output(call, observer)?).into_owned();
    match output.lines().collect::<Vec<_>>()[..] {
        [only] if is_id(only) => Ok(only.to_owned()),
        [_, _, ..] => {
            let why = prose!(
                "`{first}` and `{second}` have several common commits: {}",
                output.trim().replace('\n', ", ")
            );
            Err(Error::new(ErrorKind::Refused, why)
                .help("compare with each of them, with two dots"))
        }
        _ => Err(no_id(
            git,
            &top,
            Error::new(ErrorKind::Program, what).help(help),
            observer,
        )),
    }
}

/// Returns the id of a revision's commit. A name that git calls ambiguous is refused: a tag can come with a fetch, and hides the
/// branch.
fn commit_of(
    git: &Git,
    top: &Path,
    revision: &str,
    observer: &dyn Observer,
) -> Result<String, Error> {
    let unclear = format!("`{revision}` is unclear to git");
    let call = within(top, unclear).help("write the whole id, or refs/heads/NAME, refs/tags/NAME");
    let call = call.settings(&["core.warnAmbiguousRefs=true".to_owned()]);
    // git ends with 128, and prints nothing, if there is no such revision.
    let call = call.answer(128).without_warnings();
    // `--end-of-options`: a revision from outside is never an option.
    let call = call.arguments(&["rev-parse", "--verify", "--end-of-options"]);
    let output = git.output(call.argument(format!("{revision}^{{commit}}")), observer)?;
    let id = String::from_utf8_lossy(&output).trim().to_owned();
    if is_id(&id) {
        return Ok(id);
    }
    let what = prose!("there is no revision `{revision}` in {}", top);
    let help = "`git log --oneline` lists the commits, and `git tag` the tags";
    let error = Error::new(ErrorKind::Program, what).help(help);
    Err(no_id(git, top, error, observer))
}

/// Returns the error for a commit that is not there. A shallow clone, as in a job of CI, may lack it: the error says so.
fn no_id(git: &Git, top: &Path, error: Error, observer: &dyn Observer) -> Error {
    let call = within(top, error.to_string());
    let call = call.arguments(&["rev-parse", "--is-shallow-repository"]);
    match git.output(call, observer) {
        Ok(output) if output.starts_with(b"true") => error.help(
            "this clone is shallow: check out with `fetch-depth: 0`, or run `git fetch --unshallow`",
        ),
        Ok(_) => error,
        Err(error) => error,
    }
}

/// Refuses a commit that has no folder in the place of the compared folder, or above it: nothing below is listed then.
fn is_a_folder(
    git: &Git,
    top: &Path,
    commit: &str,
    prefix: &str,
    observer: &dyn Observer,
) -> Result<(), Error> {
    if prefix.is_empty() {
        return Ok(());
    }
    let mut call = within(top, format!("cannot list {commit}"));
    call = call.arguments(&["ls-tree", "-z", commit, "--"]);
    for (end, _) in prefix.match_indices('/') {
        call = call.argument(&prefix[..end]);
    }
    // Git also lists what lies beside the folders on the way.
    let is_on_way = |path: &[u8]| {
        let rest = prefix.as_bytes().strip_prefix(path);
        rest.is_some_and(|rest| rest.starts_with(b"/"))
    };
    let items = tree_items(&git.output(call, observer)?);
    let mut items = items.iter().filter(|item| item.mode != "040000");
    match items.find(|item| is_on_way(&item.path)) {
        Some(item) => {
            let message = format!("{} is not a folder in {commit}", shown(&item.path));
            Err(Error::new(ErrorKind::Refused, message).help("compare the whole repository"))
        }
        None => Ok(()),
    }
}

/// Returns the first link on the way from the top folder of a repository to a folder in it.
fn link_below(top: &Path, folder: &Path) -> Option<PathBuf> {
    let is_top = |path: &&Path| fs::canonicalize(path).is_ok_and(|path| path == top);
    let above = folder.ancestors().find(is_top)?;
    let below = folder
        .ancestors()
        .take_while(|path| *path != above)
        .collect::<Vec<_>>();
    let link = below.into_iter().rev().find(|path| path.is_symlink())?;
    Some(link.to_owned())
}

/// Returns the folders of the skills among listed files.
fn skill_folders(items: &[Item]) -> BTreeSet<String> {
    let folders = items.iter().filter_map(|item| {
        let path = shown(&item.path);
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        is_skill_file(name).then(|| folder.to_owned())
    });
    folders.collect()
}

/// Returns whether an item is listed in a working folder too: of a folder that programs fill, only what is in a skill, or
/// directly in a folder on the way to a skill.
fn is_walked(path: &str, skills: &BTreeSet<String>) -> bool {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    if !names_filled(folder) {
        return true;
    }
    let below = format!("{folder}/");
    let next = skills.range(below.clone()..).next();
    let ends = below.match_indices('/').map(|(at, _)| at);
    let mut above = std::iter::once(0)
        .chain(ends)
        .filter_map(|end| folder.get(..end));
    above.any(|above| skills.contains(above)) || next.is_some_and(|skill| skill.starts_with(&below))
}

/// Reads objects, in order.
fn objects(
    git: &Git,
    top: &Path,
    ids: &[String],
    observer: &dyn Observer,
) -> Result<Vec<Vec<u8>>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let input = ids.join("\n") + "\n";
    let what = prose!("cannot read files of {}", top);
    let call = within(top, what.clone()).input(input.as_bytes());
    let output = git.output(call.arguments(&["cat-file", "--batch"]), observer)?;
    contents(&output, ids.len())
        .ok_or_else(|| Error::new(ErrorKind::Program, prose!("{what}: objects are missing")))
}

pub(super) fn within(folder: &Path, what: impl Into<skills_format::Prose>) -> Call {
    Call::new(what).argument("-C").argument(folder)
}
