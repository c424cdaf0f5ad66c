//! Lists a folder of skills. The bytes are read when all lengths are known.

use crate::disk::{Folder, Item, Kind};
use crate::text::order::sort_by_text;
use crate::tree::contents::{Contents, read};
use crate::tree::{FileKind, SKILL_FILE, Tree, TreeFault, TreeFile, is_litter};
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::rc::Rc;

/// Deepest folder in which a skill is looked for, counted from the root.
pub const MAX_FOLDERS: usize = 6;
/// Deepest folder that is listed, counted from the root.
const MAX_DEPTH: usize = 256;
/// Most folders that are listed.
const MAX_LISTED: usize = 100_000;
/// Most files and folders of one tree.
pub(crate) const MAX_ENTRIES: usize = 200_000;

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
    /// and, above the skills, neither are hidden folders, `node_modules`, `target` and folders more
    /// than 6 deep. Files that editors and desktops leave behind are not listed.
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

    /// Reads an open folder as a guide says. Every folder and file is opened relative to the folder that
    /// holds it, and no link is followed.
    ///
    /// # Errors
    ///
    /// The root cannot be listed.
    ///
    /// # Cost
    ///
    /// Lists every folder that the guide leaves once, up to 200,000 files, 100,000 folders and 256 folders
    /// deep, and reads the requested bytes.
    pub fn guided(root: &Folder, contents: Contents, guide: &mut dyn Guide) -> io::Result<Self> {
        let mut listing = Listing {
            tree: Self::default(),
            waiting: Vec::new(),
            has_lengths: contents != Contents::Names,
            guide,
            folders: 0,
        };
        listing.list(&Rc::new(root.again()?), &Place::default())?;
        while let Some(Waiting { above, name, place }) = listing.waiting.pop() {
            let opened = above.child(&name).map_err(io::Error::from);
            let listed = opened.and_then(|folder| listing.list(&Rc::new(folder), &place));
            if let Err(error) = listed {
                listing.tree.fault(place.path, &error);
            }
            if let Some(error) = listing.limit() {
                listing.tree.fault(String::new(), &io::Error::other(error));
                break;
            }
        }
        let mut tree = listing.tree;
        sort_by_text(&mut tree.files, |file| file.path.as_bytes());
        read(&mut tree, root, contents);
        sort_by_text(&mut tree.faults, |fault| fault.path.as_bytes());
        Ok(tree)
    }

    pub(super) fn fault(&mut self, path: String, error: &io::Error) {
        self.faults.push(TreeFault {
            path,
            message: error.to_string(),
        });
    }
}

/// Decides what of a folder is listed and entered.
pub trait Guide {
    /// Removes items that are neither listed nor entered. `path` is that of the folder in the tree, and
    /// `in_skill` says whether it is a skill's folder or below one.
    fn retain(&mut self, folder: &Folder, path: &str, in_skill: bool, items: &mut Vec<Item>);

    /// Whether a folder with these items is a skill.
    fn is_skill(&self, items: &[Item]) -> bool;
}

/// The guide of folders whose place is known: what a run-time discovery finds.
struct Nearby;

impl Guide for Nearby {
    fn retain(&mut self, _: &Folder, path: &str, in_skill: bool, items: &mut Vec<Item>) {
        let depth = match path {
            "" => 0,
            path => 1 + path.matches('/').count(),
        };
        items.retain(|item| {
            let name = item.name.to_string_lossy();
            item.kind != Kind::Folder || name != ".git" && (in_skill || is_entered(&name, depth))
        });
    }

    fn is_skill(&self, items: &[Item]) -> bool {
        items.iter().any(|item| item.name == SKILL_FILE)
    }
}

struct Listing<'g> {
    tree: Tree,
    waiting: Vec<Waiting>,
    /// Whether the length of every file is asked for.
    has_lengths: bool,
    guide: &'g mut dyn Guide,
    /// The folders that were listed.
    folders: usize,
}

/// A folder that is to be opened.
struct Waiting {
    above: Rc<Folder>,
    name: OsString,
    place: Place,
}

/// Where a folder stands in the tree.
#[derive(Default)]
struct Place {
    path: String,
    /// Whether a part of the path is not UTF-8.
    is_odd: bool,
    depth: usize,
    in_skill: bool,
}

impl Listing<'_> {
    /// Why the rest of the folders is not read.
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

    fn list(&mut self, folder: &Rc<Folder>, place: &Place) -> io::Result<()> {
        let mut items = folder.items(MAX_ENTRIES + 1)?;
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
                    self.tree.fault(below.path, &io::Error::other(error));
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
        // The last is taken first.
        self.waiting
            .get_mut(waiting..)
            .unwrap_or_default()
            .reverse();
        Ok(())
    }

    fn add(&mut self, folder: &Folder, item: &Item, Place { path, is_odd, .. }: Place) {
        let mut size = 0;
        // A file whose path is not UTF-8 cannot be found again by its path in the tree.
        if self.has_lengths || is_odd {
            match folder.stat(Path::new(&item.name)) {
                Ok(stat) => size = stat.len,
                Err(error) => self.tree.fault(path.clone(), &error),
            }
        }
        self.tree.files.push(TreeFile {
            path,
            utf8: !is_odd,
            kind: match item.kind {
                Kind::File => FileKind::Regular,
                Kind::Link => FileKind::Link,
                _ => FileKind::Other,
            },
            size,
            bytes: None,
        });
    }
}

impl Place {
    fn below(&self, item: &Item, in_skill: bool) -> Self {
        let name = item.name.to_string_lossy();
        let mut path = String::with_capacity(self.path.len() + name.len() + 1);
        if !self.path.is_empty() {
            path.push_str(&self.path);
            path.push('/');
        }
        path.push_str(&name);
        Self {
            path,
            is_odd: self.is_odd || item.name.to_str().is_none(),
            depth: self.depth + 1,
            in_skill,
        }
    }
}

/// Whether a folder above the skills is entered, from a folder of a depth.
fn is_entered(name: &str, depth: usize) -> bool {
    !name.starts_with('.') && name != "node_modules" && name != "target" && depth < MAX_FOLDERS
}

/// Whether a link above the skills leads to the folder of one, or to nothing. Nothing is read there.
fn may_be_a_skill(folder: &Folder, link: &Path) -> bool {
    match folder.folder(link) {
        Ok(target) => target.stat(Path::new(SKILL_FILE)).is_ok(),
        Err(error) => error.kind() != io::ErrorKind::NotADirectory,
    }
}
