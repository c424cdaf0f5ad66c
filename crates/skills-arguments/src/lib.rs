//! Typed arguments: the values of a skill with an `arguments.schema.json`.
//!
//! A person types `/deploy staging --dry-run`, a model calls the tool with a text or an object, and a program has a
//! struct. One parser reads all of them by the schema, and the values enter the text as one canonical line, so that
//! the way of starting changes nothing. A value that does not fit is an error that names the argument, what was
//! written and what fits; the skill does not start.
//!
//! ```text
//! staging --dry-run               by position, in the order of the front matter's `arguments`, then by name
//! staging --dry-run=false         `--name=value`; of a list, once for each item
//! environment=staging             `name=value`
//! -- --odd -n                     after `--`, every word is a value; `-3` is a value anywhere
//! {"environment": "staging"}      a JSON object
//! ```
//!
//! Quotes are those of a shell, and `$'a\nb'` holds a line break. The last position takes all words that are left if
//! it is a list or a text.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod line;
mod parse;
#[cfg(feature = "rust")]
pub mod rust;
mod schema;
#[cfg(test)]
mod tests;

pub use line::{TypedArguments, Values, is_value, joined, line, push, push_items};
pub use parse::{Typed, parse, signature};
pub use schema::{
    Argument, Kind, MAX_ARGUMENTS, MAX_CHOICES, Schema, SchemaFault, SchemaFile, bare, is_same_name,
};
