//! Expands an invocation with an error in its options.

use crate::expand::input::{Module, module_named};
use crate::expand::tokens::Misuse;
use proc_macro2::TokenStream;
use quote::quote;

/// Renders the error. The module form expands to a module with the name too: otherwise each use of the module would be
/// a second error, that there is no such crate. Errors between items end the build before the names in the module are
/// resolved.
pub(crate) fn expanded(error: Misuse, input: TokenStream) -> TokenStream {
    let error = error.into_compile_error();
    match module_named(input) {
        None => error,
        Some(Module {
            visibility, name, ..
        }) => quote!(#visibility mod #name { #error }),
    }
}
