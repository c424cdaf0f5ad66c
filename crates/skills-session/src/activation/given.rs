//! The digest of what a skill gives a model, before values are filled in.

use crate::activation::choices::Choices;
use crate::options::envelope::Envelope;
use crate::options::template::TemplateContent;
use skills_format::{Digest, SKILL_FILE, Text, ToolRule};
use skills_runtime::Entry;
use skills_runtime::Error;
use skills_runtime::SkillRef;
use skills_runtime::catalog::{Checked, is_unwritable};

/// Returns the digest of what a start gives the model now: the instructions, the list of the files, and the rules about
/// tools. The description, the arguments and the contents of other files do not count. `None`: it is not known, since
/// the skill cannot be read, or the model is given the path of the file alone.
pub(crate) fn given_now(entry: &Entry<'_>, choices: Choices<'_>) -> Option<Digest> {
    if choices.profile.envelope == Envelope::Pointer {
        return None;
    }
    let checked = entry.checked().ok()?;
    let resources = resource_paths(entry, Some(&checked)).ok()?;
    given(Some(&checked), &resources, choices)
}

/// Returns the files of a bundled skill without its `SKILL.md`, each with its digest.
pub(super) fn bundled_files(entry: &Entry<'_>) -> Vec<(String, Digest)> {
    let files = entry.bundled().into_iter().flat_map(SkillRef::files);
    let files = files.filter(|file| file.path != SKILL_FILE);
    files
        .map(|file| (file.path.to_owned(), file.digest))
        .collect()
}
/// Returns the digest of what was read of a skill.
pub(super) fn given(
    checked: Option<&Checked<'_>>,
    resources: &[Text],
    choices: Choices<'_>,
) -> Option<Digest> {
    let checked = checked?;
    let text = match (&choices.profile.envelope, &checked.file) {
        (Envelope::Pointer, _) => return None,
        (Envelope::Template(template), Some(file)) if template.content == TemplateContent::File => {
            file
        }
        _ => checked.body.as_bytes(),
    };
    let fields = &checked.fields;
    let lists = [
        resources.join("\n"),
        written(&fields.allowed_tools),
        written(&fields.disallowed_tools),
    ];
    let lists = lists.iter().map(String::as_bytes);
    let parts = std::iter::once(text).chain(lists);
    let part = |bytes: &[u8]| ("", bytes.len() as u64, Digest::of(bytes));
    Some(Digest::of_files(parts.map(part)))
}

fn written(rules: &[ToolRule]) -> String {
    let rules = rules.iter().map(ToString::to_string);
    rules.collect::<Vec<_>>().join("\n")
}

pub(crate) fn resource_paths(
    entry: &Entry<'_>,
    checked: Option<&Checked<'_>>,
) -> Result<Vec<Text>, Error> {
    if let Some(skill) = entry.bundled() {
        return Ok(skill.files().skip(1).map(|file| file.path.into()).collect());
    }
    let resources = match checked.and_then(|checked| checked.resources.clone()) {
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
