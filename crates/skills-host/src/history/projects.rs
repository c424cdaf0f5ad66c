//! The option to commit to a project's repository.

/// Decides whether a changed skill is committed to the project's repository that holds its folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projects {
    /// Nothing is committed; the store keeps the earlier version.
    #[default]
    Leave,
    /// The skill is committed.
    Commit,
}
