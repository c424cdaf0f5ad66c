//! The page of a repository's bundle.

use crate::page::PageBundle;
use crate::page::gather::Gathered;
use crate::repository::bundle::Bundle;
use crate::repository::{LeftOut, Repository};
use skills_compiler::LOCK_FILE;
use skills_format::{Contents, Tree, join};
use std::path::Path;

impl Repository {
    /// Gathers the checked skills of a bundle for a page.
    ///
    /// # Cost
    ///
    /// Reads and digests every file of the skills.
    pub fn page_bundle(&self, bundle: &Bundle) -> PageBundle {
        let contents = Contents::All {
            max: u64::MAX,
            limits: bundle.config.limits,
        };
        let mut tree = bundle.tree.filled(&self.folder, contents);
        below(&mut tree, &bundle.dir);
        let is_shown = |dir: &str| bundle.checks(dir);
        let mut skills = bundle.tree.skills_of_any_case().into_iter();
        let is_whole = skills.all(|skill| is_shown(skill.dir));
        let lock = Path::new(&bundle.dir).join(LOCK_FILE);
        let lock_text = self.folder.text(&lock).ok();
        let gathered = Gathered {
            name: &bundle.name,
            path: &bundle.path,
            tree: &tree,
            shows: &|dir| is_shown(&join(&bundle.dir, dir)),
            config: &bundle.config,
            lock_text: lock_text.as_deref(),
            is_whole: self.left_out == LeftOut::default() && is_whole && !bundle.is_part,
        };
        gathered.bundle()
    }
}

/// Makes the paths of a tree relative to a folder in it, and drops files outside of the folder.
fn below(tree: &mut Tree, dir: &str) {
    if dir.is_empty() {
        return;
    }
    tree.files.retain_mut(|file| {
        let inside = file
            .path
            .strip_prefix(dir)
            .and_then(|path| path.strip_prefix('/'))
            .map(str::to_owned);
        inside.is_some_and(|inside| {
            file.path = inside;
            true
        })
    });
}
