//! Agent Skills for Rust programs: skills that ship inside the program, merged with the skills of users,
//! projects and plugins.
//!
//! A skill is a folder with a `SKILL.md`: a name, a description, and instructions for a language model.
//! An agent program (the *host*) links this crate. The crate does not call a model and does not print.
//! It takes texts and returns data:
//!
//! - [`include_skills!`] checks a folder of skills at compile time, and makes a [`Bundle`].
//! - A [`Catalog`] merges bundles and folders, and finds the skill with a name.
//! - [`Catalog::resolve`] says which skills a text names, with `$name` or as `/name`.
//! - [`Catalog::prompt`] lists the skills for the model, and [`Catalog::answer`] is what the model's one tool returns.
//! - [`Skill::activate`] gives the text of a skill that starts.
//!
//! # A complete host
//!
//! Here `send` stands for the call of the model. It returns the answer:
//!
//! ```
//! # mod host {
//! # macro_rules! include_skills {
//! #     ("skills") => { skills_runtime::include_skills!("tests/bundled") };
//! # }
//! use skills_runtime::{Bundle, Catalog};
//! # const _: &str = "
//! use skills_runtime::include_skills;
//! # ";
//!
//! /// The folder `skills` beside Cargo.toml.
//! static SKILLS: Bundle = include_skills!("skills");
//!
//! # pub struct Reply { pub asked: Option<&'static str> }
//! # fn asked_skill(reply: &Reply) -> Option<&str> { reply.asked }
//! pub fn run(lines: impl Iterator<Item = String>, mut send: impl FnMut(&str, &str) -> Reply) {
//!     let builder = Catalog::builder().directory("user", "home/.agents/skills");
//!     let catalog = builder.bundle("bundled", &SKILLS).load();
//!     for problem in catalog.diagnostics() {
//!         eprintln!("{problem}");
//!     }
//!     send("system", &catalog.prompt());
//!     for line in lines {
//!         let meant = catalog.resolve(&line);
//!         for notice in &meant.notices {
//!             eprintln!("{notice}");
//!         }
//!         for skill in &meant.skills {
//!             match skill.activate(meant.arguments(skill)) {
//!                 Ok(text) => _ = send("user", &text),
//!                 Err(why) => eprintln!("{why}"),
//!             }
//!         }
//!         // Of `$name` alone, no task remains: the model still gets what the person typed.
//!         let message = if meant.task.is_empty() { &line } else { &meant.task };
//!         let mut reply = send("user", message);
//!         while let Some(name) = asked_skill(&reply) {
//!             reply = send("tool", &catalog.answer(name));
//!         }
//!     }
//! }
//! # }
//! # let mut sent = Vec::new();
//! # host::run(["$code-review the parser".to_owned(), "/nope x".to_owned()].into_iter(), |role, text| {
//! #     sent.push((role.to_owned(), text.to_owned()));
//! #     host::Reply { asked: (sent.len() == 3).then_some("deploy-safley") }
//! # });
//! # let texts: Vec<&str> = sent.iter().map(|(_, text)| text.as_str()).collect();
//! # assert!(texts[0].starts_with("Call the tool `skill`") && texts[0].contains("<name>code-review</name>"));
//! # assert!(texts[1].starts_with("<skill_content name=\"code-review\""));
//! # assert_eq!(texts[2..], ["the parser", "No skill is named 'deploy-safley'. The nearest is 'deploy-safely'.", "/nope x"]);
//! ```
//!
//! The crate `skills-session` has conversations: what is active, tools and their approvals, typed arguments, completion, and
//! the habits of other programs. `skills-store` keeps what a person decided.
//!
//! # Three ways to include skills
//!
//! ```text
//! // 1. A value: all skills of a folder, found by name.
//! static SKILLS: Bundle = include_skills!("skills");
//!
//! // 2. A module: also a constant for each skill, checked by rustc.
//! include_skills! { pub mod skill in "skills" }
//!
//! // 3. Compiled by the build script, with `skills_compiler::Build`.
//! static SKILLS: Bundle = include_skills!(OUT_DIR, "skills");
//! ```
//!
//! The [guide] explains each of them, from an empty crate to a shipped bundle.
//!
//! # Words
//!
//! - A skill is *disabled* if a person has switched it off, and *enabled* otherwise.
//! - A skill is *sealed* if no skill of a folder may replace it.
//!
//! # The chapters
//!
//! | module | holds |
//! |---|---|
//! | [`bundle`] | skills that are part of the program |
//! | [`source`] | the sources of skills: folders, limits, trust |
//! | [`catalog`] | all skills, merged: which skill answers to a name |
//! | [`resolve`] | the meaning of a text: `$name` and `/name` |
//! | [`prompt`] | the list for the model, within a budget |
//! | [`activation`] | the text that enters when a skill starts |
//! | [`guide`] | from an empty crate to a shipped bundle |
//!
//! # Features
//!
//! | feature | default | gives |
//! |---|---|---|
//! | `macros` | yes | [`include_skills!`] |
//! | `arguments` | | structs for the typed arguments of bundled skills, in the module form of the macro |
//! | `include-dir` | | the files of a bundled skill as a folder of the package `include_dir` |
//! | `serde` | | outcomes, skills and trust records implement the traits of serde. `TrustRecord` can be deserialized; notices and outcomes are only serialized |
//! | `hot` | | a debug build reads bundled skills from the folder that they were compiled from, in a catalog that is [reloadable](CatalogBuilder::reloadable) |
//!
//! `cargo doc -p skills-runtime --no-deps --all-features` makes these pages with the items of every feature.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(feature = "macros"),
    allow(
        rustdoc::broken_intra_doc_links,
        reason = "the chapters link to the items of every feature"
    )
)]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make folders"))]
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

// The generated code of the macro names this crate.
#[cfg(test)]
extern crate self as skills_runtime;

/// Adds to a bundle the note of its folder. Generated code calls it; this crate decides what stays of the
/// note, since a `cfg` in generated code would ask the crate of the user.
#[cfg(all(feature = "hot", debug_assertions))]
#[doc(hidden)]
#[macro_export]
macro_rules! __hot {
    ($path:expr, $bundle:expr) => {
        $crate::__private::of($bundle, env!("CARGO_MANIFEST_DIR"), $path)
    };
}

#[cfg(not(all(feature = "hot", debug_assertions)))]
#[doc(hidden)]
#[macro_export]
macro_rules! __hot {
    ($path:expr, $bundle:expr) => {
        $bundle
    };
}

pub mod activation;
pub mod bundle;
pub mod catalog;
#[cfg(test)]
mod counted;
mod error;
#[cfg(test)]
mod fixture;
#[cfg(feature = "macros")]
pub mod guide;
pub mod prompt;
pub mod resolve;
pub mod source;

pub use bundle::Bundle;
pub use catalog::{Catalog, CatalogBuilder, Skill};
pub use error::{Error, ErrorKind};

pub use resolve::{Notice, Outcome, Resolution, Surface};
pub use skills_format::Diagnostic;
#[cfg(feature = "macros")]
pub use skills_macros::include_skills;

/// The items that generated code uses. Not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::__hot as hot;
    pub use crate::bundle::Bundle;
    pub use crate::bundle::folder::DirEntry;
    pub use crate::bundle::tables::{LAYOUT, Parts, SkillParts};
    pub use crate::bundle::tables::{dir, file, layout, skill, unchanged};
    pub use crate::catalog::Skill;
    pub use crate::catalog::generated::{body, bundle, constant, empty, of};
    pub use phf;
    #[cfg(feature = "arguments")]
    pub use skills_arguments::{Argument, Kind, Schema, TypedArguments, push, push_items};
    pub use skills_format::{Fields, Requires, Spelling, ToolRule};
    pub use std::borrow::Cow;
}
