//! Rules that give advice.

pub(in crate::rules) mod ambiguous_scalar;
mod description_trigger;
mod nested_skill;
mod package_loss;
mod unused_suppression;

use crate::rules::rule::Rule;

/// The rules of the group, in the order of the page.
pub(super) const RULES: &[Rule] = &[
    description_trigger::RULE,
    ambiguous_scalar::RULE,
    nested_skill::RULE,
    package_loss::RULE,
    unused_suppression::RULE,
];
