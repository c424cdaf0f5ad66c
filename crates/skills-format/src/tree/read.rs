//! Lists a folder of skills. Bytes are read only after all lengths are known.

use crate::disk::{Folder, Item, Kind};
use crate::tree::contents::{Contents, read};
use crate::tree::filled::{is_filled, names_filled};
use crate::tree::left_out::is_litter;
use crate::tree::{SKILL_FILE, SkillFiles, Tree, TreeFault, TreeFile, join};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::rc::Rc;

/// The maximum depth below the root at which a skill is searched.
pub const MAX_FOLDERS: usize = 6;
/// The maximum depth of a folder that is listed.
const MAX_DEPTH: usize = 256;
/// The maximum number of folders that are listed.
const MAX_LISTED: usize = 100_000;
/// The maximum number of files and waiting folders of one tree.
pub(crate) const MAX_ENTRIES: usize = 200_000;
/// The maximum number of items that are read of a folder. One item more than the maximum shows that the limit is
/// reached.
const MOST_ITEMS: usize = MAX_ENTRIES + 1;

impl Tree {
    /// Reads a folder by its path: see [`Tree::of`].
    ///
    /// # Errors
    ///
    /// The root cannot be opened or listed.
    pub fn read(root: &Path, contents: Contents) -> io::Result<Self> {
        Self::of(&Folder::open(root)?, contents)
    }

    /// Reads an open folder. A part that cannot be read is a fault of the tree.
    ///
    /// Every folder and file is opened relative to the folder that holds it, and no link is followed.
    /// Above the skills, a link is listed if it leads to a skill or to nothing. `.git` is not entered,
    /// and, above the skills, neither are hidden folders, `node_modules` and `target` unless they are skills
    /// themselves, and folders more than 6 deep. Files that editors and desktops leave behind are not listed.
    ///
    /// # Errors
    ///
    /// The root cannot be listed.
    ///
    /// # Cost
    ///
    /// Lists every folder once, up to 200,000 files, 100,000 folders and 256 folders deep, and reads the
    /// requested bytes.
    pub fn of(root: &Folder, contents: Contents) -> io::Result<Self> {
        Self::guided(root, contents, &mut Nearby)
    }

    /// Reads the parts of an open folder that a guide keeps. Every folder and file is opened relative to the
    /// folder that holds it, and no link is followed.
    ///
    /// # Errors
    ///
    /// The root cannot be listed.
    ///
    /// # Cost
    ///
    /// Lists every folder that the guide keeps once, up to 200,000 files, 100,000 folders and 256 folders
    /// deep, and reads the requested bytes.
    pub fn guided(root: &Folder, contents: Contents, guide: &mut dyn Guide) -> io::Result<Self> {
        let mut listing = Listing {
            tree: Self::default(),
            waiting: Vec::new(),
            has_lengths: contents != Contents::Names,
            guide,
            folders: 0,
        };
        let items = root.items(MOST_ITEMS)?;
        listing.list(&Rc::new(root.again()?), items, &FolderPlace::default());
        while let Some(Waiting { above, name, place }) = listing.waiting.pop() {
            match above.listed_child(&name, MOST_ITEMS) {
                Ok((folder, items)) => listing.list(&Rc::new(folder), items, &place),
                Err(refused) => listing.fault(&place.path, &refused.into()),
            }
            if let Some(error) = listing.limit() {
                listing.fault("", &io::Error::other(error));
                break;
            }
        }
        let mut tree = listing.tree;
        tree.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        read(&mut tree, root, contents);
        tree.faults.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tree)
    }

    /// Returns the skills below a `SKILL.md` at the root, as a search without that file finds them: not in hidden or filled
    /// folders, and not too deep.
    pub fn skills_below(&self) -> Vec<SkillFiles<'_>> {
        let is_searched = |dir: &str| {
            let (above, _) = dir.rsplit_once('/').unwrap_or_default();
            dir.split('/').count() <= MAX_FOLDERS
                && !dir.split('/').any(|part| part.starts_with('.'))
                && !names_filled(above)
        };
        self.skills_of(|file| {
            let dir = file.path.strip_suffix(SKILL_FILE);
            dir.is_some_and(|dir| !dir.is_empty() && is_searched(dir.trim_end_matches('/')))
        })
    }
}

/// Decides which items of a folder are listed and entered.
pub trait Guide {
    /// Removes the items that are neither listed nor entered. `path` is the path of the folder in the tree.
    /// `in_skill` is true for the folder of a skill, and below.
    fn retain(&mut self, folder: &Folder, path: &str, in_skill: bool, items: &mut Vec<Item>);

    /// Returns whether a folder with these items is a skill.
    fn is_skill(&self, items: &[Item]) -> bool;
}

/// The guide for folders of skills at known places, as run-time discovery and bundles read them.
#[derive(Debug)]
pub struct Nearby;

impl Guide for Nearby {
    fn retain(&mut self, folder: &Folder, path: &str, in_skill: bool, items: &mut Vec<Item>) {
        let depth = match path {
            "" => 0,
            path => 1 + path.matches('/').count(),
        };
        items.retain(|item| {
            item.kind != Kind::Folder
                || item.name != ".git" && (in_skill || is_entered(folder, &item.name, depth))
        });
    }

    fn is_skill(&self, items: &[Item]) -> bool {
        items.iter().any(|item| item.name == SKILL_FILE)
    }
}

struct Listing<'g> {
    tree: Tree,
    waiting: Vec<Waiting>,
    /// True if the length of every file is read.
    has_lengths: bool,
    guide: &'g mut dyn Guide,
    /// The number of listed folders.
    folders: usize,
}

/// A folder that waits to be opened.
struct Waiting {
    above: Rc<Folder>,
    name: OsString,
    place: FolderPlace,
}

/// The place of a folder in the tree.
#[derive(Default)]
struct FolderPlace {
    path: String,
    /// True if a part of the path is not UTF-8.
    is_odd: bool,
    depth: usize,
    in_skill: bool,
}

impl Listing<'_> {
    /// Returns the message of the limit that was reached, if any. The rest of the folders is then not read.
    fn limit(&self) -> Option<String> {
        let (files, waiting) = (self.tree.files.len(), self.waiting.len());
        if files + waiting > MAX_ENTRIES {
            return Some(format!(
                "more than {MAX_ENTRIES} files; the rest is not read"
            ));
        }
        let is_over = self.folders >= MAX_LISTED && waiting > 0;
        is_over.then(|| format!("more than {MAX_LISTED} folders; the rest is not read"))
    }

    fn fault(&mut self, path: &str, error: &io::Error) {
        self.tree.faults.push(TreeFault::new(path, error));
    }

    fn list(&mut self, folder: &Rc<Folder>, mut items: Vec<Item>, place: &FolderPlace) {
        let in_skill = place.in_skill || self.guide.is_skill(&items);
        self.folders += 1;
        self.guide.retain(folder, &place.path, in_skill, &mut items);
        let waiting = self.waiting.len();
        for item in items {
            let text = item.name.to_string_lossy();
            let below = place.below(&item, in_skill);
            if item.kind == Kind::Folder {
                if below.depth > MAX_DEPTH {
                    let error = format!("more than {MAX_DEPTH} folders deep: it is not read");
                    self.fault(&below.path, &io::Error::other(error));
                    continue;
                }
                self.waiting.push(Waiting {
                    above: Rc::clone(folder),
                    place: below,
                    name: item.name,
                });
            } else if !is_litter(&text)
                && (in_skill
                    || text.eq_ignore_ascii_case(SKILL_FILE)
                    || item.kind == Kind::Link && may_be_a_skill(folder, Path::new(&item.name)))
            {
                self.add(folder, &item, below);
            }
        }
        // `guided` takes the last waiting folder first: reversed, folders are read in the order of their names.
        self.waiting
            .get_mut(waiting..)
            .unwrap_or_default()
            .reverse();
    }

    fn add(&mut self, folder: &Folder, item: &Item, FolderPlace { path, is_odd, .. }: FolderPlace) {
        let mut size = 0;
        // A file whose path is not UTF-8 cannot be found later by its path in the tree: its length is read now.
        if self.has_lengths || is_odd {
            match folder.stat(Path::new(&item.name)) {
                Ok(stat) => size = stat.len,
                Err(error) => self.fault(&path, &error),
            }
        }
        self.tree.files.push(TreeFile {
            path,
            utf8: !is_odd,
            kind: item.kind.into(),
            size,
            bytes: None,
        });
    }
}

impl FolderPlace {
    fn below(&self, item: &Item, in_skill: bool) -> Self {
        let name = item.name.to_string_lossy();
        Self {
            path: join(&self.path, &name),
            is_odd: self.is_odd || item.name.to_str().is_none(),
            depth: self.depth + 1,
            in_skill,
        }
    }
}

/// Returns whether a folder above the skills is entered. `depth` is the depth of the folder that holds it.
fn is_entered(folder: &Folder, name: &OsStr, depth: usize) -> bool {
    depth < MAX_FOLDERS && !is_hidden(name) && !is_filled(folder, name)
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Returns whether a link above the skills leads to the folder of a skill, or to nothing. No file of the target is
/// read.
fn may_be_a_skill(folder: &Folder, link: &Path) -> bool {
    match folder.folder(link) {
        Ok(target) => target.stat(Path::new(SKILL_FILE)).is_ok(),
        // A broken link can be a skill that was moved, so it is listed and reported. A link to a file is not.
        Err(error) => error.kind() != io::ErrorKind::NotADirectory,
    }
}
