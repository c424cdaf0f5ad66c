//! Renders diagnostics as errors and warnings of rustc.

use crate::folder::Folder;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use skills_format::{Diagnostic, Severity, join};
use skills_lint::render::{Full, quoted};

/// Maximum number of errors, and of warnings, that are rendered. Further ones are counted.
const MAX: usize = 50;

/// Renders the warnings, and the number of warnings after the first 50.
pub(crate) fn warnings(folder: &Folder, diagnostics: &[Diagnostic]) -> Vec<String> {
    rendered(folder, diagnostics, Severity::Warning)
}

/// Renders the errors, and the number of errors after the first 50.
pub(crate) fn errors(folder: &Folder, diagnostics: &[Diagnostic]) -> Vec<String> {
    rendered(folder, diagnostics, Severity::Error)
}

fn rendered(folder: &Folder, diagnostics: &[Diagnostic], severity: Severity) -> Vec<String> {
    let (shown, rest): (Vec<_>, Vec<_>) = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == severity)
        .enumerate()
        .partition(|(i, _)| *i < MAX);
    let mut reported: Vec<String> = shown
        .into_iter()
        .map(|(_, diagnostic)| render(folder, diagnostic))
        .collect();
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
            #[deprecated(note = #message)]
            const SKILL: () = ();
            SKILL
        };
    }
}

fn render(folder: &Folder, diagnostic: &Diagnostic) -> String {
    let before = folder.before.as_str();
    let path = join(before, &folder.path);
    let path = quoted(&path);
    let mut diagnostic = diagnostic.clone();
    diagnostic.path = join(before, &diagnostic.path);
    diagnostic.message = from_base(folder, &diagnostic.message);
    let text = Full::default().arguments(&path).one(&diagnostic, &|path| {
        let path = path.strip_prefix(before).unwrap_or(path);
        folder.source(path.trim_start_matches('/'))
    });
    let severity = format!("{}: ", diagnostic.severity);
    text.strip_prefix(&severity).unwrap_or(&text).to_owned()
}

/// Makes the paths in a message relative to the folder in which rustc runs.
fn from_base(folder: &Folder, message: &str) -> String {
    if folder.before.is_empty() || folder.path == "." {
        return message.to_owned();
    }
    let inside = format!("{}/", folder.path);
    let mut words = message.split(' ').map(|word| {
        let (mark, path) = word.split_at(word.len() - word.trim_start_matches(['`', '(']).len());
        if path.starts_with(&inside) {
            format!("{mark}{}", join(&folder.before, path))
        } else {
            word.to_owned()
        }
    });
    let first = words.next().unwrap_or_default();
    words.fold(first, |text, word| text + " " + &word)
}
