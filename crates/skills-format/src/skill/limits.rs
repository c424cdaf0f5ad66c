//! The size limits of one `SKILL.md`.

/// The maximum length of a description, in characters (Agent Skills specification).
pub const MAX_DESCRIPTION: usize = 1024;
/// The maximum length of `compatibility`, in characters (Agent Skills specification).
pub const MAX_COMPATIBILITY: usize = 500;
/// The maximum length of front matter that is read, in bytes.
pub const MAX_FRONT_MATTER: usize = 64 * 1024;
/// The maximum length of a `SKILL.md` that is read, in bytes.
pub const MAX_SKILL_FILE: u64 = 1024 * 1024;
