//! Rules about the `SKILL.md` as a file.

mod entry;
mod escapes;
mod fence_unclosed;
mod front_matter;
mod hidden_text;
pub(crate) mod joiners;
pub(crate) mod text_form;
mod yaml_syntax;

use crate::rules::rule::Rule;

/// The rules of the group, in the order of the page.
pub(super) const RULES: &[Rule] = &[
    front_matter::FRONTMATTER_MISSING,
    front_matter::FRONTMATTER_UNTERMINATED,
    yaml_syntax::RULE,
    front_matter::DUPLICATE_KEY,
    front_matter::NOT_UTF8,
    entry::TOO_LARGE,
    text_form::RULE,
    hidden_text::RULE,
    fence_unclosed::RULE,
    entry::SKILL_FILE_NAME,
    entry::UNREADABLE,
];
