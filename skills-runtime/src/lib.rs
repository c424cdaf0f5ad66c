//! Agent Skills for Rust programs: skills that ship inside the program, merged with the skills of users,
//! projects and plugins.
//!
//! A skill is a folder with a `SKILL.md`: a name, a description, and instructions for a language model.
//! An agent program (the *host*) links this crate. The crate does not call a model and does not print.
//! It takes texts and returns data:
//!
//! - [`include_skills!`] checks a folder of skills at compile time, and makes a [`Bundle`].
//! - A [`Catalog`] merges bundles and folders, and finds the skill with a name.
//! - [`Catalog::mentions`] finds the skills that a text names with `$name`.
//!
//! Conversations stand in the crate `skills-session`: slash commands, the text that enters when a skill starts, the list
//! for the model and its tools.
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
//! | [`resolve`] | the meaning of `$name` in a text |
//! | [`guide`] | from an empty crate to a shipped bundle |
//!
//! # Features
//!
//! | feature | default | gives |
//! |---|---|---|
//! | `macros` | yes | [`include_skills!`] |
//! | `arguments` | | structs for the typed arguments of bundled skills, in the module form of the macro |
//! | `include-dir` | | the files of a bundled skill as a folder of the package `include_dir` |
//! | `serde` | | outcomes, skills and trust records implement the traits of serde. `State` and `TrustRecord` can be deserialized; notices and outcomes are only serialized |
//! | `remote` | | skills of MCP servers, from data that the host fetched, verified |
//! | `hot` | | in a debug build that cargo starts, bundled skills are read again from their folder: [`Bundle::origin`] |
//! | `watch` | | a thread that reloads the catalog when a folder changes |
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
        $bundle.__noted($crate::__private::Site::new(
            env!("CARGO_MANIFEST_DIR"),
            $path,
        ))
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

pub mod bundle;
pub mod catalog;
#[cfg(test)]
mod counted;
mod error;
#[cfg(test)]
mod fixture;
#[cfg(feature = "macros")]
pub mod guide;
pub mod resolve;
pub mod source;

pub use bundle::{Bundle, SkillRef};
pub use catalog::{Catalog, CatalogBuilder, Entry, Loaded};
pub use error::{Error, ErrorKind};

pub use resolve::{Notice, Outcome, Resolution, Surface};
pub use skills_format::{Diagnostic, Severity};

// Hidden: the parts of a text. Only the packages of this repository use it.
#[doc(hidden)]
pub use skills_format::Prose;
#[cfg(feature = "macros")]
pub use skills_macros::include_skills;

/// The items that generated code uses. Not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::__hot as hot;
    pub use crate::bundle::folder::DirEntry;
    pub use crate::bundle::tables::{LAYOUT, Parts, SkillParts};
    pub use crate::bundle::tables::{dir, file, layout, skill, unchanged};
    #[cfg(all(feature = "hot", debug_assertions))]
    pub use crate::bundle::version::Site;
    pub use crate::bundle::{Bundle, SkillRef};
    pub use phf;
    #[cfg(feature = "arguments")]
    pub use skills_arguments::{Scalar, TypedArguments, push, push_items};
    pub use skills_format::arguments::{Argument, Kind, Schema};
    pub use skills_format::{Fields, Requires, Spelling, ToolRule};
    pub use std::borrow::Cow;
}
