//! The part of a tree that is checked, and the files around the tree.

use crate::client::Clients;
use skills_format::disk::Kind;
use std::sync::Arc;

/// The part of a tree that is checked, and the known files around the tree.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    /// The folder of the bundle, relative to the tree's root. Findings about the whole bundle have this path.
    pub dir: &'s str,
    /// The name of the tree's root, for a skill at the root. Empty if the name is unknown.
    pub root_name: &'s str,
    /// Returns whether the skill of a folder is checked. Of other skills only the name counts.
    pub asked: &'s (dyn Fn(&str) -> bool + Sync),
    /// The files around the tree. `None` if these files are unknown.
    pub around: Option<&'s (dyn Surroundings + Sync)>,
    /// Returns the text that replaces a file of the tree, as an editor holds it. `None`: the file on the disk counts.
    pub texts: &'s (dyn Fn(&str) -> Option<Arc<[u8]>> + Sync),
    /// The facts about clients. Without facts, no rule of the group portability runs.
    pub clients: Clients<'s>,
}

/// The files of a repository around the skills of a tree.
pub trait Surroundings {
    /// Returns the kind of the item at a path relative to the tree's root. Returns `None` if there is no item, or if
    /// the path leads out of the repository.
    fn kind(&self, path: &str) -> Option<Kind>;

    /// Returns the folder of the plugin that holds a folder. Both paths are relative to the tree's root.
    fn plugin(&self, dir: &str) -> Option<String>;

    /// Returns what a link of the tree leads to, also outside of the repository.
    fn link_end(&self, path: &str) -> LinkEnd;

    /// Returns whether a program can ship the skills of a folder: a `skills.toml` or a `Cargo.toml` lies in it or above it, or
    /// no repository of git holds it.
    fn is_shipped(&self, dir: &str) -> bool;

    /// Returns whether a file of the tree is executable in a clone of the repository. Returns `None` if that is
    /// unknown.
    fn is_runnable(&self, path: &str) -> Option<bool>;
}

/// What a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkEnd {
    /// A file.
    File,
    /// The `SKILL.md` of a skill of the repository.
    Skill,
    /// A folder that does not hold the link.
    Folder,
    /// A folder that holds the link: a program that follows the link comes back to it.
    Above,
    /// The link itself, by itself or by other links.
    Itself,
    /// A pipe, a socket or a device.
    Special,
    /// There is no such path.
    Nothing,
}

impl Default for Scope<'_> {
    fn default() -> Self {
        Self {
            dir: "",
            root_name: "",
            asked: &|_| true,
            around: None,
            texts: &|_| None,
            clients: Clients::default(),
        }
    }
}
