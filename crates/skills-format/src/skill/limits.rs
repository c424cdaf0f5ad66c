//! How large a skill may be.

/// Longest description, in characters (Agent Skills specification).
pub const MAX_DESCRIPTION: usize = 1024;
/// Longest `compatibility`, in characters (Agent Skills specification).
pub const MAX_COMPATIBILITY: usize = 500;
/// Largest front matter that is read, in bytes.
pub const MAX_FRONT_MATTER: usize = 64 * 1024;
/// Largest `SKILL.md` that is read, in bytes.
pub const MAX_SKILL_FILE: u64 = 1024 * 1024;
