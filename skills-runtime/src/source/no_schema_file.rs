//! Stands for `schema_file` without the feature `arguments`: the file is one of many.

use skills_format::Diagnostic;
use skills_format::disk::Refused;
use std::fs::File;
use std::path::Path;

pub(crate) fn is_there(_: &Path) -> bool {
    false
}

pub(crate) fn findings(_: &Path, _: Result<File, Refused>) -> Vec<Diagnostic> {
    Vec::new()
}

pub(crate) fn faults(_: &Path, _: &[u8]) -> Vec<Diagnostic> {
    Vec::new()
}
