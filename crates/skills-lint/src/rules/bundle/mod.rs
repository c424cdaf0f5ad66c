//! Rules about the skills of a folder together.

mod alias_collision;
mod bundle_empty;
mod bundle_too_large;
mod catalog_budget;
mod command_collision;
mod duplicate_name;
mod elsewhere;
mod lock_stale;
mod powers_widened;
mod similar_description;

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
    elsewhere::STALE_BUNDLE,
    elsewhere::CONFIG_FORM,
    elsewhere::MANIFEST_FORM,
    elsewhere::MANIFEST_PATH,
    elsewhere::MANIFEST_NAME,
];
