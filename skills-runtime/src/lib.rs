//! Agent Skills for Rust programs: skills that ship inside the program, merged with the skills of users,
//! projects and plugins.
//!
//! A skill is a folder with a `SKILL.md`: a name, a description, and instructions for a language model.
//! An agent program (the *host*) links this crate. The crate does not call a model and does not print.
//! It takes texts and returns data:
//!
//! - [`include_skills!`] checks a folder of skills at compile time, and makes a [`Bundle`].
//! - A [`Catalog`] merges bundles and folders, and finds the skill with a name.
//! - [`Session::turn`] does a whole turn: from the text that a person types (`$name` in a text, or a
//!   slash command) to the notices to show, the messages to send and the tools still allowed.
//! - [`Catalog::prompt`] and `Catalog::tools` (feature `tool`) give the model its list of skills and its tools.
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
//! # A complete host
//!
//! The host reads lines, and sends messages to its model. Here `send` stands for the call of the model:
//!
//! ```
//! # mod host {
//! # macro_rules! include_skills {
//! #     ("skills") => { skills_runtime::include_skills!("tests/bundled") };
//! # }
//! use skills_runtime::options::ToolKind;
//! use skills_runtime::session::Message;
//! use skills_runtime::{Bundle, Catalog, Profile, Session, Surface};
//! # const _: &str = "
//! use skills_runtime::include_skills;
//! # ";
//!
//! /// The folder `skills` beside Cargo.toml.
//! static SKILLS: Bundle = include_skills!("skills");
//!
//! pub fn run(lines: impl Iterator<Item = String>, mut send: impl FnMut(&str, &str)) {
//!     // Highest rank first. A host with folders adds `.directory("user", …)` before the bundle.
//!     let loaded = Catalog::builder().bundle("bundled", &SKILLS).load();
//!     for diagnostic in &loaded.diagnostics {
//!         eprintln!("{diagnostic}");
//!     }
//!     let catalog = loaded.catalog;
//!     let mut session = Session::new(Profile::DEFAULT);
//!     // Skills name tools as other programs do. The kinds say which tools of this host they mean.
//!     session.set_tools([("fs_read", ToolKind::Read), ("bash_exec", ToolKind::Shell)]);
//!     // This profile's catalog text goes into the system prompt: `profile.catalog.place`.
//!     send("system", &catalog.prompt(session.profile()).text);
//!     for line in lines {
//!         let turn = session.turn(&catalog, &line, Surface::User);
//!         for notice in turn.notices {
//!             eprintln!("{notice}");
//!         }
//!         if let Some(dispatch) = turn.dispatch {
//!             match dispatch.ask(&catalog, |_tool, _arguments| false) {
//!                 Ok(call) => eprintln!("calling {}", call.tool),
//!                 Err(refused) => eprintln!("{refused}"),
//!             }
//!         }
//!         if let Some(request) = turn.request {
//!             eprintln!("not implemented: {request:?}");
//!         }
//!         // Before each call of the model: refuse what `session.tools()` does not allow, and ask the person
//!         // unless `session.approved()` admits the call.
//!         for message in turn.messages {
//!             match message {
//!                 Message::System { text } => send("system", &text),
//!                 Message::Exchange(call) => send(&call.tool, &call.result),
//!                 message => send("user", message.text()),
//!             }
//!         }
//!     }
//! }
//! # }
//! # let mut sent = Vec::new();
//! # host::run(["$code-review the parser".to_owned()].into_iter(), |_, text| sent.push(text.to_owned()));
//! # assert_eq!(sent.len(), 3);
//! # assert!(sent[1].contains("<skill_content name=\"code-review\""));
//! # assert_eq!(sent[2], "the parser");
//! ```
//!
//! `Conversation` of the crate `skills-store` is such a host that also stores the messages and the disabled and trusted
//! skills, and reloads changed folders.
//!
//! # Words
//!
//! - A skill is *disabled* if a person has switched it off, and *enabled* otherwise.
//! - A skill is *active* from its start to its end: by the profile's lifetime, by `/skill stop`, or
//!   because the skill may no longer be active. Its tool lists are in force for that time, or for the turn.
//! - The *gate* is the host's own decision about a tool call. The same gate decides about calls of the
//!   model and of commands: [`resolve::Verdict`].
//! - A *request* is what a person asks of the host with `/skill`: [`resolve::Request`].
//! - The *rules* of a profile are a text for the model. The rules of a skill are its `allowed-tools`.
//!
//! # The chapters
//!
//! | module | holds |
//! |---|---|
//! | [`options`] | what a host can choose, as data |
//! | [`profile`] | sets of options that follow existing systems |
//! | [`bundle`] | skills that are part of the program |
//! | [`source`] | the sources of skills: folders, limits, trust |
//! | [`catalog`] | all skills, merged: which skill answers to a name, and to a command |
//! | [`resolve`] | the meaning of a text: `$name`, slash commands and typed arguments |
//! | [`prompt`] | the catalog text within a budget; with the feature `rank`, skills ranked by the words of a text |
//! | [`activation`] | the text that enters the conversation when a skill starts |
//! | [`session`] | whole turns, the model's tools, and the skills that are active in a conversation |
//! | [`complete`] | completion of `$name` and `/name` |
//! | [`guide`] | from an empty crate to a shipped bundle |
//!
//! # Features
//!
//! | feature | default | gives |
//! |---|---|---|
//! | `macros` | yes | [`include_skills!`] |
//! | `session` | yes | [`activation`], [`prompt`], [`session`] and [`complete`]: without it a program asks what a text means, and takes the text of the skill itself |
//! | `include-dir` | | the files of a bundled skill as a folder of the package `include_dir` |
//! | `serde` | | outcomes, renderings, profiles and sessions implement the traits of serde. `SessionState`, `Profile`, `State`, `TrustRecord` and messages can be deserialized; notices and outcomes are only serialized |
//! | `rank` | | skills ranked by the words of a text, without a model; turns `session` on |
//! | `tool` | | the model's tools: definitions and calls as JSON; turns `serde` and `rank` on |
//! | `profiles` | | the profiles of existing programs, beside [`Profile::DEFAULT`] |
//! | `remote` | | skills of MCP servers, from data that the host fetched, verified; turns `tool` on |
//! | `hot` | | in a debug build that cargo starts, bundled skills are read again from their folder: [`Bundle::origin`] |
//! | `powers` | | a build with `locked = true` also reports each power that a changed skill gained |
//! | `watch` | | a thread that reloads the catalog when a folder changes |
//!
//! `cargo doc -p skills-runtime --no-deps --all-features` makes these pages with the items of every feature.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(all(feature = "macros", feature = "tool")),
    allow(
        rustdoc::broken_intra_doc_links,
        reason = "the chapters link to the items of every feature"
    )
)]
#![cfg_attr(
    not(feature = "session"),
    allow(
        dead_code,
        reason = "the catalog has parts for sessions alone; no code is made of them"
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

#[cfg(feature = "session")]
pub mod activation;
pub mod bundle;
pub mod catalog;
#[cfg(feature = "session")]
pub mod complete;
mod error;
#[cfg(test)]
mod fixture;
#[cfg(feature = "macros")]
pub mod guide;
pub mod options;
pub mod profile;
#[cfg(feature = "session")]
pub mod prompt;
pub mod resolve;
#[cfg(feature = "session")]
pub mod session;
pub mod source;
mod text;

#[cfg(feature = "session")]
pub use activation::Activation;
pub use bundle::{Bundle, SkillRef};
pub use catalog::{Catalog, CatalogBuilder, Entry, Loaded};
pub use error::{Error, ErrorKind};

pub use profile::Profile;
pub use resolve::{Notice, Outcome, Resolution, Surface};
#[cfg(feature = "session")]
pub use session::Session;
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
    pub use crate::resolve::arguments::typed::{Scalar, TypedArguments, push, push_items};
    pub use phf;
    pub use skills_format::arguments::{Argument, Kind, Schema};
    pub use skills_format::{Fields, Requires, Spelling, ToolRule};
    pub use std::borrow::Cow;
}
