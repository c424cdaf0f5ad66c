//! References of a skill, and their targets.

use crate::view::markdown::Markdown;
use skills_format::text::span::Span;
use skills_format::tree::{SkillFiles, TreeFile};

/// A place that names a file: a link, an image, or a path in a code span.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The path with escapes resolved, without query and fragment.
    pub(crate) path: String,
    /// The whole address as written.
    pub(crate) span: Span,
    /// The path within the address as written.
    pub(crate) path_span: Span,
    /// True for a code span, in which nothing is percent-encoded.
    pub(crate) is_code: bool,
    /// True for a link, and for a code span whose sentence says to open or run the file.
    pub(crate) is_opened: bool,
}

/// The target of a reference. Paths are relative to the skill's folder.
#[derive(Clone, Debug)]
pub(crate) enum Target<'a> {
    /// A file of the skill.
    File(String),
    /// A folder of the skill.
    Folder,
    /// A file or folder whose path differs only in case: the path on the disk.
    OtherCase(String),
    /// No file and no folder.
    Missing,
    /// A file or folder of another skill.
    Sibling(SkillFiles<'a>),
    /// A path from the root of the disk.
    Absolute,
    /// A place above the skill's folder that is not a skill.
    Above,
}

/// A Markdown text of a skill.
pub(crate) struct Source<'s> {
    pub(crate) text: &'s str,
    pub(crate) markdown: &'s Markdown,
    /// The folder to which the links of the text are relative.
    pub(crate) base: &'s str,
}

/// Returns whether a path is a folder above one of the files. The files must be in order of paths.
pub(crate) fn is_folder(files: &[TreeFile], path: &str) -> bool {
    let folder = format!("{path}/");
    let first = files.partition_point(|file| file.path.as_bytes() < folder.as_bytes());
    let file = files.get(first);
    file.is_some_and(|file| file.path.starts_with(&folder))
}
