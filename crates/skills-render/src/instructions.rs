//! What the text of a skill that starts is written from.

use skills_format::foreign::{CLIENT_SKILL_DIR, SKILL_DIR};
use skills_format::{Fields, Text};
use std::borrow::Cow;

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
    /// The folders that the variables of the text stand for.
    pub folders: Folders,
    /// Whether a person answers for the skill: it is part of the program, lies in a folder of the person, or was trusted by
    /// the digests of its files.
    pub is_of_person: bool,
}

/// The folders that the variables in the text of a skill stand for.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The whole path of the skill's folder, or its address.
    pub skill: String,
    /// The folder of the plugin that the skill is of.
    pub plugin: Option<String>,
}

impl Folders {
    /// Returns the folder of a variable: of the skill, or of the plugin that the skill is of.
    pub fn variable(&self, name: &str) -> Option<&str> {
        if [SKILL_DIR, CLIENT_SKILL_DIR].contains(&name) {
            Some(&self.skill)
        } else if name.ends_with("PLUGIN_ROOT") {
            self.plugin.as_deref()
        } else {
            None
        }
    }
}
