//! The files that a person opened.

use serde_json::json;
use skills_format::tree::in_folder;
use skills_format::{
    Diagnostic, FileKind, OPENAI_FILE, OpenAiFile, SKILL_FILE, Skill, SkillFile, SkillFiles, Tree,
    TreeFile,
};
use skills_lint::{MAX_FILE, powers_of_files};
use skills_permit::Powers;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The name of the folder of a pasted `SKILL.md` without a name.
const UNNAMED: &str = "skill";

/// What a person opened: a pasted `SKILL.md`, or the files of a folder.
///
/// ```
/// use skills_play::Playground;
///
/// let mut playground = Playground::of_text("---\nname: Tidy\n---\nSort the files.\n");
/// let answer = playground.check();
/// assert!(answer.contains("\"rule\":\"description-missing\""), "{answer}");
/// ```
#[derive(Clone, Debug)]
pub struct Playground {
    pub(crate) tree: Arc<Tree>,
    pub(crate) kind: Opened,
    /// The findings of the last check.
    pub(crate) found: Vec<Diagnostic>,
}

/// What was opened.
#[derive(Clone, Debug)]
pub(crate) enum Opened {
    /// The text of a `SKILL.md`. Its folder is unknown.
    Text,
    /// A folder of this name.
    Folder(String),
}

impl Playground {
    /// Opens the text of a `SKILL.md`.
    pub fn of_text(text: &str) -> Self {
        let mut playground = Self::new(Opened::Text);
        playground.put(SKILL_FILE, Some(text.as_bytes().to_vec()), 0);
        playground
    }

    /// Opens a folder of a name. Its files are [put](Self::put).
    pub fn of_folder(name: &str) -> Self {
        Self::new(Opened::Folder(name.to_owned()))
    }

    fn new(kind: Opened) -> Self {
        Self {
            tree: Arc::new(Tree::default()),
            kind,
            found: Vec::new(),
        }
    }

    /// Adds or replaces a file. `path` is relative to the folder, with `/`. Of a file of a folder that is longer than
    /// [`MAX_FILE`] or was not read, only the length counts.
    pub fn put(&mut self, path: &str, bytes: Option<Vec<u8>>, size: u64) {
        let length = bytes.as_ref().map(Vec::len);
        let size = length.map_or(size, |length| u64::try_from(length).unwrap_or(u64::MAX));
        let is_kept = size <= MAX_FILE || matches!(self.kind, Opened::Text);
        let file = TreeFile {
            path: path.to_owned(),
            utf8: true,
            kind: FileKind::Regular,
            size,
            bytes: bytes.filter(|_| is_kept),
        };
        let files = &mut Arc::make_mut(&mut self.tree).files;
        match files.binary_search_by(|file| file.path.as_bytes().cmp(path.as_bytes())) {
            Ok(at) => files.splice(at..=at, [file]).for_each(drop),
            Err(at) => files.insert(at, file),
        }
    }

    /// Returns the powers of the skill of a folder.
    pub fn powers(&self, dir: &str) -> String {
        let skills = self.tree.skills_of_any_case();
        let skill = skills.iter().find(|skill| skill.dir == dir);
        // The page of a browser does not see run bits.
        let powers = skill.map(|skill| powers_of_files(skill.dir, skill.files, &BTreeSet::new()));
        let powers: Vec<_> = powers.iter().flat_map(Powers::iter).collect();
        json!({ "powers": powers }).to_string()
    }

    /// Returns the name of a skill's folder. That of a pasted text is the name that the text gives.
    pub(crate) fn folder_name(&self, skill: &SkillFiles<'_>) -> String {
        match (&self.kind, skill.dir.rsplit('/').next()) {
            (_, Some(name)) if !name.is_empty() => name.to_owned(),
            (Opened::Folder(name), _) if !name.is_empty() => name.clone(),
            _ => {
                let read = lenient(skill, UNNAMED);
                read.map_or_else(|| UNNAMED.to_owned(), |skill| skill.name.into_string())
            }
        }
    }

    /// Reads a skill as a host does. Returns `None` if the file is not a skill.
    pub(crate) fn read(&self, skill: &SkillFiles<'_>) -> Option<Skill> {
        lenient(skill, &self.folder_name(skill))
    }
}

fn lenient(skill: &SkillFiles<'_>, folder: &str) -> Option<Skill> {
    let bytes = skill.file.bytes.as_deref().unwrap_or_default();
    let openai = skill.files.iter().find(|file| {
        let inside = in_folder(skill.dir, &file.path);
        inside == Some(OPENAI_FILE)
    });
    let openai = openai.and_then(|file| {
        let bytes = file.bytes.as_deref()?;
        Some(OpenAiFile::read(&file.path, bytes))
    });
    let file = SkillFile::read(&*skill.file.path, folder, bytes).with_openai(openai);
    file.lenient().0
}
