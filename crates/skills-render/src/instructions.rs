//! What the text of a skill that starts is written from.

use skills_format::foreign::{CLIENT_SKILL_DIR, SKILL_DIR};
use skills_format::{Fields, Text};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

/// The current version of a skill, read at once: the fields and the body come from the same bytes.
#[derive(Clone, Debug)]
pub struct Instructions<'s> {
    /// The fields as the file has them now.
    pub fields: Cow<'s, Fields>,
    /// The instructions.
    pub body: Cow<'s, str>,
    /// The bytes of the whole `SKILL.md`.
    pub file: Cow<'s, [u8]>,
    /// The paths of the files beside the `SKILL.md`, relative to the skill's folder. Characters that end a line or that
    /// XML does not allow are U+FFFD.
    pub resources: Vec<Text>,
}

/// The folders that a skill's placeholders stand for, each found when a placeholder first asks for it.
pub struct Folders<'a> {
    /// Returns the folder of `SKILL_DIR` or of `PLUGIN_ROOT`.
    find: &'a dyn Fn(&str) -> Option<String>,
    skill: OnceCell<Option<String>>,
    plugin: OnceCell<Option<String>>,
}

impl<'a> Folders<'a> {
    /// Makes the folders. `find` is called at most once for `SKILL_DIR` and once for `PLUGIN_ROOT`.
    pub fn new(find: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self {
            find,
            skill: OnceCell::new(),
            plugin: OnceCell::new(),
        }
    }

    /// Returns the folder of the skill.
    pub fn skill(&self) -> Option<&str> {
        let folder = self.skill.get_or_init(|| (self.find)(SKILL_DIR));
        folder.as_deref()
    }

    /// Returns the folder of a variable: of the skill, or of the plugin that the skill is of.
    pub fn variable(&self, name: &str) -> Option<&str> {
        if [SKILL_DIR, CLIENT_SKILL_DIR].contains(&name) {
            return self.skill();
        }
        if !name.ends_with("PLUGIN_ROOT") {
            return None;
        }
        let folder = self.plugin.get_or_init(|| (self.find)("PLUGIN_ROOT"));
        folder.as_deref()
    }
}

impl fmt::Debug for Folders<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Folders").finish_non_exhaustive()
    }
}
