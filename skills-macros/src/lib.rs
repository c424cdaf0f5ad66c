//! `include_skills!`, a shell over `skills-compiler`.

use proc_macro::TokenStream;

/// Bakes a folder of skills into a `Bundle`.
#[proc_macro]
pub fn include_skills(input: TokenStream) -> TokenStream {
    skills_compiler::include_skills(input.into()).into()
}
