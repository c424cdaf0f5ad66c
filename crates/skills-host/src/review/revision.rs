//! The skills of a commit, read through git without a checkout.

use crate::git::object::{contents, is_id, tree_items};
use crate::git::observer::Observer;
use crate::git::program::{Call, Git};
use crate::git::repository::{LIST_TREE, MOST_TREE};
use crate::review::item::{Item, ItemKind};
use crate::review::leads::Leads;
use crate::review::side::{Side, is_beside, shown};
use skills_format::prose;
use skills_format::tree::filled::names_filled;
use skills_store::files::snapshot::{FileBytes, MAX_BYTES, is_skill_file};
use skills_store::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The maximum number of bytes of all skills of a revision.
const MAX_SIDE: u64 = 4 * MAX_BYTES;

/// A commit of the repository that holds a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Revision {
    /// The id of the commit.
    pub commit: String,
    /// The skills below the folder. Their folders are relative to it.
    pub side: Side,
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
    let call = within(folder, prose!("{} is in no git repository", folder));
    let call = call.arguments(&["rev-parse", "--show-toplevel", "--show-prefix"]);
    let call = call.help("name two folders to compare without git");
    let output = git.output(call, observer)?;
    let text = String::from_utf8_lossy(&output);
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
    let call = within(&top, format!("cannot list {commit}")).most(MOST_TREE);
    let call = call.arguments(LIST_TREE).arguments(&[&commit, "--"]);
    let call = if prefix.is_empty() {
        call
    } else {
        call.argument(&prefix)
    };
    let listed = tree_items(&git.output(call, observer)?);
    let mut ids = BTreeMap::new();
    let mut items = Vec::new();
    let mut leads = BTreeMap::new();
    let mut links = Vec::new();
    for item in listed {
        let Some(path) = item.path.strip_prefix(prefix.as_bytes()) else {
            continue;
        };
        let kind = match item.mode.as_str() {
            "100644" => ItemKind::File { executable: false },
            "100755" => ItemKind::File { executable: true },
            "120000" => {
                links.push((shown(path), item.id.clone()));
                ItemKind::Link
            }
            _ => {
                leads.insert(shown(path), Leads::At(item.id.clone()));
                ItemKind::Other
            }
        };
        ids.insert(path.to_vec(), (item.id.clone(), item.mode == "100755"));
        items.push(Item {
            path: path.to_vec(),
            kind,
        });
    }
    items.sort_by(|a, b| a.path.cmp(&b.path));
    let read = |paths: &[Vec<u8>]| {
        let known: Vec<(String, bool)> = paths
            .iter()
            .filter_map(|path| ids.get(path).cloned())
            .collect();
        let ids: Vec<String> = known.iter().map(|(id, _)| id.clone()).collect();
        let bytes = objects(git, &top, &ids, observer)?;
        let files = bytes.into_iter().zip(known);
        Ok(files
            .map(|(bytes, (_, executable))| FileBytes::new(bytes, executable))
            .collect())
    };
    let skills = skill_folders(&items);
    let is_walked = |path: &str| is_walked(path, &skills);
    links.retain(|(path, _)| is_walked(path));
    let (paths, targets): (Vec<String>, Vec<String>) = links.into_iter().unzip();
    let targets = objects(git, &top, &targets, observer)?;
    let targets = targets.iter().map(|target| Leads::To(shown(target)));
    leads.extend(paths.into_iter().zip(targets));
    let item = |path: &str| {
        let at = items.binary_search_by(|item| item.path.as_slice().cmp(path.as_bytes()));
        items.get(at.ok()?)
    };
    let is_file = |path: &str| item(path).is_some();
    let is_blob =
        |path: &str| item(path).is_some_and(|item| matches!(item.kind, ItemKind::File { .. }));
    let to_files: Vec<String> = leads
        .iter()
        .filter(|(path, leads)| leads.is_to_a_file(path, is_file))
        .map(|(path, _)| path.clone())
        .collect();
    let walked: Vec<Item> = items
        .iter()
        .filter(|item| is_walked(&shown(&item.path)))
        .cloned()
        .collect();
    let mut side = Side::of_items(&walked, leads, &is_blob, &read)?;
    // A working folder lists no link to a file either, if the link itself decides nothing.
    for path in to_files.iter().filter(|path| !is_beside(path)) {
        side.links.remove(path);
    }
    Ok(Revision { commit, side })
}

/// Returns the id of the commit that two revisions have in common, as `git diff A...B` finds it.
///
/// # Errors
///
/// [`ErrorKind::Program`] if a revision does not exist, or if the revisions have no common commit.
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
    let call = call.arguments(&["merge-base", &one, &other]);
    let output = git.output(call, observer)?;
    let base = String::from_utf8_lossy(&output).trim().to_owned();
    if is_id(&base) {
        Ok(base)
    } else {
        Err(Error::new(ErrorKind::Program, what).help(help))
    }
}

/// Returns the id of a revision's commit.
fn commit_of(
    git: &Git,
    top: &Path,
    revision: &str,
    observer: &dyn Observer,
) -> Result<String, Error> {
    let what = prose!("there is no revision `{revision}` in {}", top);
    let help = "`git log --oneline` lists the commits, and `git tag` the tags";
    // git ends with 1, and prints nothing, if there is no such revision.
    let call = within(top, what.clone()).help(help).answer(1);
    // `--end-of-options`: a revision from outside is never an option.
    let call = call.arguments(&["rev-parse", "--verify", "--quiet", "--end-of-options"]);
    let output = git.output(call.argument(format!("{revision}^{{commit}}")), observer)?;
    let commit = String::from_utf8_lossy(&output).trim().to_owned();
    if is_id(&commit) {
        Ok(commit)
    } else {
        Err(Error::new(ErrorKind::Program, what).help(help))
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
    let call = |arguments: &[&str]| {
        within(top, what.clone())
            .input(input.as_bytes())
            .arguments(arguments)
    };
    // The sizes before the contents: a few kilobytes of a pack can hold gigabytes.
    let sizes = git.output(call(&["cat-file", "--batch-check"]), observer)?;
    let sizes = String::from_utf8_lossy(&sizes).into_owned();
    let sizes = sizes
        .lines()
        .filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok());
    if sizes.fold(0, u64::saturating_add) > MAX_SIDE {
        let message = prose!("the skills of {} have more than {MAX_SIDE} bytes", top);
        return Err(Error::new(ErrorKind::Refused, message));
    }
    let output = git.output(call(&["cat-file", "--batch"]), observer)?;
    contents(&output, ids.len())
        .ok_or_else(|| Error::new(ErrorKind::Program, prose!("{what}: objects are missing")))
}

fn within(folder: &Path, what: impl Into<skills_format::Prose>) -> Call {
    Call::new(what).argument("-C").argument(folder)
}
