//! A folder of skills, read as another program reads it.
//!
//! Other programs follow links, which a `Folder` of the format refuses: so the paths are walked by hand.

use crate::catalog::clients::Offered;
use crate::catalog::slashes::written;
use crate::environment::Environment;
use crate::outcome::Failure;
use skills_clients::client::Folders;
use skills_clients::reading::{Found, Placed, Reader};
use skills_format::skill::spelling::Spelling;
use skills_format::{OPENAI_FILE, OpenAiFile, SkillFile, prose};
use skills_store::disk;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The maximum depth of the walk: deeper than any program searches, and an end for links in circles.
const DEPTH: usize = 16;
/// The maximum size of a file that is read: more than Claude Code reads, so that a larger file is known as one.
const SIZE: u64 = 1 << 20;
/// The maximum number of files and folders that one walk looks at. Links lead anywhere: one link of a cloned project
/// to `/` would be a walk through the whole disk.
const ITEMS: usize = 20_000;

/// The skills of a folder, as a program lists them.
pub(crate) struct ClientFolder {
    pub(crate) skills: Vec<Offered>,
    /// The files that the program does not list, as paths below the folder.
    pub(crate) others: Vec<String>,
}

/// The skills of the folders in which a program looks.
pub(crate) struct ClientFolders {
    pub(crate) skills: Vec<Offered>,
    /// The files that the program does not list.
    pub(crate) others: Vec<String>,
    /// The folders, and whether each exists.
    pub(crate) folders: Vec<(PathBuf, bool)>,
    /// The folders of skills that the program reads, and keeps from the model because their author says so.
    pub(crate) closed: Vec<PathBuf>,
}

/// Reads a folder as a program does. Returns `Ok(None)` if no folder directly in it holds a `SKILL.md`.
pub(crate) fn read_as(
    reader: Reader,
    path: &Path,
    env: &Environment,
) -> Result<Option<ClientFolder>, Failure> {
    let root = env.absolute(path);
    let found = Walk::found(&root)?;
    if !found.iter().any(|file| file.path.split('/').count() == 2) {
        return Ok(None);
    }
    let paths: Vec<String> = found.iter().map(|file| file.path.clone()).collect();
    let listed = reader.read(found);
    let is_listed = |path: &String| listed.iter().any(|skill| skill.path == *path);
    let others = paths.into_iter().filter(|path| !is_listed(path)).collect();
    let root = written(&root);
    let skills = listed.into_iter().map(|skill| Offered::read(skill, &root));
    Ok(Some(ClientFolder {
        skills: skills.collect(),
        others,
    }))
}

/// Reads the folders of the working folder's project and of the person, as a program does.
pub(crate) fn read_own(
    folders: &Folders,
    reader: Reader,
    env: &Environment,
) -> Result<ClientFolders, Failure> {
    let mut seen = BTreeSet::new();
    let (mut placed, mut all, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut closed_to_model = Vec::new();
    let mut closed_by = BTreeMap::new();
    for (tier, folder) in env.machine(&env.bases().project).folders(folders) {
        let resolved = fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone());
        // A home folder that is also the working folder has one folder of skills, and not two.
        if !seen.insert(resolved) {
            continue;
        }
        let root = written(&folder);
        let found = Walk::found(&folder)?;
        let paths: Vec<String> = found.iter().map(|file| file.path.clone()).collect();
        for (path, spellings) in closed(&found) {
            closed_by.insert((root.clone(), path), spellings);
        }
        let listed = reader.read(found);
        let is_listed = |path: &String| listed.iter().any(|skill| skill.path == *path);
        for path in paths.into_iter().filter(|path| !is_listed(path)) {
            let file = folder.join(&path);
            let spellings = closed_by.get(&(root.clone(), path));
            let reads = |spellings: &Vec<Spelling>| {
                read_by(reader).is_some_and(|read| spellings.contains(&read))
            };
            if spellings.is_some_and(reads) {
                closed_to_model.extend(file.parent().map(Path::to_owned));
            }
            others.push(env.shown(&file));
        }
        placed.extend(listed.into_iter().map(|skill| Placed {
            tier,
            root: root.clone(),
            skill,
        }));
        let is_there = folder.is_dir();
        all.push((folder, is_there));
    }
    let before: Vec<(String, String)> = placed
        .iter()
        .map(|placed: &Placed| (placed.root.clone(), placed.skill.path.clone()))
        .collect();
    let joined = reader.joined(placed);
    for (root, path) in before {
        let is_it = |placed: &Placed| placed.root == root && placed.skill.path == path;
        if !joined.iter().any(is_it) {
            let shown = env.shown(&Path::new(&root).join(&path));
            others.push(format!("{shown} (another skill has its name)"));
        }
    }
    let skills = joined.into_iter();
    let skills = skills.map(|placed| Offered::read(placed.skill, &placed.root));
    Ok(ClientFolders {
        skills: skills.collect(),
        others,
        folders: all,
        closed: closed_to_model,
    })
}

/// Returns the spelling by which a program closes a skill to its model. Gemini CLI reads none.
const fn read_by(reader: Reader) -> Option<Spelling> {
    match reader {
        Reader::ClaudeCode => Some(Spelling::DisableModelInvocation),
        Reader::Codex => Some(Spelling::OpenAiPolicy),
        Reader::Opencode => Some(Spelling::OpenCodeAutoinvoke),
        _ => None,
    }
}

/// Returns the spellings that close each skill to the model, by the path of its file.
fn closed(found: &[Found]) -> BTreeMap<String, Vec<Spelling>> {
    let spellings = found.iter().map(|file| {
        let openai = file
            .policy
            .as_ref()
            .map(|text| OpenAiFile::read(OPENAI_FILE, text.as_bytes()));
        let read = SkillFile::read(&*file.path, "", &file.text).with_openai(openai);
        let mut spellings = read.closed_by();
        spellings.retain(|spelling| spelling.is_for_model());
        (file.path.clone(), spellings)
    });
    spellings
        .filter(|(_, spellings)| !spellings.is_empty())
        .collect()
}

/// A walk through a folder and all links in it.
struct Walk<'a> {
    root: &'a Path,
    /// The folders above, with their links resolved: a folder that is among them is a circle.
    above: Vec<PathBuf>,
    found: Vec<Found>,
    /// The number of items that may still be looked at.
    left: usize,
}

impl<'a> Walk<'a> {
    /// Returns every file `SKILL.md` below a folder.
    fn found(root: &'a Path) -> Result<Vec<Found>, Failure> {
        let mut walk = Walk {
            root,
            above: Vec::new(),
            found: Vec::new(),
            left: ITEMS,
        };
        walk.folder(root, DEPTH)?;
        Ok(walk.found)
    }

    fn folder(&mut self, folder: &Path, depth: usize) -> Result<(), Failure> {
        let Ok(resolved) = fs::canonicalize(folder) else {
            return Ok(());
        };
        if depth == 0 || self.above.contains(&resolved) {
            return Ok(());
        }
        let mut items: Vec<PathBuf> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .take(self.left + 1)
            .map(|item| item.path())
            .collect();
        let Some(left) = self.left.checked_sub(items.len()) else {
            return Err(Failure::failed(
                prose!("{} leads to more than {ITEMS} files and folders", self.root),
                prose!(
                    "remove the link or the folder that holds so many, such as {}",
                    folder
                ),
            ));
        };
        self.left = left;
        items.sort();
        self.above.push(resolved);
        for item in items {
            if item.is_dir() {
                self.folder(&item, depth - 1)?;
            } else if item.file_name().is_some_and(|name| name == "SKILL.md") {
                self.found.extend(found(self.root, &item));
            }
        }
        self.above.pop();
        Ok(())
    }
}

/// Reads the file of a skill below a folder of skills, and what belongs to it.
pub(crate) fn found(root: &Path, path: &Path) -> Option<Found> {
    let below = path.strip_prefix(root).ok()?;
    let policy = path.parent()?.join("agents/openai.yaml");
    Some(Found {
        path: written(below),
        resolved: written(&fs::canonicalize(path).ok()?),
        is_link: path.is_symlink(),
        text: read(path)?,
        policy: read(&policy).and_then(|text| String::from_utf8(text).ok()),
    })
}

/// Reads the beginning of a regular file.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let file = disk::open(path).ok()?;
    file.take(SIZE).read_to_end(&mut text).ok()?;
    Some(text)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_does_not_lead_through_a_whole_disk() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let (skills, disk) = (dir.path().join("skills"), dir.path().join("disk"));
        fs::create_dir_all(skills.join("a"))?;
        fs::create_dir(&disk)?;
        fs::write(skills.join("a/SKILL.md"), "---\nname: a\n---\n")?;
        symlink(&disk, skills.join("root"))?;
        for file in 0..ITEMS - 3 {
            fs::write(disk.join(file.to_string()), "")?;
        }
        // `a`, `a/SKILL.md` and `root` are items too.
        assert_eq!(Walk::found(&skills).map(|found| found.len()).ok(), Some(1));
        fs::write(disk.join("more"), "")?;
        let Err(Failure::Failed(message)) = Walk::found(&skills) else {
            panic!("the walk ends");
        };
        let help = message.help.to_string();
        assert!(help.contains("skills/root"), "{help}");
        Ok(())
    }
}
