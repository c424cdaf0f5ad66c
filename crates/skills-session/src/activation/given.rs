//! The digest of what a skill gives a model, before values are filled in.

use skills_format::{Digest, SKILL_FILE, ToolRule};
use skills_render::Instructions;
use skills_runtime::Skill;

/// Returns the digest of what a start gives the model now: the instructions, the list of the files, and the rules about
/// tools. The description, the arguments and the contents of other files do not count. `None`: the skill cannot be read.
pub(crate) fn given_now(skill: &Skill<'_>) -> Option<Digest> {
    Some(given(&skill.instructions().ok()?))
}

/// Returns the files of a bundled skill without its `SKILL.md`, each with its digest.
pub(crate) fn bundled_files(skill: &Skill<'_>) -> Vec<(String, Digest)> {
    // Only a file that is part of the program has a digest without being read.
    let files = skill.is_bundled().then(|| skill.files());
    let files = files.and_then(Result::ok).unwrap_or_default().into_iter();
    files
        .filter(|file| file.path != SKILL_FILE)
        .filter_map(|file| Some((file.path.into_owned(), file.digest?)))
        .collect()
}

/// Returns the digest of what was read of a skill.
pub(super) fn given(read: &Instructions<'_>) -> Digest {
    let lists = [
        read.resources.join("\n"),
        written(&read.fields.allowed_tools),
        written(&read.fields.disallowed_tools),
    ];
    let parts = std::iter::once(read.body.as_bytes()).chain(lists.iter().map(String::as_bytes));
    Digest::of_files(parts.map(|bytes| ("", bytes.len() as u64, Digest::of(bytes))))
}

fn written(rules: &[ToolRule]) -> String {
    let rules = rules.iter().map(ToString::to_string);
    rules.collect::<Vec<_>>().join("\n")
}
