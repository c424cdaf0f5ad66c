//! Diagnostics as what rustc shows.

use crate::folder::Folder;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use skills_format::render::Full;
use skills_format::{Diagnostic, Severity};

/// Most errors that are told one by one.
const MAX_ERRORS: usize = 50;

/// One warning of rustc for each warning.
pub(crate) fn warnings(folder: &Folder, diagnostics: &[Diagnostic], span: Span) -> TokenStream {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Warning)
        .map(|diagnostic| warning(&render(folder, diagnostic), span))
        .collect()
}

/// The errors, rendered. Beyond the first 50 they are only counted.
pub(crate) fn errors(folder: &Folder, diagnostics: &[Diagnostic]) -> Vec<String> {
    let errors = || {
        diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
    };
    let mut told: Vec<String> = errors()
        .take(MAX_ERRORS)
        .map(|diagnostic| render(folder, diagnostic))
        .collect();
    match errors().count().saturating_sub(MAX_ERRORS) {
        0 => {}
        1 => told.push("one more error in the skills".to_owned()),
        rest => told.push(format!("{rest} more errors in the skills")),
    }
    told
}

/// An error of rustc.
pub(crate) fn error(message: &str, span: Span) -> TokenStream {
    quote_spanned!(span=> compile_error! { #message })
}

/// A warning of rustc: the use of a constant that is deprecated for what the message says.
fn warning(message: &str, span: Span) -> TokenStream {
    quote_spanned! {span=>
        const _: () = {
            #[deprecated(note = #message)]
            const SKILL: () = ();
            SKILL
        };
    }
}

fn render(folder: &Folder, diagnostic: &Diagnostic) -> String {
    let text = Full::default()
        .root(&folder.path)
        .one(diagnostic, &|path| folder.source(path));
    let severity = format!("{}: ", diagnostic.severity);
    text.strip_prefix(&severity).unwrap_or(&text).to_owned()
}
