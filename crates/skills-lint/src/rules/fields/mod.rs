//! Rules about the front matter's keys and values.

mod allowed_tools_form;
mod confusable_name;
mod description_cut;
mod description_markup;
mod dispatch_form;
mod field_type;
mod field_typo;
mod metadata_value;
mod needed_skill;
pub(super) mod openai_yaml;
mod required;
mod reserved_name;
mod restraint_lost;
mod schema_form;
mod unknown_field;
mod unknown_tool;

use crate::rules::rule::Rule;

/// The rules of the group, in the order of the page.
pub(super) const RULES: &[Rule] = &[
    required::NAME_MISSING,
    required::NAME_FORM,
    required::NAME_MISMATCH,
    required::DESCRIPTION_MISSING,
    required::DESCRIPTION_LENGTH,
    description_cut::RULE,
    field_type::RULE,
    required::COMPATIBILITY_LENGTH,
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
