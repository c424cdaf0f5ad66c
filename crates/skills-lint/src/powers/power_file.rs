//! A file of a skill, as the reader of powers gets it.

/// A file whose powers are read.
#[derive(Clone, Copy, Debug)]
pub struct PowerFile<'t> {
    /// The path relative to the skill's folder, with `/`.
    pub path: &'t str,
    /// The bytes. `None` if the file is not regular, or was not read.
    pub bytes: Option<&'t [u8]>,
    /// The system can start the file by itself.
    pub is_executable: bool,
}
