//! Diagnostics as what rustc shows.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use skills_format::{Diagnostic, Severity};

/// Most errors that are told one by one.
const MAX_ERRORS: usize = 50;

/// One error or warning of rustc for each diagnostic, at `span`.
pub(crate) fn tell(diagnostics: &[Diagnostic], span: Span) -> TokenStream {
    let of = |severity| {
        diagnostics
            .iter()
            .filter(move |diagnostic| diagnostic.severity == severity)
    };
    let mut tokens: TokenStream = of(Severity::Error)
        .take(MAX_ERRORS)
        .map(|diagnostic| error(&render(diagnostic), span))
        .collect();
    let rest = of(Severity::Error).count().saturating_sub(MAX_ERRORS);
    if rest > 0 {
        tokens.extend(error(&format!("{rest} more errors in the skills"), span));
    }
    tokens.extend(of(Severity::Warning).map(|diagnostic| warning(&render(diagnostic), span)));
    tokens
}

/// An error of rustc.
pub(crate) fn error(message: &str, span: Span) -> TokenStream {
    quote_spanned!(span=> compile_error! { #message })
}

/// A warning of rustc: a use of a constant that is deprecated for what the message says.
fn warning(message: &str, span: Span) -> TokenStream {
    quote_spanned! {span=>
        const _: () = {
            #[deprecated(note = #message)]
            const SKILLS: () = ();
            SKILLS
        };
    }
}

fn render(diagnostic: &Diagnostic) -> String {
    let Diagnostic {
        rule,
        path,
        start,
        message,
        help,
        ..
    } = diagnostic;
    let mut text = format!("{rule}: {message}\n --> {path}:{start}");
    if !help.is_empty() {
        text.push_str("\n  = help: ");
        text.push_str(help);
    }
    text
}
