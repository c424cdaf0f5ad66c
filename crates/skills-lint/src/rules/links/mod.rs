//! Rules about links, and about the files beside the `SKILL.md`.

mod anchor_broken;
pub(super) mod file_unused;
mod files;
mod link_broken;
mod link_escape;
mod link_form;
mod outside;
mod script_missing;
mod script_mode;
mod symlink;
mod targets;

use crate::rules::rule::Rule;

pub use symlink::LINK_ABOVE;

/// The rules of the group, in the order of the page.
pub(super) const RULES: &[Rule] = &[
    link_broken::RULE,
    link_escape::RULE,
    targets::LINK_SIBLING,
    targets::LINK_DEPTH,
    targets::LINK_CASE,
    link_form::RULE,
    targets::LINK_PLUGIN,
    anchor_broken::RULE,
    script_missing::RULE,
    script_mode::RULE,
    files::SKILL_FILE_MISSING,
    file_unused::RULE,
    files::FILE_TOO_LARGE,
    files::SKILL_TOO_LARGE,
    files::PATH_CASE_COLLISION,
    files::PATH_FORM,
    symlink::RULE,
];
