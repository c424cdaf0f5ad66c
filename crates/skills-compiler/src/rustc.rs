//! Renders diagnostics as errors and warnings of rustc.

use crate::folder::Folder;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use skills_format::{Diagnostic, RuleId, Severity, join};
use skills_lint::render::{Full, quoted};

/// Maximum number of errors, and of warnings, that are rendered. Further ones are counted.
const MAX: usize = 50;

/// Renders the one warning of a build, `stale-bundle`, which only the build can see. A warning of the macro stops a build
/// with `deny(warnings)`, so advice is for `skills check` and for tests.
pub(crate) fn warnings(folder: &Folder, diagnostics: &[Diagnostic]) -> Vec<String> {
    let warnings = diagnostics
        .iter()
        .filter(|it| it.severity == Severity::Warning);
    let stale = warnings.filter(|it| it.is(RuleId::StaleBundle));
    stale.map(|it| render(folder, it)).collect()
}

/// Renders the errors, and the number of errors after the first 50.
pub(crate) fn errors(folder: &Folder, diagnostics: &[Diagnostic]) -> Vec<String> {
    rendered(folder, diagnostics, Severity::Error)
}

fn rendered(folder: &Folder, diagnostics: &[Diagnostic], severity: Severity) -> Vec<String> {
    first(diagnostics, severity, &|diagnostic| {
        render(folder, diagnostic)
    })
}

fn first(
    diagnostics: &[Diagnostic],
    severity: Severity,
    render: &dyn Fn(&Diagnostic) -> String,
) -> Vec<String> {
    let (shown, rest): (Vec<_>, Vec<_>) = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == severity)
        .enumerate()
        .partition(|(i, _)| *i < MAX);
    let shown = shown.into_iter();
    let mut reported: Vec<String> = shown.map(|(_, diagnostic)| render(diagnostic)).collect();
    match rest.len() {
        0 => {}
        1 => reported.push(format!("one more {severity} in the skills")),
        rest => reported.push(format!("{rest} more {severity}s in the skills")),
    }
    reported
}

/// Renders an error of rustc.
pub(crate) fn error(message: &str, span: Span) -> TokenStream {
    quote_spanned!(span=> compile_error! { #message })
}

/// Renders a warning of rustc: the use of a constant that is deprecated with the message. A macro on stable Rust
/// has no other way to warn.
pub(crate) fn warning(message: &str, span: Span) -> TokenStream {
    quote_spanned! {span=>
        const _: () = {
            #[allow(non_upper_case_globals)]
            #[deprecated(note = #message)]
            const skill_warning: () = ();
            skill_warning
        };
    }
}

fn render(folder: &Folder, diagnostic: &Diagnostic) -> String {
    let text = rendered_whole(folder, &seen(folder, diagnostic));
    // rustc prints the severity itself.
    let severity = format!("{}: ", diagnostic.severity);
    text.strip_prefix(&severity).unwrap_or(&text).to_owned()
}

/// Says how a warning is turned off. rustc's own hint is about the lint `deprecated`.
///
/// A difference from the lock is a warning only while a program runs, and its help says what the next build does.
fn note(diagnostic: &Diagnostic) -> String {
    let rule = diagnostic.rule;
    let is_of_lock = diagnostic.is(RuleId::LockStale) || diagnostic.is(RuleId::PowersWidened);
    if diagnostic.severity == Severity::Warning && !is_of_lock {
        format!("`allow = [\"{rule}\"]` turns it off; `skills explain {rule}` says why")
    } else {
        String::new()
    }
}

/// Creates a finding whose paths are relative to where cargo runs.
pub(crate) fn seen(folder: &Folder, diagnostic: &Diagnostic) -> Diagnostic {
    let before = folder.before.as_str();
    let mut diagnostic = diagnostic.clone();
    diagnostic.path = join(before, &diagnostic.path);
    let from_base = |path: &str| join(before, path);
    diagnostic.message = diagnostic.message.with_paths(from_base).into();
    diagnostic
}

/// Renders a finding of [`seen`] with its severity, and a warning with how to turn it off.
pub(crate) fn rendered_whole(folder: &Folder, diagnostic: &Diagnostic) -> String {
    let before = folder.before.as_str();
    let path = join(before, &folder.path);
    let path = quoted(&path);
    let note = note(diagnostic);
    let how = Full::default().arguments(&path).note(&note);
    how.one(diagnostic, &|path| {
        let path = path.strip_prefix(before).unwrap_or(path);
        folder.source(path.trim_start_matches('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;
    use skills_format::Prose;
    use std::path::Path;

    #[test]
    fn paths_are_seen_from_the_workspace_and_texts_stay() {
        let folder = Folder::read(Path::new("/nowhere"), "skills", &Options::default());
        let folder = folder.seen_from(Path::new("/w"), Path::new("/w/app"));
        let message = Prose::from("`skills/b` is taken by ").path("skills/a/SKILL.md");
        let path = "skills/b/SKILL.md";
        let found = Diagnostic::new(RuleId::DuplicateName, Severity::Error, path, message);
        let text = render(&folder, &found);
        assert!(
            text.contains("`skills/b` is taken by app/skills/a/SKILL.md"),
            "{text}"
        );
        assert!(text.contains("app/skills/b/SKILL.md"), "{text}");
    }
}
