//! The digest of what a skill gives a model, before values are filled in.

use skills_format::{Digest, SKILL_FILE, Text, ToolRule};
use skills_runtime::catalog::{Checked, is_unwritable};
use skills_runtime::{Error, Skill, SkillRef};

/// Returns the digest of what a start gives the model now: the instructions, the list of the files, and the rules about
/// tools. The description, the arguments and the contents of other files do not count. `None`: the skill cannot be read.
pub(crate) fn given_now(entry: &Skill<'_>) -> Option<Digest> {
    let checked = entry.checked().ok()?;
    let resources = resource_paths(entry, &checked).ok()?;
    Some(given(&checked, &resources))
}

/// Returns the files of a bundled skill without its `SKILL.md`, each with its digest.
pub(super) fn bundled_files(entry: &Skill<'_>) -> Vec<(String, Digest)> {
    let files = entry.bundled().into_iter().flat_map(SkillRef::files);
    let files = files.filter(|file| file.path != SKILL_FILE);
    files
        .map(|file| (file.path.to_owned(), file.digest))
        .collect()
}

/// Returns the digest of what was read of a skill.
pub(super) fn given(checked: &Checked<'_>, resources: &[Text]) -> Digest {
    let fields = &checked.fields;
    let lists = [
        resources.join("\n"),
        written(&fields.allowed_tools),
        written(&fields.disallowed_tools),
    ];
    let parts = std::iter::once(checked.body.as_bytes()).chain(lists.iter().map(String::as_bytes));
    Digest::of_files(parts.map(|bytes| ("", bytes.len() as u64, Digest::of(bytes))))
}

fn written(rules: &[ToolRule]) -> String {
    let rules = rules.iter().map(ToString::to_string);
    rules.collect::<Vec<_>>().join("\n")
}

pub(crate) fn resource_paths(entry: &Skill<'_>, checked: &Checked<'_>) -> Result<Vec<Text>, Error> {
    if let Some(skill) = entry.bundled() {
        return Ok(skill.files().skip(1).map(|file| file.path.into()).collect());
    }
    let resources = match checked.resources.clone() {
        Some(resources) => resources,
        None => entry.resources()?,
    };
    Ok(resources
        .into_iter()
        .map(|resource| match resource.path {
            path if path.contains(is_unwritable) => path.replace(is_unwritable, "\u{fffd}").into(),
            path => path.into(),
        })
        .collect())
}
