//! The texts that a language model reads of Agent Skills, as pure functions over strings:
//!
//! - [`List`]: the skills within a budget, for the system prompt.
//! - [`open`]: the envelope around the text of a skill, which no text inside can end.
//! - [`Instructions`]: what is read of a skill to write its text.
//! - [`Values`]: the placeholders of a skill's body, filled. [`fill_with`] fills those of another dialect.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails panics"))]

mod envelope;
mod escape;
mod instructions;
mod list;
mod placeholders;

pub use envelope::{MAX_LISTED, Opened, open};
pub use escape::push_xml_attribute;
pub use instructions::{Folders, Instructions};
pub use list::{Budget, Item, List, ListText, SHORTEST, largest};
pub use placeholders::{
    ARGUMENTS, At, MAX_INSERTED, TypedValues, Values, digits, fill_with, is_of_host, longest_name,
    too_long,
};
