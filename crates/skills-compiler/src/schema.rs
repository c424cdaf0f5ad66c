//! The typed arguments of a skill in its bundle.

use crate::folder::Folder;
pub(crate) use skills_arguments::Schema;
use skills_arguments::rust;
pub(crate) use skills_arguments::rust::{baked, types};
use skills_check::CheckedSkill;
use skills_format::{ARGUMENTS_FILE, Diagnostic, RuleId, Severity, Text, join};

/// Returns the typed arguments of a skill, as far as they can be read.
pub(crate) fn of(skill: &CheckedSkill<'_>) -> Option<Schema> {
    skill.arguments.as_ref().map(|file| file.schema.clone())
}

/// Returns the typed arguments in the order of the front matter; `None` if the file has a fault.
pub(crate) fn ordered(skill: &CheckedSkill<'_>, listed: &[Text]) -> Option<Schema> {
    let file = skill.arguments.as_ref()?;
    let is_whole = file.faults.is_empty();
    is_whole.then(|| file.schema.clone().ordered(listed))
}

/// Reports a schema that cannot be read whole: the skill would be baked without the types of its arguments.
pub(crate) fn unread(folder: &Folder, skill: &CheckedSkill<'_>) -> Option<Diagnostic> {
    let fault = skill.arguments.as_ref()?.faults.first()?;
    let path = join(&folder.path, &join(skill.dir, ARGUMENTS_FILE));
    let message = format!("this schema cannot be bundled: {}", fault.message);
    let help = format!("no level turns this off in a build: {}", fault.help);
    let error = Diagnostic::new(fault.rule, Severity::Error, path.as_str(), message).help(help);
    Some(match (fault.span, folder.source(&path)) {
        (Some(span), Some(text)) => error.at(&text, span),
        _ => error,
    })
}

/// Reports the names of typed arguments that cannot be Rust's. `path` is the file's.
pub(crate) fn name_findings(folder: &Folder, path: &str, schema: &Schema) -> Vec<Diagnostic> {
    let text = folder.source(path).unwrap_or_default();
    let faults = rust::faults(schema).into_iter().map(|fault| {
        let place = fault.place(&text);
        let found = Diagnostic::new(RuleId::ConstantName, Severity::Error, path, fault.message);
        let found = found.help(fault.help);
        match place {
            Some(place) => found.at(&text, place),
            None => found,
        }
    });
    faults.collect()
}
