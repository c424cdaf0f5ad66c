//! The fix of a link that leads to the wrong file.

use crate::view::finding::Finding;
use crate::view::references::written;
use crate::view::skill::SkillView;
use crate::view::target::Reference;
use skills_format::diagnostic::{Edit, Fix};

/// Adds help and fix to a finding: the path of the file of the skill that was probably meant.
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
