//! Links that lead to another file than was meant: into the repository, or to a file that is not there.

use crate::view::finding::Finding;
use crate::view::references::written;
use crate::view::skill::SkillView;
use crate::view::target::Reference;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::disk::Kind;
use skills_format::tree::join;

/// The target of a link that leaves the skill.
pub(crate) enum Outside {
    /// A file of the plugin that holds the skill.
    Plugin,
    /// A file of the repository.
    Repository,
    /// No file. Another number of `../` leads to a file, by this path.
    Instead(String),
    /// No known file.
    Nothing,
}

/// The maximum number of `../` of a link for which a target with fewer of them is looked for.
const MAX_UP: usize = 32;

/// Follows a link from a folder of the tree.
pub(crate) fn follow(view: &SkillView<'_>, base: &str, link: &Reference) -> Outside {
    let around = view.tree.scope.around;
    let kind = |path: &str| match around {
        Some(around) => around.kind(path),
        None => view.tree.get(path).map(|_| Kind::File),
    };
    let path = link.path.as_str();
    let target = up_from(base, path);
    if kind(&target).is_some() {
        let plugin = around.and_then(|around| around.plugin(view.skill.dir));
        let is_in = plugin.is_some_and(|plugin| match plugin.as_str() {
            "" => !target.starts_with(".."),
            plugin => target.starts_with(&format!("{plugin}/")),
        });
        return if is_in {
            Outside::Plugin
        } else {
            Outside::Repository
        };
    }
    let rest = path.trim_start_matches("./").trim_start_matches("../");
    if rest.is_empty() || rest.starts_with('.') {
        return Outside::Nothing;
    }
    // No link that somebody wrote leads up further, and each step makes a path of its own.
    let written = path.matches("../").count();
    if written > MAX_UP {
        return Outside::Nothing;
    }
    let candidates = (0..written).filter_map(|up| {
        let path = format!("{}{rest}", "../".repeat(up));
        let is_file = kind(&up_from(base, &path)) == Some(Kind::File);
        (is_file && up_from(base, &path) != view.skill.entry).then_some(path)
    });
    let candidates: Vec<String> = candidates.collect();
    match candidates.as_slice() {
        [path] => Outside::Instead(path.clone()),
        _ => Outside::Nothing,
    }
}

/// Returns a path from a folder, with `..` at its start if the path leaves the tree.
fn up_from(base: &str, path: &str) -> String {
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    join("", &parts.join("/"))
}

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
