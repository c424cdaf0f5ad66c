//! A Markdown reader, by the rules of `CommonMark` 0.31: the blocks of a text (`reader.rs`), the parts of a
//! paragraph that are not text (`inline.rs`), and the plain text of a paragraph (`plain.rs`).
//!
//! Programs link this reader to find mentions, so the reader is small. It builds no tree, and its time is linear
//! in the text.
//!
//! The lint rules need the place of every part, and read Markdown with pulldown-cmark. The rules parse
//! `parser_input::parser_input` of a text, never the text itself, so that their time is linear too.

// The masks, and the headings and paragraphs of lenient reading, come from this reader. A parser library makes
// every program that links the runtime 0.3 MB larger, of which 0.2 MB are its table of entities with the
// relocations of that table. A library also needs more than linear time for some texts. The reader reads the
// inside of a paragraph only if a `$name` stands there. Tests compare the reader with two parsers, pulldown-cmark
// and comrak, and name each difference with its reason.
//
// The rules read Markdown with pulldown-cmark, which reports the place of every part. A program that only uses the
// runtime does not link it.

pub(crate) mod blocks;
mod container;
mod cursor;
mod emphasis;
pub mod entity;
mod html;
pub(crate) mod inline;
pub(crate) mod link;
mod marker;
pub(crate) mod plain;
pub(crate) mod reader;

pub mod parser_input;
mod titles;

#[cfg(test)]
mod tests;
