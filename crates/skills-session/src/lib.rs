//! Conversations with Agent Skills: what a text means, the texts that a model gets, and the skills that
//! are active.
//!
//! [`skills_runtime`] has the catalog of skills. This crate does a whole turn: [`Session::turn`] takes the text that a
//! person types (`$name` in a text, or a slash command) to the notices to show, the messages to send and the tools still
//! allowed. It calls no model and prints nothing.
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
//! use skills_runtime::{Bundle, Catalog, Surface};
//! use skills_session::options::{Options, ToolKind};
//! use skills_session::session::Message;
//! use skills_session::Session;
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
//!     for diagnostic in loaded.diagnostics() {
//!         eprintln!("{diagnostic}");
//!     }
//!     let catalog = loaded;
//!     let mut session = Session::new(Options::DEFAULT);
//!     // Skills name tools as other programs do. The kinds say which tools of this host they mean.
//!     session.set_tools([("fs_read", ToolKind::Read), ("bash_exec", ToolKind::Shell)]);
//!     // These options put the catalog text into the system prompt: `options.catalog.place`.
//!     send("system", &session.dialect().list(&catalog).text);
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
//! - A skill is *active* from its start to its end: by [`options::Options::lasts_one_turn`], by `/skill stop`, or
//!   because the skill may no longer be active. Its tool lists are in force for that time, or for the turn.
//! - The *gate* is the host's own decision about a tool call. The same gate decides about calls of the
//!   model and of commands: [`resolve::Verdict`].
//! - A *request* is what a person asks of the host with `/skill`: [`resolve::Request`].
//! - The *rules* of a dialect are a text for the model. The rules of a skill are its `allowed-tools`.
//!
//! # The chapters
//!
//! | module | holds |
//! |---|---|
//! | [`options`] | what a host can choose, as data |
//! | [`Dialect`] | what it can change beside: the texts, the names of commands |
//! | [`resolve`] | the meaning of a whole text: slash commands, requests of `/skill`, mentions |
//! | [`commands`] | the slash commands of the skills |
//! | [`prompt`] | skills ranked by the words of a text |
//! | [`activation`] | the text that enters the conversation when a skill starts |
//! | [`session`] | whole turns, the model's tools, and the skills that are active in a conversation |
//! | [`complete`] | completion of `$name` and `/name` |
//! | [`remote`] | the skills of an MCP server, verified |
//! | [`scheduled`] | skills that run at a time, beside the catalog |
//! | [`powers`] | the powers that a lock holds skills to |

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make folders"))]
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

// The generated code and the documents name this crate.
#[cfg(test)]
extern crate self as skills_session;

pub mod activation;
pub mod commands;
pub mod complete;
mod default;
mod dialect;
#[cfg(test)]
mod fixture;
pub(crate) mod listed;
pub mod options;
pub mod powers;
pub mod prompt;
pub mod remote;
pub mod resolve;
pub mod scheduled;
pub mod session;

pub use activation::Activation;
pub use dialect::Dialect;
pub use resolve::{Notice, Resolution};
pub use session::Session;
