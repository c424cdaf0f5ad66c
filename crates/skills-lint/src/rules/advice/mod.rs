//! Rules that give advice.

pub(in crate::rules) mod ambiguous_scalar;
mod description_trigger;
mod elsewhere;

use crate::rules::rule::Rule;

/// The rules of the group, in the order of the page.
pub(super) const RULES: &[Rule] = &[
    description_trigger::RULE,
    ambiguous_scalar::RULE,
    elsewhere::NESTED_SKILL,
    elsewhere::UNUSED_SUPPRESSION,
];
