//! Stands for `schema` without the feature `arguments`: a skill with typed arguments is an error.

use crate::folder::Folder;
use proc_macro2::TokenStream;
use skills_check::CheckedSkill;
use skills_format::{ARGUMENTS_FILE, Diagnostic, RuleId, Severity, Text, join};

/// The typed arguments of a skill: none.
#[derive(Clone, Debug)]
pub enum Schema {}

pub(crate) fn of(_: &CheckedSkill<'_>) -> Option<Schema> {
    None
}

pub(crate) fn ordered(_: &CheckedSkill<'_>, _: &[Text]) -> Option<Schema> {
    None
}

/// Reports that nothing reads the types: the skill would start with any text.
pub(crate) fn unread(folder: &Folder, skill: &CheckedSkill<'_>) -> Option<Diagnostic> {
    let path = join(skill.dir, ARGUMENTS_FILE);
    let found = skill.files.iter().find(|file| file.path == path)?;
    let message = "this skill has typed arguments, and the program does not read them";
    let help = "write `features = [\"arguments\"]` for skills-runtime in Cargo.toml, and for skills-compiler if a build script \
        bakes the skills";
    let shown = join(&folder.path, &found.path);
    Some(Diagnostic::new(RuleId::SchemaForm, Severity::Error, shown, message).help(help))
}

pub(crate) fn name_findings(_: &Folder, _: &str, schema: &Schema) -> Vec<Diagnostic> {
    match *schema {}
}

pub(crate) fn baked(schema: &Schema) -> TokenStream {
    match *schema {}
}

pub(crate) fn types(_: &str, schema: &Schema) -> Option<TokenStream> {
    match *schema {}
}
