//! Diagnostics as what rustc shows.

use crate::folder::Folder;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use skills_format::render::{Full, quoted};
use skills_format::{Diagnostic, Severity};

/// Most errors, and most warnings, that are told one by one.
const MAX: usize = 50;

/// One warning of rustc for each warning. Beyond the first 50 they are only counted.
pub(crate) fn warnings(folder: &Folder, diagnostics: &[Diagnostic], span: Span) -> TokenStream {
    rendered(folder, diagnostics, Severity::Warning)
        .iter()
        .map(|message| warning(message, span))
        .collect()
}

/// The errors, rendered. Beyond the first 50 they are only counted.
pub(crate) fn errors(folder: &Folder, diagnostics: &[Diagnostic]) -> Vec<String> {
    rendered(folder, diagnostics, Severity::Error)
}

fn rendered(folder: &Folder, diagnostics: &[Diagnostic], severity: Severity) -> Vec<String> {
    let (shown, rest): (Vec<_>, Vec<_>) = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == severity)
        .enumerate()
        .partition(|(i, _)| *i < MAX);
    let mut told: Vec<String> = shown
        .into_iter()
        .map(|(_, diagnostic)| render(folder, diagnostic))
        .collect();
    match rest.len() {
        0 => {}
        1 => told.push(format!("one more {severity} in the skills")),
        rest => told.push(format!("{rest} more {severity}s in the skills")),
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
    let path = quoted(&folder.path);
    let text = Full::default()
        .arguments(&path)
        .one(diagnostic, &|path| folder.source(path));
    let severity = format!("{}: ", diagnostic.severity);
    text.strip_prefix(&severity).unwrap_or(&text).to_owned()
}
