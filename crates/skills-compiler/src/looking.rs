//! Lists a folder of skills for a bundle: without what is never shipped.

use skills_format::disk::{self, Item, Kind};
use skills_format::{Guide, Nearby, TRIGGERS_FILE, join, left_out};
use std::path::Path;

/// Lists a bundle as [`Nearby`] does, without what [`left_out`] names.
pub(crate) struct Looking<'i> {
    /// Returns whether `include` brings a file back, or a file below a folder.
    pub(crate) includes: &'i dyn Fn(&str) -> bool,
    /// The files and folders that were left out; a folder ends with `/`.
    pub(crate) left_out: Vec<String>,
}

impl Guide for Looking<'_> {
    fn retain(&mut self, folder: &disk::Folder, path: &str, in_skill: bool, items: &mut Vec<Item>) {
        Nearby.retain(folder, path, in_skill, items);
        if !in_skill {
            return;
        }
        let has = |below: &str| folder.stat(Path::new(below)).is_ok();
        items.retain(|item| {
            let name = item.name.to_string_lossy();
            let below = join(path, &name);
            // The lock holds the digest of the file directly in a skill, which `left_out` alone keeps from the bundle.
            let is_left_out = left_out(&below, &|_| false)
                .or_else(|| left_out(&name, &has))
                .is_some();
            let is_shipped = !is_left_out || name == TRIGGERS_FILE;
            if is_shipped || (self.includes)(&below) {
                return true;
            }
            let end = if item.kind == Kind::Folder { "/" } else { "" };
            self.left_out.push(below + end);
            false
        });
    }

    fn is_skill(&self, items: &[Item]) -> bool {
        Nearby.is_skill(items)
    }
}
