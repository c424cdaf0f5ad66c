//! Files that a skill lacks because the skill, or its user, makes them.

use crate::view::skill::SkillView;
use std::collections::BTreeSet;

/// The extensions of files that programs write.
const DATA: [&str; 11] = [
    "json", "jsonl", "csv", "tsv", "log", "db", "sqlite", "txt", "session", "pid", "lock",
];
/// The words in lines that write a file.
const WRITES: [&str; 5] = ["write", "append", "dump", "save", "> "];
/// The parts of the names of samples.
const SAMPLES: [&str; 4] = [".example", ".sample", ".template", ".dist"];

impl SkillView<'_> {
    /// Returns whether the skill, or its user, makes the file of a path relative to the skill's folder.
    pub(crate) fn makes(&self, path: &str) -> bool {
        let path = path.trim_start_matches("./");
        let name = path.rsplit('/').next().unwrap_or(path);
        let made = self.made.get_or_init(|| made(self));
        made.contains(path) || made.contains(name)
    }
}

/// Returns the names of the data files in the programs of a skill and in the lines of its `SKILL.md` that write, and the
/// paths of the files that have a sample, as `config.json` has one in `config.example.json`.
fn made(view: &SkillView<'_>) -> BTreeSet<String> {
    let is_program = |path: &str| !path.to_lowercase().ends_with(".md");
    let programs = view.texts().iter();
    let programs = programs.filter(|(file, ..)| is_program(&file.path));
    let programs = programs.flat_map(|&(_, text, _)| data_files(text));
    let lines = view.text().lines().filter(|line| {
        let line = line.to_lowercase();
        WRITES.iter().any(|word| line.contains(word))
    });
    let written = lines.flat_map(data_files);
    let files = view.skill.files.iter();
    let files = files.filter_map(|file| view.relative(&file.path));
    let sampled = files.filter_map(|file| {
        let sample = SAMPLES.iter().find(|sample| file.contains(**sample))?;
        Some(file.replacen(sample, "", 1))
    });
    let names = programs.chain(written).map(str::to_owned);
    names.chain(sampled).collect()
}

/// Iterates over the names of data files in a text.
fn data_files(text: &str) -> impl Iterator<Item = &str> {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let words = text.split(move |c| !is_of_name(c));
    words.filter(|word| {
        let extension = word.rsplit_once('.').map(|(_, extension)| extension);
        extension.is_some_and(|extension| DATA.contains(&extension))
    })
}
