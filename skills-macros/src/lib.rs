//! `include_skills!`, a shell over `skills-compiler`.
//!
//! Programs depend on `skills-runtime`, which offers the macro and holds the types that it names.

use proc_macro::TokenStream;

/// Checks a folder of skills and bakes it into the program.
///
/// ```text
/// static SKILLS: Bundle = include_skills!("skills");             // a value
/// include_skills! { pub mod skill in "skills" }                  // a module of constants
/// static SKILLS: Bundle = include_skills!(OUT_DIR, "skills");    // what the build script baked
/// ```
///
/// The path is relative to the `Cargo.toml` of the crate. Options follow or precede it, separated by
/// commas, and go before those of `skills.toml` in the folder:
///
/// | option | |
/// |---|---|
/// | `deny = ["…"]`, `warn = ["…"]`, `allow = ["…"]` | what the findings of rules count as |
/// | `sealed = true` or `["…"]` | skills that no folder's skill may shadow |
/// | `budget = 8000` | characters that the catalog text may have |
/// | `locked = true` | the skills must be those of `skills.lock` |
/// | `crate = ::path` | where generated code finds the runtime |
///
/// Every error in the skills is an error here, at most fifty of them; the expansion has the right
/// type in every case, so that no other error follows from them.
#[proc_macro]
pub fn include_skills(input: TokenStream) -> TokenStream {
    skills_compiler::include_skills(input.into()).into()
}
