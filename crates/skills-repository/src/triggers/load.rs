//! The skills of a bundle, read as a program loads them.

use crate::repository::{Bundle, Repository};
use skills_clients::listing::{Cut, Listed, Listing, Shown};
use skills_format::{
    MAX_OPENAI_FILE, MAX_SKILL_FILE, OPENAI_FILE, OpenAiFile, SkillFile, SkillFiles, join,
};
use skills_rank::SkillWords;
use std::io;

/// The skills of a bundle.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Loaded {
    /// The skills that can be loaded, in order of their folders.
    pub skills: Vec<LoadedSkill>,
    /// The number of skills that cannot be loaded.
    pub unread: usize,
}

/// A skill as a model could choose it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadedSkill {
    /// The folder, relative to the walked folder.
    pub dir: String,
    /// The name of the skill.
    pub name: String,
    /// The description.
    pub description: String,
    /// The text of the field `when-to-use`; empty if missing.
    pub when_to_use: String,
    /// The printed path of the `SKILL.md`.
    pub location: String,
    /// True if a model may start the skill.
    pub is_for_model: bool,
    pub(super) words: SkillWords,
}

impl Loaded {
    /// Reads the skills of a bundle.
    ///
    /// # Cost
    ///
    /// Reads every `SKILL.md` of the bundle.
    pub fn read(repository: &Repository, bundle: &Bundle) -> Self {
        let mut loaded = Self::default();
        for skill in bundle.tree.skills_of_any_case() {
            match LoadedSkill::read(repository, &skill) {
                Some(skill) => loaded.skills.push(skill),
                None => loaded.unread += 1,
            }
        }
        loaded
    }

    /// Cuts each skill to what a client shows a model: the name, and a part of the description. Returns the cut
    /// list.
    pub fn cut(&mut self, client: &Listing, context: Option<u64>) -> Cut {
        let listed = self.skills.iter().filter(|skill| skill.is_for_model);
        let listed: Vec<Listed<'_>> = listed.map(LoadedSkill::listed).collect();
        let cut = client.cut(context, &listed);
        let mut kept = cut.skills.iter();
        for skill in &mut self.skills {
            let kept = if skill.is_for_model {
                kept.next()
            } else {
                None
            };
            let kept = kept.filter(|kept| kept.shown != Shown::Gone);
            skill.description = kept.map_or_else(String::new, |kept| kept.description.clone());
            skill.when_to_use = String::new();
            let name = kept.map(|_| skill.name.as_str());
            skill.words = SkillWords::new(name, &skill.description, "", []);
        }
        cut
    }

    /// Returns the name of a skill by its index.
    pub fn name(&self, skill: usize) -> &str {
        self.skills.get(skill).map_or("", |skill| &skill.name)
    }
}

impl LoadedSkill {
    /// Reads one skill. Returns `None` if the skill cannot be loaded.
    pub fn read(repository: &Repository, skill: &SkillFiles<'_>) -> Option<Self> {
        let path = &*skill.file.path;
        let folder = skill.dir.rsplit('/').next().unwrap_or_default();
        let bytes = read(repository, path, MAX_SKILL_FILE).unwrap_or_default();
        let file = SkillFile::read(path, folder, &bytes).with_openai(openai(repository, skill));
        let read = file.lenient().0?;
        Some(Self {
            dir: skill.dir.to_owned(),
            location: repository.shown(path),
            is_for_model: !read.fields.disable_model_invocation,
            when_to_use: read
                .fields
                .when_to_use
                .as_deref()
                .unwrap_or_default()
                .to_owned(),
            words: SkillWords::of(read.name.as_str(), &read.description, &read.fields),
            name: read.name.into_string(),
            description: read.description,
        })
    }

    /// Returns the skill as an entry of a client's list.
    pub fn listed(&self) -> Listed<'_> {
        Listed {
            name: &self.name,
            description: &self.description,
            when_to_use: &self.when_to_use,
            location: &self.location,
            root: "",
        }
    }
}

/// Reads a skill's `agents/openai.yaml`, which can close the skill to the model.
fn openai(repository: &Repository, skill: &SkillFiles<'_>) -> Option<OpenAiFile> {
    let path = join(skill.dir, OPENAI_FILE);
    skill.files.iter().find(|file| file.path == path)?;
    let file = match read(repository, &path, MAX_OPENAI_FILE) {
        Ok(bytes) => OpenAiFile::read(&path, &bytes),
        Err(error) => OpenAiFile::unreadable(&path, &error.to_string()),
    };
    Some(file)
}

pub(super) fn read(repository: &Repository, path: &str, most: u64) -> io::Result<Vec<u8>> {
    repository.read_file(path, most)
}
