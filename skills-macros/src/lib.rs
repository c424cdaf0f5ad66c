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
/// The path is relative to the `Cargo.toml` of the crate. Options are written before or after the path,
/// separated by commas. An option overrides `skills.toml` in the folder:
///
/// | option | |
/// |---|---|
/// | `deny = ["…"]`, `warn = ["…"]`, `allow = ["…"]` | the levels of rules |
/// | `sealed = true` or `["…"]` | the sealed skills: a skill of a folder cannot shadow them |
/// | `budget = 8000` | the maximum characters of the catalog text |
/// | `locked = true` | the skills must equal `skills.lock` |
/// | `crate = ::path` | the path of the runtime in generated code |
///
/// The path is a string literal. The path `"."`, the package itself, requires a `skills.toml` there.
///
/// Each error in the skills is a compile error; after the first 50, errors are only counted. Even then
/// the expansion has the right type and the constants of all skills, so that no further error follows. A skill whose
/// name is not its folder's has a constant for both names.
///
/// A folder without a `SKILL.md` is not a skill and has no constant. If it was meant as a skill, the warning
/// `skill-file-missing` names the folder. With `deny = ["skill-file-missing"]` that is the only error.
///
/// # Cost
///
/// Reads, checks and digests every file of the skills, at every compilation of the crate.
#[proc_macro]
pub fn include_skills(input: TokenStream) -> TokenStream {
    skills_compiler::include_skills(input.into()).into()
}
