//! Rules about the skills of a folder together.

mod alias_collision;
mod command_collision;
mod duplicate_name;
mod elsewhere;
mod lock_stale;
mod powers_widened;
mod sizes;

use crate::rules::rule::Rule;

/// The rules of the group, in the order of the page.
pub(super) const RULES: &[Rule] = &[
    sizes::BUNDLE_EMPTY,
    sizes::BUNDLE_TOO_LARGE,
    duplicate_name::RULE,
    alias_collision::RULE,
    command_collision::RULE,
    sizes::CATALOG_BUDGET,
    lock_stale::RULE,
    powers_widened::RULE,
    elsewhere::STALE_BUNDLE,
    elsewhere::CONFIG_FORM,
    elsewhere::MANIFEST_FORM,
    elsewhere::MANIFEST_PATH,
    elsewhere::MANIFEST_NAME,
];
