//! Rules about links, and about the files beside the `SKILL.md`.

mod anchor_broken;
mod file_too_large;
pub(super) mod file_unused;
mod link_broken;
mod link_case;
mod link_depth;
mod link_escape;
mod link_form;
mod link_plugin;
mod link_sibling;
mod outside;
mod path_case_collision;
mod path_form;
mod script_missing;
mod script_mode;
mod skill_file_missing;
mod skill_too_large;
mod symlink;

use crate::rules::rule::Rule;

pub use symlink::{LINK_ABOVE, LINK_ROUND};

/// The rules of the group, in the order of the page.
pub(super) const RULES: &[Rule] = &[
    link_broken::RULE,
    link_escape::RULE,
    link_sibling::RULE,
    link_depth::RULE,
    link_case::RULE,
    link_form::RULE,
    link_plugin::RULE,
    anchor_broken::RULE,
    script_missing::RULE,
    script_mode::RULE,
    skill_file_missing::RULE,
    file_unused::RULE,
    file_too_large::RULE,
    skill_too_large::RULE,
    path_case_collision::RULE,
    path_form::RULE,
    symlink::RULE,
];
