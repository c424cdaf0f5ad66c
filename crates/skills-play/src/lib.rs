//! The playground of the site: the skills that a web page holds, as the packages of this project see them.
//!
//! A [`Playground`] holds files as bytes and answers in JSON: findings and fixes, what each client sees, what a message
//! means, powers. Nothing is read, sent or stored. The rules, the facts and the resolver are those of the program
//! `skills`; here they are only put together for a page.
//!
//! Internal, no stability: the code behind `docs/play`.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod bundle;
mod catalog;
mod clients;
mod files;
mod findings;
mod message;
mod place;
#[cfg(target_arch = "wasm32")]
mod web;

pub use bundle::NOT_CHECKED;
pub use files::Playground;
