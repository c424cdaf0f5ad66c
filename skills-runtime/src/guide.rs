//! From an empty crate to a shipped bundle.
//!
//! # A first skill
//!
//! ```console
//! $ cargo new my-agent
//! $ cd my-agent
//! $ cargo add skills-runtime
//! ```
//!
//! A skill is a folder with a `SKILL.md`. The folder's name is the skill's, the description says
//! what it does and when to use it, and what follows is what a model reads when it starts:
//!
//! ```md
//! ---
//! name: release-notes
//! description: Writes release notes from the commits since the last tag. Use before a release.
//! ---
//!
//! # Release notes
//!
//! Sort the changes by [the template](assets/template.md).
//! ```
//!
//! Put it into `skills/release-notes/SKILL.md`, and the template beside it. Then `build.rs`, so that
//! cargo notices when a folder is added:
//!
//! ```
//! fn main() {
//!     println!("cargo::rerun-if-changed=skills");
//! }
//! ```
//!
//! and the program:
//!
//! ```
//! # macro_rules! include_skills {
//! #     ("skills") => { skills_runtime::include_skills!("../bundled-skills/skills", allow = ["package-loss"]) };
//! # }
//! # use skills_runtime::Bundle;
//! # const _: &str = "
//! use skills_runtime::{Bundle, include_skills};
//! # ";
//!
//! /// Every skill under `skills/`.
//! static SKILLS: Bundle = include_skills!("skills");
//!
//! fn main() {
//!     let skill = SKILLS.get("release-notes").expect("it is in the bundle");
//!     println!("{}", skill.body());
//!     for file in skill.files() {
//!         println!("{} has {} bytes, {}", file.path, file.bytes.len(), file.digest);
//!     }
//! }
//! ```
//!
//! Everything is in the program: [`Bundle::get`](crate::Bundle::get) hashes the name once and
//! compares it once, and nothing is parsed, allocated or read when the program starts.
//!
//! # When something is wrong
//!
//! The folder is checked when the crate is compiled. An error stops the build; all faults of all
//! files are told at once, and editors show them at the macro:
//!
//! ```text
//! error: name-mismatch: the skill is named `release-note`, its folder `release-notes`
//!         --> skills/release-notes/SKILL.md:2:7
//!          |
//!        2 | name: release-note
//!          |       ^^^^^^^^^^^^ write `release-notes`, or rename the folder
//!          = help: `skills check --fix --unsafe skills` writes it
//! ```
//!
//! `skills check skills` says the same without a build, and `skills explain name-mismatch` says why.
//!
//! What could be better is a warning of rustc, "use of deprecated constant", whose note is the
//! finding: rustc has no other way for a macro to warn. Under `-D warnings` it is an error; the
//! answer is to mend it, or to allow the rule.
//!
//! # Options
//!
//! They stand in `skills/skills.toml`, which `skills check` reads too:
//!
//! ```toml
//! allow = ["body-length"]        # or deny, or warn: what a rule's findings count as
//! sealed = ["release-notes"]     # or true: no skill of a user or a project may shadow these
//! budget = 8000                  # characters of the catalog text
//! locked = true                  # the skills must be those of skills.lock
//! tools = ["Read", "Bash"]       # what `allowed-tools` may name
//! ```
//!
//! or in the invocation, where all but `tools` can be given and go before the file's:
//!
//! ```text
//! include_skills!("skills", allow = ["body-length"], locked = true)
//! ```
//!
//! # Names as constants
//!
//! In the place of items the macro makes a module with a constant for each skill, whose
//! documentation is the description. A misspelt one is an error of rustc with its suggestion. A name
//! that begins with a digit gets a leading `_`.
//!
//! ```
//! # macro_rules! include_skills {
//! #     ($v:vis mod $m:ident in "skills") => { skills_runtime::include_skills! { $v mod $m in "../bundled-skills/skills", allow = ["package-loss"] } };
//! # }
//! # const _: &str = "
//! use skills_runtime::include_skills;
//! # ";
//!
//! include_skills! { pub mod skill in "skills" }
//!
//! fn main() {
//!     assert_eq!(skill::RELEASE_NOTES.name(), "release-notes");
//!     assert!(skill::bundle().len() > 1);
//! }
//! ```
//!
//! # Baked by the build script
//!
//! The macro is run again whenever its crate is compiled. With many skills, or where generated files
//! are preferred, the build script does the work and the macro takes what it wrote, without another
//! check. `skills-compiler` is a build dependency then:
//!
//! ```text
//! // build.rs
//! fn main() -> Result<(), skills_compiler::Error> {
//!     skills_compiler::Build::new("skills").compile()
//! }
//!
//! // src/main.rs
//! static SKILLS: Bundle = include_skills!(OUT_DIR, "skills");
//! ```
//!
//! The bundle is the same. Options are methods of `Build`.
//!
//! # Under another name
//!
//! A framework that offers the macro as its own says where the runtime is, so that its users need no
//! other dependency. The braces make it work in the place of items too:
//!
//! ```text
//! #[doc(hidden)]
//! pub use skills_runtime as agent_runtime;
//!
//! #[macro_export]
//! macro_rules! agent_skills {
//!     ($($input:tt)*) => {
//!         $crate::agent_runtime::include_skills! { crate = $crate::agent_runtime, $($input)* }
//!     };
//! }
//! ```
//!
//! # The lock
//!
//! `skills lock skills` writes `skills/skills.lock`: the digest of the bundle, and of each skill its
//! name, digest and size. With `locked = true` a build whose skills differ fails, and names each
//! skill that was added, removed or changed: the reviewed bundle stays the reviewed bundle. In CI:
//!
//! ```console
//! $ skills lock --check skills
//! $ cargo build --locked
//! ```
//!
//! Digests are over bytes. So that a checkout on Windows has the same ones, `.gitattributes` says:
//!
//! ```text
//! skills/** -text
//! ```
//!
//! # Publishing
//!
//! `cargo package` leaves out, without a word, every folder that has a `Cargo.toml` of its own, what
//! `include` in the manifest does not name, and what git ignores. The warning `package-loss` tells
//! which files of skills these would be. A folder outside of the package, such as
//! `include_skills!("../skills")` in a workspace, is told too, unless the package has
//! `publish = false`.
//!
//! # What it costs
//!
//! Some 600 bytes a skill with two files, beside the files themselves, and some 100 instructions a
//! skill at start, which are the loader's.
//!
//! Cargo compiles macros and build scripts without optimisation, also under `--release`. For a
//! bundle of many megabytes, digests and Markdown are faster by far with
//!
//! ```toml
//! [profile.dev.build-override]
//! opt-level = 2
//!
//! [profile.release.build-override]
//! opt-level = 2
//! ```
//!
//! # What is served
//!
//! [`Bundle::manifest`](crate::Bundle::manifest) is what a server of the Model Context Protocol lists,
//! from digests that were computed when the program was compiled. [`Catalog`](crate::Catalog) merges
//! bundles with the skills of users and projects.

#![expect(
    clippy::needless_doctest_main,
    reason = "a build script and a program are shown whole"
)]
