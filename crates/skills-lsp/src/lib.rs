//! A language server for [Agent Skills](https://agentskills.io): the findings of `skills check` as an author types.
//!
//! [`serve`] answers the messages of a [`Connection`]; [`stdio`] makes a connection over standard input and output. An
//! open document replaces the file on the disk. The server writes no file: an editor applies the edits of its answers.
//!
//! A change of one skill checks this skill again, and the rules that compare skills; no other skill is read.
//!
//! Internal, no stability: what `skills lsp` runs.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod actions;
mod answer;
mod complete;
mod documents;
mod front;
mod hover;
mod navigate;
mod place;
mod project;
mod published;
mod references;
mod rename;
mod server;
mod state;
mod text;
mod wire;

pub use lsp_server::Connection;
pub use server::serve;
pub use wire::stdio;
