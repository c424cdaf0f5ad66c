//! Where the relative links of a skill lead.

use crate::text::span::Span;
use crate::text::{distance, percent};
use crate::tree::{SkillFiles, TreeFile, in_folder};
use crate::view::address::{is_local, is_resource_path, is_template, is_told_to_open, scheme};
use crate::view::skill::SkillView;
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// A place that names a file: a link, an image, or a path in a code span.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The path that is meant, without query and fragment.
    pub(crate) path: String,
    /// The whole address as written.
    pub(crate) span: Span,
    /// The part of it that is the path.
    pub(crate) path_span: Span,
    /// Whether it is a code span, where nothing is percent-encoded.
    pub(crate) is_code: bool,
    /// Whether its parts are separated by `\\`.
    pub(crate) has_backslash: bool,
}

/// What a reference leads to. Paths are relative to the skill's folder.
#[derive(Clone, Debug)]
pub(crate) enum Target<'a> {
    /// A file of the skill.
    File(String),
    /// A folder of the skill.
    Folder,
    /// A file or folder whose letters differ in case: the path as it is.
    OtherCase(String),
    /// Neither a file nor a folder.
    Missing,
    /// A file or folder of another skill.
    Sibling(SkillFiles<'a>),
    /// A path from the root of the disk.
    Absolute,
    /// A place above the skill's folder that is not a skill.
    Above,
}

/// The references of a skill's body that a path answers, and where they lead.
pub(crate) fn targets<'a>(view: &SkillView<'a>) -> Vec<(Reference, Target<'a>)> {
    let names = Names::new(view);
    references(view)
        .into_iter()
        .map(|reference| {
            let target = resolve(view, &names, &reference);
            (reference, target)
        })
        .collect()
}

fn references(view: &SkillView<'_>) -> Vec<Reference> {
    let markdown = view.markdown();
    let links = markdown
        .links
        .iter()
        .filter(|link| is_local(&link.address) && !is_template(&link.address))
        .map(|link| reference(view, &link.address, link.span, false));
    let codes = markdown.code_spans.iter().filter_map(|span| {
        let text = span.of(view.text());
        (is_resource_path(text) && is_told_to_open(view.text(), *span))
            .then(|| reference(view, text, *span, true))
    });
    let mut all: Vec<Reference> = links
        .chain(codes)
        .filter(|reference| !reference.path.is_empty())
        .collect();
    all.sort_by_key(|reference| reference.span);
    all
}

fn reference(view: &SkillView<'_>, address: &str, span: Span, is_code: bool) -> Reference {
    let path_of = |text: &str| text.find(['?', '#']).unwrap_or(text.len());
    let path = address.get(..path_of(address)).unwrap_or_default();
    let written = span.of(view.text());
    let path_span = Span::new(span.start, span.start + path_of(written));
    Reference {
        path: path.replace('\\', "/"),
        span,
        path_span,
        is_code,
        has_backslash: path.contains('\\'),
    }
}

fn resolve<'a>(view: &SkillView<'a>, names: &Names<'a>, reference: &Reference) -> Target<'a> {
    let written = reference.path.as_str();
    if written.starts_with('/') || scheme(written).is_some() {
        return Target::Absolute;
    }
    if reference.is_code {
        return look_up(view, names, written);
    }
    // A name may hold a percent sign; mostly it is an escape.
    match look_up(view, names, &percent::decode(written)) {
        Target::Missing if written.contains('%') => look_up(view, names, written),
        target => target,
    }
}

fn look_up<'a>(view: &SkillView<'a>, names: &Names<'a>, path: &str) -> Target<'a> {
    let dir = view.skill.dir;
    let Some(path) = joined(dir, path) else {
        return Target::Above;
    };
    if path == dir {
        return Target::Folder;
    }
    let tree = view.tree;
    if let Some(inside) = view.relative(&path) {
        return if tree.get(&path).is_some() {
            Target::File(inside.to_owned())
        } else if is_folder(view.skill.files, &path) {
            Target::Folder
        } else {
            let other = names.in_other_case(inside);
            other.map_or(Target::Missing, |path| Target::OtherCase(path.to_owned()))
        };
    }
    match view.tree.skill_at(&path) {
        Some(sibling)
            if path == sibling.dir
                || tree.get(&path).is_some()
                || is_folder(sibling.files, &path) =>
        {
            Target::Sibling(sibling)
        }
        Some(_) => Target::Missing,
        None => Target::Above,
    }
}

/// A path that is relative to `dir`, from the root of the tree. `None` when it leaves the tree.
pub(crate) fn joined(dir: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Whether a path is a folder above one of the files, which are in order of paths.
fn is_folder(files: &[TreeFile], path: &str) -> bool {
    let folder = format!("{path}/");
    let first = files.partition_point(|file| file.path.as_bytes() < folder.as_bytes());
    let file = files.get(first);
    file.is_some_and(|file| file.path.starts_with(&folder))
}

/// The files and folders of a skill by their paths in lower case. They are gathered when the first
/// path is looked for.
struct Names<'a> {
    files: Vec<&'a str>,
    by_lower_case: OnceCell<BTreeMap<String, &'a str>>,
}

impl<'a> Names<'a> {
    fn new(view: &SkillView<'a>) -> Self {
        let files = view.skill.files.iter();
        Self {
            files: files
                .filter_map(|file| in_folder(view.skill.dir, &file.path))
                .collect(),
            by_lower_case: OnceCell::new(),
        }
    }

    /// The first file or folder that differs from a path in nothing but case.
    fn in_other_case(&self, path: &str) -> Option<&'a str> {
        let names = self.by_lower_case.get_or_init(|| {
            let mut names = BTreeMap::new();
            for file in &self.files {
                let folders = file.match_indices('/').filter_map(|(at, _)| file.get(..at));
                for name in folders.chain([*file]) {
                    names.entry(name.to_lowercase()).or_insert(name);
                }
            }
            names
        });
        names.get(&path.to_lowercase()).copied()
    }
}

/// The file of the skill that was most likely meant: one of the same name in another folder, else
/// one a few letters away.
pub(crate) fn nearest(view: &SkillView<'_>, reference: &Reference) -> Option<String> {
    let path = percent::decode(&reference.path);
    let path = path.trim_start_matches("./");
    let name = path.rsplit('/').next()?.to_lowercase();
    let files = || {
        let relative = |path| view.relative(path).filter(|path| *path != "SKILL.md");
        let files = view.skill.files.iter();
        files.filter_map(move |file| relative(file.path.as_str()))
    };
    let mut same = files().filter(|file| {
        file.rsplit('/')
            .next()
            .is_some_and(|last| last.to_lowercase() == name)
    });
    if let Some(file) = same.next() {
        return same.next().is_none().then(|| file.to_owned());
    }
    let limit = (path.len() / 5).clamp(1, 4);
    let near = files().filter(|file| file.len().abs_diff(path.len()) <= limit);
    near.filter_map(|file| Some((distance::of_words(file, path, limit)?, file)))
        .min()
        .map(|(_, file)| file.to_owned())
}

/// A path as an address is written.
pub(crate) fn written(reference: &Reference, view: &SkillView<'_>, path: &str) -> String {
    let before = view.text().get(..reference.span.start).unwrap_or_default();
    if reference.is_code || before.ends_with('<') {
        return path.to_owned();
    }
    percent::encode(path, |c| !matches!(c, ' ' | '%' | '(' | ')' | '#' | '?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_from_the_root() {
        assert_eq!(joined("a/b", "../c/./d").as_deref(), Some("a/c/d"));
        assert_eq!(joined("a", "../../x"), None);
    }
}
