//! The digest of what a skill gives a model, before values are filled in.

use crate::activation::choices::Choices;
use crate::bundle::SkillRef;
use crate::catalog::entry::Entry;
use crate::catalog::files::Checked;
use crate::options::envelope::Envelope;
use crate::options::template::TemplateContent;
use skills_format::{Digest, SKILL_FILE, Text, ToolRule};

impl Entry<'_> {
    /// Returns the digest of what a start gives the model now: the instructions, the list of the files, and the rules about
    /// tools. The description, the arguments and the contents of other files do not count. `None`: it is not known, since
    /// the skill cannot be read, or the model is given the path of the file alone.
    pub(crate) fn given(&self, choices: Choices<'_>) -> Option<Digest> {
        if choices.profile.envelope == Envelope::Pointer {
            return None;
        }
        let checked = self.checked().ok()?;
        let resources = self.resource_paths(Some(&checked)).ok()?;
        given(Some(&checked), &resources, choices)
    }

    /// Returns the files of a bundled skill without its `SKILL.md`, each with its digest.
    pub(super) fn bundled_files(&self) -> Vec<(String, Digest)> {
        let files = self.bundled().into_iter().flat_map(SkillRef::files);
        let files = files.filter(|file| file.path != SKILL_FILE);
        files
            .map(|file| (file.path.to_owned(), file.digest))
            .collect()
    }
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
