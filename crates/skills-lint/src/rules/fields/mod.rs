//! Rules about the front matter's keys and values.

mod allowed_tools_form;
mod compatibility_length;
mod confusable_name;
mod description_cut;
mod description_length;
mod description_markup;
mod description_missing;
mod dispatch_form;
mod field_type;
mod field_typo;
mod metadata_value;
mod name_form;
mod name_mismatch;
mod name_missing;
mod needed_skill;
pub(super) mod openai_yaml;
mod reserved_name;
mod restraint_lost;
mod schema_form;
mod unknown_field;
mod unknown_tool;

use crate::rules::rule::Rule;

/// The rules of the group, in the order of the page.
pub(super) const RULES: &[Rule] = &[
    name_missing::RULE,
    name_form::RULE,
    name_mismatch::RULE,
    description_missing::RULE,
    description_length::RULE,
    description_cut::RULE,
    field_type::RULE,
    compatibility_length::RULE,
    metadata_value::RULE,
    field_typo::RULE,
    unknown_field::RULE,
    allowed_tools_form::RULE,
    dispatch_form::RULE,
    unknown_tool::RULE,
    description_markup::RULE,
    restraint_lost::RULE,
    needed_skill::RULE,
    openai_yaml::RULE,
    schema_form::RULE,
    reserved_name::RULE,
    confusable_name::RULE,
];
