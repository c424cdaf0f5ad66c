//! Markdown, by the rules of `CommonMark` 0.31: the blocks of a text (`reader.rs`), the parts of a paragraph that
//! are not text (`inline.rs`), and the plain text of a paragraph (`plain.rs`).
//!
//! This is what a program links to find mentions, so it is small. It makes no tree. The time is linear in the
//! text.
//!
//! The rules need the place of every part, and read Markdown with pulldown-cmark. They parse
//! `parser_input::parser_input` of a text, never the text itself, so that the time is linear there too.

pub(crate) mod blocks;
mod container;
mod cursor;
#[cfg(feature = "yaml")]
mod emphasis;
mod entity;
mod html;
pub(crate) mod inline;
pub(crate) mod link;
mod marker;
#[cfg(feature = "yaml")]
pub(crate) mod plain;
pub(crate) mod reader;

#[cfg(any(feature = "rules", test))]
pub(crate) mod parser_input;
#[cfg(any(feature = "rules", test))]
mod titles;

#[cfg(all(test, feature = "yaml"))]
mod tests;
