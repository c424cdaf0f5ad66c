//! The macro `include_skills!`, a thin layer over `skills-compiler`.
//!
//! Programs depend on `skills-runtime`, which exports the macro and the types in its generated code.

use proc_macro::TokenStream;

/// Checks a folder of skills and bakes it into the program.
///
/// ```text
/// static SKILLS: Bundle = include_skills!("skills");             // a value
/// include_skills! { pub mod skill in "skills" }                  // a module of constants
/// static SKILLS: Bundle = include_skills!(OUT_DIR, "skills");    // the bundle of the build script
/// ```
///
/// `skill::bundle()` of the module form is the value of the first form. The bundle of a build script has no constants, and
/// is taken only if the last run of the script has baked it.
///
/// The path is a string literal, relative to the `Cargo.toml` of the crate. The path `"."`, the package itself, requires a
/// `skills.toml` there. `crate = ::path`, before or after the path, is the path of the runtime in generated code: for a
/// macro that calls this one, and for a renamed dependency. All other options are keys of `skills.toml`.
///
/// Each error in the skills is a compile error; after the first 50, errors are only counted. Even then
/// the expansion has the right type and the constants of all skills, so that no further error follows. A skill whose
/// name is not its folder's has a constant for both names. Advice is for `skills check` and `skills_repository::test!`.
///
/// # Cost
///
/// Reads, checks and digests every file of the skills, at every compilation of the crate.
#[proc_macro]
pub fn include_skills(input: TokenStream) -> TokenStream {
    skills_compiler::include_skills(input.into()).into()
}
