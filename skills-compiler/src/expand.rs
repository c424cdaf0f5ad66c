//! The expansion of `include_skills!`.

use crate::compile::Compiled;
use crate::emit::{self, Baked};
use crate::folder::Folder;
use crate::input::{self, Form, Input, Module};
use crate::layout::Layout;
use crate::module;
use crate::tell::{error, tell};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote};
use skills_format::{Diagnostic, Severity};
use std::path::PathBuf;

/// Expands `include_skills!`. Faults are told in the expansion, which is well-typed in every case.
pub fn include_skills(input: TokenStream) -> TokenStream {
    let input = match input::parse(input) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let Some(manifest) = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from) else {
        return error(
            "CARGO_MANIFEST_DIR is not set: build with cargo",
            Span::call_site(),
        );
    };
    let Input {
        form,
        path,
        krate,
        config,
    } = input;
    let runtime = quote!(#[allow(unused_imports)] use #krate::__private as __skills;);
    match form {
        Form::OutDir => TokenStream::new(),
        Form::Value => {
            let folder = Folder::read(&manifest, &path.value(), config);
            let compiled = Compiled::new(&folder);
            let bundle = bundle(&folder, &compiled, path.span());
            quote!({ #runtime #bundle })
        }
        Form::Module(Module {
            attributes,
            visibility,
            name,
        }) => {
            let folder = Folder::read(&manifest, &path.value(), config);
            let mut compiled = Compiled::new(&folder);
            let faults = module::check(&compiled);
            compiled.diagnostics.extend(faults);
            let bundle = bundle(&folder, &compiled, path.span());
            let constants = module::constants(&compiled);
            quote! {
                #(#attributes)*
                #visibility mod #name {
                    #runtime
                    static __BUNDLE: __skills::Bundle = { #bundle };
                    /// All skills of the bundle.
                    pub fn bundle() -> &'static __skills::Bundle {
                        &__BUNDLE
                    }
                    #constants
                }
            }
        }
    }
}

/// The statements of a block whose value is the bundle.
pub(crate) fn bundle(folder: &Folder, compiled: &Compiled<'_>, span: Span) -> TokenStream {
    let mut tokens = tell(&compiled.diagnostics, span);
    if compiled.is_faulty() {
        tokens.extend(quote!(__skills::Bundle::empty()));
        return tokens;
    }
    let Ok(layout) = Layout::new(&compiled.model) else {
        let message = "the skills are too large for one bundle";
        let fault = Diagnostic::new("skill-too-large", Severity::Error, &folder.path, message);
        tokens.extend(tell(&[fault], span));
        tokens.extend(quote!(__skills::Bundle::empty()));
        return tokens;
    };
    let Baked { items, value } = emit::bake(&folder.path, &compiled.model, &layout);
    items.to_tokens(&mut tokens);
    value.to_tokens(&mut tokens);
    tokens
}
