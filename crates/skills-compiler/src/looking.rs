//! Lists a folder of skills, and notes the folders beside the skills that resemble skills.

use skills_format::disk::{self, Item};
use skills_format::{Guide, Lookalike, Nearby};

/// Lists a bundle as [`Nearby`] does, and notes the folders that resemble skills.
#[derive(Default)]
pub(crate) struct Looking {
    pub(crate) lookalikes: Vec<Lookalike>,
}

impl Guide for Looking {
    fn retain(&mut self, folder: &disk::Folder, path: &str, in_skill: bool, items: &mut Vec<Item>) {
        // A `skill.md` has a finding of its own.
        let has_entry = |items: &[Item]| {
            let mut files = items.iter().filter(|item| item.kind != disk::Kind::Folder);
            files.any(|item| item.name.eq_ignore_ascii_case("SKILL.md"))
        };
        if !in_skill && !path.is_empty() && !has_entry(items) {
            self.lookalikes.extend(Lookalike::of(path, items));
        }
        Nearby.retain(folder, path, in_skill, items);
    }

    fn is_skill(&self, items: &[Item]) -> bool {
        Nearby.is_skill(items)
    }
}
