//! Reads a folder of skills as other programs read it.
//!
//! A reader lists what its program lists, and drops what its program drops. `.ci/parts/clients` runs the programs themselves, and
//! `tests/clients` compares: what the kept lists show is exact. Of what they do not show, a reader lists more rather than
//! less, so that no finding about a lost skill is wrong.

mod file;
mod order;
mod skill;
mod yaml;

pub(crate) use file::Seen;
pub use file::{Found, ReadSkill, Reader};
pub use order::{Placed, Tier};

use order::{collation, first_of_each_name};
use skills_lint::DropReason;
use std::borrow::Cow;
use std::collections::BTreeSet;

impl Reader {
    /// Returns whether the program reads a spelling that closes a skill to the model.
    pub(crate) fn closes(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Codex)
    }

    /// Returns whether the program reads several files at once. Of two skills with one name it lists the one that it read
    /// last, which can be another one at each start.
    pub fn is_concurrent(self) -> bool {
        self == Self::Opencode
    }

    /// Returns the skills that the program lists, in its order.
    pub fn read(self, mut found: Vec<Found>) -> Vec<ReadSkill> {
        found.sort_by(|a, b| a.path.cmp(&b.path));
        let mut resolved = BTreeSet::new();
        let mut skills = Vec::new();
        for file in &found {
            // Claude Code and Codex read a file once, whatever links lead to it.
            let is_new = !self.closes() || resolved.insert(&*file.resolved);
            if is_new
                && self.looks_at(file)
                && let Seen::Listed(skill) = self.sees(file)
            {
                skills.push(skill);
            }
        }
        match self {
            Self::ClaudeCode => name_by_folder(&mut skills),
            Self::Codex => skills.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path))),
            // The program lists the files in the order in which the disk answers; here it is that of the paths.
            Self::GeminiCli => first_of_each_name(&mut skills, |skill| &skill.name),
            Self::Opencode => {
                first_of_each_name(&mut skills, |skill| &skill.name);
                skills.sort_by_cached_key(|skill| collation(&skill.name));
            }
        }
        skills
    }

    fn looks_at(self, file: &Found) -> bool {
        let folders = file.folders();
        let is_hidden = folders.iter().any(|name| name.starts_with('.'));
        let has_line_feed = file.path.contains('\n');
        match self {
            Self::ClaudeCode => {
                matches!(folders[..], [folder] if folder != "synced") && !has_line_feed
            }
            Self::Codex => !file.is_link && !is_hidden && !has_line_feed && folders.len() <= 6,
            Self::GeminiCli => folders.len() <= 1 && !is_hidden,
            Self::Opencode => true,
        }
    }

    /// Returns the reason for which the program drops a file, wherever the file lies. `None`: the program reads a skill.
    pub fn drops(self, file: &Found) -> Option<DropReason> {
        match self.sees(file) {
            Seen::Dropped(reason) => Some(reason),
            Seen::Listed(_) | Seen::Closed => None,
        }
    }

    /// Returns a description as the program writes it into its list.
    pub(crate) fn written(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::ClaudeCode => skill::visible(text.trim()).into(),
            Self::Codex => skill::one_line(text).into(),
            Self::GeminiCli | Self::Opencode => text.into(),
        }
    }
}

/// Names each skill by its folder, with its own name in brackets if no other skill has it.
fn name_by_folder(skills: &mut [ReadSkill]) {
    let folder = |skill: &ReadSkill| skill.path.split('/').next().unwrap_or_default().to_owned();
    let mut taken: BTreeSet<String> = skills.iter().map(folder).collect();
    for skill in &mut *skills {
        let (folder, name) = (folder(skill), std::mem::take(&mut skill.name));
        skill.name = if !name.is_empty() && taken.insert(name.clone()) {
            format!("{folder} ({name})")
        } else {
            folder
        };
    }
    skills.sort_by_cached_key(|skill| collation(&folder(skill)));
}
