//! Rules about the front matter's keys and values.

mod allowed_tools_form;
mod confusable_name;
mod description_cut;
mod description_markup;
mod field_type;
mod field_typo;
mod needed_skill;
pub(super) mod openai_yaml;
mod others;
mod required;
mod reserved_name;
mod restraint_lost;
mod schema_form;
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
    others::METADATA_VALUE,
    field_typo::RULE,
    others::UNKNOWN_FIELD,
    allowed_tools_form::RULE,
    others::DISPATCH_FORM,
    unknown_tool::RULE,
    description_markup::RULE,
    restraint_lost::RULE,
    needed_skill::RULE,
    openai_yaml::RULE,
    schema_form::RULE,
    reserved_name::RULE,
    confusable_name::RULE,
];
