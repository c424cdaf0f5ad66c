//! Rules about the skills of a folder together.

mod alias_collision;
mod bundle_empty;
mod bundle_too_large;
mod catalog_budget;
mod command_collision;
mod config_form;
mod duplicate_name;
mod lock_stale;
mod manifest_form;
mod manifest_name;
mod manifest_path;
mod powers_widened;
mod similar_description;
mod stale_bundle;

use crate::rules::rule::Rule;

/// The rules of the group, in the order of the page.
pub(super) const RULES: &[Rule] = &[
    bundle_empty::RULE,
    bundle_too_large::RULE,
    duplicate_name::RULE,
    alias_collision::RULE,
    command_collision::RULE,
    similar_description::RULE,
    catalog_budget::RULE,
    lock_stale::RULE,
    powers_widened::RULE,
    stale_bundle::RULE,
    config_form::RULE,
    manifest_form::RULE,
    manifest_path::RULE,
    manifest_name::RULE,
];
