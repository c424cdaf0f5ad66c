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
//! Before the first release, with a clone of the repository beside the crate, the last line is
//! `cargo add skills-runtime --path ../skills/skills-runtime`.
//!
//! A skill is a folder with a `SKILL.md`. The folder has the skill's name. The description says what the
//! skill does and when to use it. The text after the front matter is the skill's body: a model reads it
//! when the skill starts.
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
//! Put this text into `skills/release-notes/SKILL.md`, and the template beside it. Then write a
//! `build.rs`, so that cargo notices a new folder:
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
//! #     ("skills") => { skills_runtime::include_skills!("tests/skills") };
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
//! The program holds all skills. [`Bundle::get`](crate::Bundle::get) hashes the name once and compares one
//! name. At start, the program parses, allocates and reads nothing for them.
//!
//! # When something is wrong
//!
//! The folder is checked when the crate is compiled. An error stops the build. All faults of all files are
//! reported together, and editors show the faults at the macro:
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
//! `skills check skills` reports the same faults without a build. `skills explain name-mismatch` explains the rule.
//!
//! A warning of a rule becomes a warning of rustc, "use of deprecated constant", with the finding as its
//! note. A macro has no other way to warn. Under `-D warnings` it is an error: fix the skill, or allow the
//! rule.
//!
//! # Options
//!
//! `skills/skills.toml` holds the options. `skills check` reads it too:
//!
//! ```toml
//! allow = ["body-length"]        # or deny, or warn: the severity of a rule's findings
//! sealed = ["release-notes"]     # or true: no skill of a user or a project shadows these skills
//! budget = 8000                  # the most characters of the catalog text
//! locked = true                  # the skills must match skills.lock
//! tools = ["Read", "Bash"]       # the tools that `allowed-tools` can name
//!
//! [limits]                       # larger skills are an error, and are not read
//! skill-files = 512              # files of a skill
//! skill-bytes = 16_777_216       # bytes of a skill
//! bundle-bytes = 268_435_456     # bytes of all skills
//! ```
//!
//! The macro takes the same options, except `tools` and `limits`, and overrides the options of the file. With
//! `OUT_DIR` the build script takes the options instead:
//!
//! ```text
//! include_skills!("skills", allow = ["body-length"], locked = true)
//! ```
//!
//! # Names as constants
//!
//! As an item, the macro makes a module with a constant for each skill. The documentation of a constant is
//! the skill's description. A misspelt constant is an error of rustc, with a suggestion. The constant of a
//! name that begins with a digit gets a leading `_`.
//!
//! ```
//! # macro_rules! include_skills {
//! #     ($v:vis mod $m:ident in "skills") => { skills_runtime::include_skills! { $v mod $m in "tests/skills" } };
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
//! The macro runs each time its crate is compiled. For many skills, or when you prefer generated files, let
//! the build script do the work. The macro then takes the generated files without another check.
//! `skills-compiler` becomes a build dependency:
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
//! The bundle, the errors and the warnings are the same. The options are methods of `Build`.
//!
//! # Under another name
//!
//! A framework can offer the macro as its own. The framework's macro names the path of the runtime, so its
//! users need no other dependency. The braces make the macro work as an item too:
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
//! `skills lock skills` writes `skills/skills.lock`. The lock holds the digest of the bundle, and the name,
//! digest and size of each skill. With `locked = true` a build fails when the skills differ from the lock.
//! The error names each skill that was added, removed or changed. So the bundle that ships is the bundle
//! that was reviewed. In CI:
//!
//! ```console
//! $ skills lock --check skills
//! $ cargo build --locked
//! ```
//!
//! Digests are over bytes. This line in `.gitattributes` gives a checkout on Windows the same digests:
//!
//! ```text
//! skills/** -text
//! ```
//!
//! # Publishing
//!
//! `cargo package` silently leaves out three kinds of files: folders with a `Cargo.toml` of their own, files
//! that `include` in the manifest does not name, and files that git ignores. The warning `package-loss`
//! of `skills check` reports the files of skills that would be left out. The macro and build scripts report
//! only folders with a `Cargo.toml`, because they read no ignore file. The warning also reports a folder outside of
//! the package, such as `include_skills!("../skills")` in a workspace, unless the package has `publish =
//! false`.
//!
//! # What it costs
//!
//! A skill with two files costs about 600 bytes besides the files themselves. At start, the loader runs about
//! 100 instructions for each skill.
//!
//! Cargo compiles macros and build scripts without optimisation, also under `--release`. These lines make
//! the check of a bundle of many megabytes much faster:
//!
//! ```toml
//! [profile.dev.build-override]
//! opt-level = 2
//!
//! [profile.release.build-override]
//! opt-level = 2
//! ```
//!
//! # Serving a bundle
//!
//! The package `skills-server` serves the skills of a [`Catalog`](crate::Catalog) over the Model Context Protocol. The
//! digests of bundled skills were computed at compile time.

#![expect(
    clippy::needless_doctest_main,
    reason = "the guide shows whole programs"
)]
