//! Finds a skill's `agents/openai.yaml` in a tree.

use crate::skill::openai::{MAX_OPENAI_FILE, OPENAI_FILE, OpenAiFile};
use crate::tree::{TreeFile, join};

impl OpenAiFile {
    /// Reads the file of a skill among the files of a tree. `dir` is the skill's folder in the tree, and `root` the
    /// path of the tree for display. `None` if the skill has no such file.
    pub fn of_tree(root: &str, dir: &str, files: &[TreeFile]) -> Option<Self> {
        let path = join(dir, OPENAI_FILE);
        let file = files.iter().find(|file| file.path == path)?;
        let path = join(root, &path);
        Some(match (&file.bytes, file.size > MAX_OPENAI_FILE) {
            (Some(bytes), false) => Self::read(&path, bytes),
            (_, true) => Self::too_large(&path, file.size),
            (None, false) => Self::unreadable(&path, "the file cannot be read"),
        })
    }
}
