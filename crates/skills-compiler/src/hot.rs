//! Reads the skills of a bundle again, in the running program: the feature `hot` of `skills-runtime`.
//!
//! The folder is read, checked and turned into tables by the code that the macro runs. The runtime puts the
//! `Tables` into memory instead of into its source.

pub use skills_lint::render::quoted;

use crate::compile::Compiled;
use crate::folder::Folder;
use crate::module;
use crate::options::Options;
use crate::rustc;
use skills_format::{Diagnostic, Digest, Severity};
use std::collections::BTreeMap;
use std::path::Path;

/// Reads the folder at `path`, relative to the manifest, as the macro reads it. `options` are the pairs that
/// generated code noted. Paths of findings begin with `before`, the path of the manifest's folder as they show it.
pub fn read(manifest: &Path, path: &str, options: &[(&str, &str)], before: &str) -> Folder {
    let mut folder = Folder::of_package(manifest, path, &Options::of_pairs(options));
    folder.is_module = options.contains(&("form", "module"));
    folder.is_hot = true;
    before.clone_into(&mut folder.before);
    folder
}

/// Checks the folder with every rule of a build, and makes the model.
///
/// `stale-bundle` is not checked: a new skill is noticed while the program runs. Differences from the lock are warnings:
/// whoever edits a skill cannot have locked the edit. `known` are the digests of contents that
/// the caller has seen: without optimization, digests take a third of the time.
pub fn compile<'f>(folder: &'f Folder, known: &BTreeMap<&[u8], Digest>) -> Compiled<'f> {
    let digest = |bytes: &[u8]| known.get(bytes).copied();
    let mut compiled = folder.digested(&|bytes| digest(bytes).unwrap_or_else(|| Digest::of(bytes)));
    if folder.is_module {
        compiled
            .diagnostics
            .extend(module::check(folder, &compiled));
    }
    compiled
}

/// Returns the errors and warnings, each rendered as the compiler prints it.
pub fn findings(folder: &Folder, compiled: &Compiled<'_>) -> Vec<Diagnostic> {
    let found = compiled.diagnostics.iter();
    found
        .filter(|found| found.severity != Severity::Info)
        .map(|found| {
            let found = rustc::seen(folder, found);
            let text = rustc::rendered_whole(folder, &found);
            found.rendered(text)
        })
        .collect()
}
