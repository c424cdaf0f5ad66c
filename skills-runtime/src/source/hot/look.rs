//! Looks at the folder of a bundle: who may change it, and the versions of its files.

use crate::bundle::version::Site;
use crate::source::stamp::{Moment, Seen};
use skills_format::disk::owner::{Exposed, Guard};
use skills_format::disk::{Folder, Item, Kind};
use skills_format::{Contents, Guide, Nearby, Tree, is_litter};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The files of a bundle's folder.
///
/// No other user can have changed them: every folder above belongs to this user or to root and keeps its items, and
/// everything below belongs to this user alone. So a look by paths and a reading by paths see the same files, unless
/// this user changes them; then the next look differs.
#[derive(Debug, Default)]
pub(crate) struct Look {
    /// The versions of the files and folders that exist.
    seen: BTreeMap<PathBuf, Seen>,
    /// The folders in which an item can appear: to be watched.
    pub(crate) folders: Vec<PathBuf>,
}

/// The reason why a folder is not read, and the path it is about.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) path: PathBuf,
    pub(crate) why: Why,
}

#[derive(Debug)]
pub(crate) enum Why {
    Exposed(Exposed),
    /// The folder is not below the folder of the user's profile, and this system has no other way to tell.
    Elsewhere,
}

/// Returns the folder of a bundle, without `.` and `..`. No part of the path may be a link, so `..` is the folder
/// above.
pub(crate) fn folder(site: &Site) -> PathBuf {
    let mut folder = PathBuf::new();
    for component in Path::new(site.manifest).join(site.path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = folder.pop(),
            component => folder.push(component),
        }
    }
    folder
}

impl Look {
    /// Looks at every file that a reading opens. `profile` is the folder of the user on Windows.
    pub(crate) fn at(site: &Site, profile: Option<&Path>) -> Result<Self, Refused> {
        let root = folder(site);
        let guard = Guard::default();
        for path in [&*root, Path::new(site.manifest)] {
            for above in path.ancestors().skip(usize::from(path == root)) {
                guard.holds(above).map_err(|why| Refused::new(above, why))?;
            }
        }
        if !cfg!(unix) && !skills_format::disk::owner::in_profile(&root, profile) {
            let (path, why) = (root, Why::Elsewhere);
            return Err(Refused { path, why });
        }
        let mut looking = Looking {
            root: &root,
            guard,
            began: Moment::now(),
            look: Self::default(),
            refused: None,
        };
        looking
            .item(&root, Kind::Folder)
            .map_err(|why| Refused::new(&root, why))?;
        looking.look.folders.push(root.clone());
        let listed =
            Folder::open(&root).and_then(|open| Tree::guided(&open, Contents::Names, &mut looking));
        listed.map_err(|error| Refused::new(&root, error.into()))?;
        match looking.refused {
            Some(refused) => Err(refused),
            None => Ok(looking.look),
        }
    }

    /// Returns whether a later look shows that no file has changed.
    pub(crate) fn holds(&self, later: &Self) -> bool {
        self.compared(later, Seen::is_same_as)
    }

    /// Returns whether two looks, before and after a reading, show no difference.
    pub(crate) fn equals(&self, later: &Self) -> bool {
        self.compared(later, |before, after| !before.has_changed(after))
    }

    fn compared(&self, later: &Self, is_same: impl Fn(&Seen, &Seen) -> bool) -> bool {
        let both = self.seen.iter().zip(&later.seen);
        let mut both = both.map(|((a, before), (b, after))| a == b && is_same(before, after));
        self.seen.len() == later.seen.len() && both.all(|is_same| is_same)
    }
}

impl Refused {
    fn new(path: &Path, why: Exposed) -> Self {
        Self {
            path: path.to_owned(),
            why: Why::Exposed(why),
        }
    }
}

/// A look that is being taken, by the rules by which a bundle is listed.
struct Looking<'s> {
    root: &'s Path,
    guard: Guard,
    began: Moment,
    look: Look,
    refused: Option<Refused>,
}

impl Looking<'_> {
    fn item(&mut self, path: &Path, kind: Kind) -> Result<(), Exposed> {
        let metadata: Metadata = self.guard.private(path)?;
        let is_folder = kind == Kind::Folder;
        // A link in a skill is a finding, and is not followed.
        if metadata.is_symlink() && (is_folder || !path.starts_with(self.root)) {
            return Err(Exposed::Link);
        }
        if is_folder && !metadata.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory).into());
        }
        let seen = Seen::new(&metadata, self.began);
        self.look.seen.insert(path.to_owned(), seen);
        Ok(())
    }
}

impl Guide for Looking<'_> {
    fn retain(&mut self, folder: &Folder, path: &str, in_skill: bool, items: &mut Vec<Item>) {
        Nearby.retain(folder, path, in_skill, items);
        items.retain(|item| !item.name.to_str().is_some_and(is_litter));
        for item in items.iter() {
            let path = self.root.join(path).join(&item.name);
            match self.item(&path, item.kind) {
                Ok(()) if item.kind == Kind::Folder => self.look.folders.push(path),
                Ok(()) => {}
                // It has gone since the folder was listed: the time of the folder shows it.
                Err(Exposed::Io(error)) if error.kind() == io::ErrorKind::NotFound => {}
                Err(why) => {
                    self.refused.get_or_insert(Refused::new(&path, why));
                }
            }
        }
    }

    fn is_skill(&self, items: &[Item]) -> bool {
        Nearby.is_skill(items)
    }
}
