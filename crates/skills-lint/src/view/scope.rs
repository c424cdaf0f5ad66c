//! What of a tree is checked, and what lies around it.

use skills_format::disk::Kind;

/// What of a tree a check asks about, and what is known around the tree.
#[derive(Clone, Copy)]
pub struct Scope<'s> {
    /// The folder of the bundle, relative to the tree's root. Findings about the skills together name it.
    pub dir: &'s str,
    /// The name of the tree's root, for a skill that is the root. Empty: it is not known.
    pub root_name: &'s str,
    /// Whether the skill of a folder is checked. Otherwise only its name counts, for the other skills.
    pub asked: &'s (dyn Fn(&str) -> bool + Sync),
    /// The files around the tree. `None`: they are not known.
    pub around: Option<&'s (dyn Surroundings + Sync)>,
}

/// The files of a repository around the skills of a tree.
pub trait Surroundings {
    /// The kind of the item at a path relative to the tree's root. `None` when nothing is there, and when
    /// the path leads out of the repository.
    fn kind(&self, path: &str) -> Option<Kind>;

    /// The folder of the plugin that holds a folder. Both are relative to the tree's root.
    fn plugin(&self, dir: &str) -> Option<String>;

    /// Whether a link of the tree leads to a file or a folder, wherever that is.
    fn is_link_alive(&self, path: &str) -> bool;

    /// Whether a file of the tree has its run bit, for people who get the repository. `None`: that is not
    /// known.
    fn is_runnable(&self, path: &str) -> Option<bool>;
}

impl Default for Scope<'_> {
    fn default() -> Self {
        Self {
            dir: "",
            root_name: "",
            asked: &|_| true,
            around: None,
        }
    }
}
