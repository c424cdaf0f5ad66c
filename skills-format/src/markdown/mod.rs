//! Markdown as a parser may read it: in a time that is linear in the length of the text.
//!
//! Every reader of Markdown in this crate parses [`parser_input::parser_input`] of its text, never
//! the text itself.

pub(crate) mod parser_input;
mod titles;
