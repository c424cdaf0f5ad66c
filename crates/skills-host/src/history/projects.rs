//! Whether the repository of a project counts.

/// Whether a folder of skills is committed to the repository of a project that it lies in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projects {
    /// It is left alone; the store keeps the earlier version.
    #[default]
    Leave,
    /// The skill is committed there.
    Commit,
}
