//! Files that nobody wrote on purpose.

/// Whether a file of this name is what editors and desktops leave behind: `*~`, `.*.swp`,
/// `.DS_Store`, `Thumbs.db`. Such files are no part of a skill.
#[expect(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "editors write it so"
)]
pub fn is_litter(name: &str) -> bool {
    name == ".DS_Store"
        || name == "Thumbs.db"
        || name.ends_with('~')
        || name.starts_with('.') && name.ends_with(".swp")
}
