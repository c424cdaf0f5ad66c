//! Rules about the instructions.

mod authorized_key;
mod body_empty;
mod body_length;
mod home_path;
mod positional_placeholder;
pub(crate) mod remote_exec;
mod schema_placeholder;
mod secret;
mod unfinished;
mod unpinned_command;

use crate::rules::rule::Rule;

/// The rules of the group, in the order of the page.
pub(super) const RULES: &[Rule] = &[
    body_empty::RULE,
    body_length::RULE,
    positional_placeholder::RULE,
    unfinished::RULE,
    home_path::RULE,
    unpinned_command::RULE,
    remote_exec::RULE,
    authorized_key::RULE,
    secret::RULE,
    schema_placeholder::RULE,
];
