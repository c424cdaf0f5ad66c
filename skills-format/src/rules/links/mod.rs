//! Rules about links, and about the files beside the `SKILL.md`.

mod file_too_large;
mod file_unused;
mod instead;
mod link_broken;
mod link_case;
mod link_depth;
mod link_escape;
mod link_sibling;
mod path_case_collision;
mod path_form;
mod skill_too_large;
mod symlink;

use crate::rules::rule::Rule;

/// The rules of the group, in the order of the page.
pub(super) const RULES: &[Rule] = &[
    link_broken::RULE,
    link_escape::RULE,
    link_sibling::RULE,
    link_depth::RULE,
    link_case::RULE,
    file_unused::RULE,
    file_too_large::RULE,
    skill_too_large::RULE,
    path_case_collision::RULE,
    path_form::RULE,
    symlink::RULE,
];
