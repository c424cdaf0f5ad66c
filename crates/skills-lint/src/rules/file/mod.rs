//! Rules about the `SKILL.md` as a file.

mod duplicate_key;
mod escapes;
mod fence_unclosed;
mod frontmatter_missing;
mod frontmatter_unterminated;
mod hidden_text;
pub(crate) mod joiners;
mod not_utf8;
mod skill_file_name;
pub(crate) mod text_form;
mod too_large;
mod unreadable;
mod yaml_syntax;

use crate::rules::rule::Rule;

/// The rules of the group, in the order of the page.
pub(super) const RULES: &[Rule] = &[
    frontmatter_missing::RULE,
    frontmatter_unterminated::RULE,
    yaml_syntax::RULE,
    duplicate_key::RULE,
    not_utf8::RULE,
    too_large::RULE,
    text_form::RULE,
    hidden_text::RULE,
    fence_unclosed::RULE,
    skill_file_name::RULE,
    unreadable::RULE,
];
