//! Stands for `schema` without the feature `arguments`: a skill with typed arguments is an error of the check.

use crate::folder::Folder;
use proc_macro2::TokenStream;
use skills_check::CheckedSkill;
use skills_format::{Diagnostic, Text};

/// The typed arguments of a skill: none.
#[derive(Clone, Debug)]
pub enum Schema {}

pub(crate) fn of(_: &CheckedSkill<'_>) -> Option<Schema> {
    None
}

pub(crate) fn ordered(_: &CheckedSkill<'_>, _: &[Text]) -> Option<Schema> {
    None
}

pub(crate) fn unread(_: &Folder, _: &CheckedSkill<'_>) -> Option<Diagnostic> {
    None
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
