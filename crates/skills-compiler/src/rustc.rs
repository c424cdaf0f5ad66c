//! Renders diagnostics as errors and warnings of rustc.

use crate::compile::Compiled;
use crate::folder::Folder;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use skills_check::render::{Full, quoted};
use skills_format::{Diagnostic, RuleId, Severity, join};

/// Maximum number of errors that are rendered. Further ones are counted.
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
pub(crate) fn errors(folder: &Folder, compiled: &Compiled<'_>) -> Vec<String> {
    let errors = compiled.errors().take(MAX);
    let mut rendered: Vec<String> = errors.map(|it| render(folder, it)).collect();
    match compiled.errors().skip(MAX).count() {
        0 => {}
        1 => rendered.push("one more error in the skills".to_owned()),
        rest => rendered.push(format!("{rest} more errors in the skills")),
    }
    rendered
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

/// Renders a finding with paths relative to where cargo runs.
fn render(folder: &Folder, diagnostic: &Diagnostic) -> String {
    let before = folder.before.as_str();
    let from_base = |path: &str| join(before, path);
    let mut seen = diagnostic.clone();
    seen.path = from_base(&seen.path);
    seen.message = seen.message.with_paths(from_base).into();
    let path = from_base(&folder.path);
    let path = quoted(&path);
    let text = Full::default().arguments(&path).one(&seen, &|path| {
        let path = path.strip_prefix(before).unwrap_or(path);
        folder.source(path.trim_start_matches('/'))
    });
    // rustc prints the severity itself.
    let severity = format!("{}: ", diagnostic.severity);
    text.strip_prefix(&severity).unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::Prose;
    use std::path::Path;

    #[test]
    fn paths_are_seen_from_the_workspace_and_texts_stay() {
        let folder = Folder::read(Path::new("/nowhere"), "skills");
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
