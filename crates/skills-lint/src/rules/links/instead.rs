//! The path that a link should have.

use crate::view::finding::Finding;
use crate::view::references::written;
use crate::view::skill::SkillView;
use crate::view::target::Reference;
use skills_format::diagnostic::{Edit, Fix};

/// Adds to a finding that the link should lead to another file of the skill.
pub(crate) fn write_instead(
    finding: Finding,
    link: &Reference,
    view: &SkillView<'_>,
    path: &str,
) -> Finding {
    let path = written(link, view, path);
    finding
        .help(format!("write `{path}`"))
        .fix(Fix::guess(vec![Edit::replace(link.path_span, path)]))
}
