//! Where the relative links of a skill lead.

use crate::skill::document::line_around;
use crate::text::span::Span;
use crate::text::{distance, percent};
use crate::tree::{SkillFiles, TreeFile};
use crate::view::skill::SkillView;

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
    references(view)
        .into_iter()
        .map(|reference| {
            let target = resolve(view, &reference);
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

/// No scheme but `file:`, no host, no anchor of the same file.
fn is_local(address: &str) -> bool {
    if address.starts_with("//") || address.starts_with('#') || address.starts_with('?') {
        return false;
    }
    match scheme(address) {
        Some(scheme) => scheme.eq_ignore_ascii_case("file") || is_drive(address),
        None => true,
    }
}

fn scheme(address: &str) -> Option<&str> {
    let (scheme, _) = address.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    is_scheme.then_some(scheme)
}

/// `C:\` or `C:/`
fn is_drive(address: &str) -> bool {
    let mut chars = address.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.next() == Some(':')
        && matches!(chars.next(), Some('\\' | '/'))
}

fn is_template(address: &str) -> bool {
    address.contains(['<', '>', '{', '}', '*', '…']) || address.contains("...")
}

/// A path under one of the three folders that the specification names, and nothing else.
fn is_resource_path(code: &str) -> bool {
    let path = code.strip_prefix("./").unwrap_or(code);
    let below = ["scripts", "references", "assets"]
        .iter()
        .find_map(|folder| path.strip_prefix(folder)?.strip_prefix(['/', '\\']));
    below.is_some_and(|rest| !rest.is_empty())
        && !path.ends_with(['/', '\\'])
        && !path.contains(|c: char| c.is_whitespace() || matches!(c, '$' | '|' | ',' | '[' | ']'))
        && !is_template(path)
}

/// How much of a line before and after a place is looked at, in bytes.
const NEAR: usize = 400;

/// Whether the text around a path in a code span sends the model to it: it begins its line or cell,
/// or a verb goes before it. Other paths are examples, results, or files of the user's project.
fn is_told_to_open(text: &str, span: Span) -> bool {
    const VERBS: [&str; 20] = [
        "run",
        "execute",
        "read",
        "see",
        "load",
        "open",
        "follow",
        "consult",
        "use",
        "using",
        "check",
        "review",
        "invoke",
        "call",
        "view",
        "study",
        "refer",
        "reference",
        "apply",
        "source",
    ];
    const EXAMPLES: [&str; 14] = [
        "example",
        "e.g.",
        "such as",
        "would",
        "could",
        "might",
        "for instance",
        "your ",
        "create",
        "generate",
        "repo",
        "project",
        " like ",
        "maybe",
    ];
    let around = line_around(text, span, NEAR);
    let line = around.of(text).to_lowercase();
    if EXAMPLES.iter().any(|cue| line.contains(cue)) {
        return false;
    }
    let before = Span::new(around.start, span.start).of(text);
    let markup = |c: char| !c.is_alphanumeric();
    let is_first = before.trim_end_matches('`').trim_matches(markup).is_empty()
        || before.trim_end_matches(['`', '*', ' ']).ends_with('|');
    let sentence = before.rsplit(['.', ';', ':', '(']).next().unwrap_or(before);
    let mut words = sentence.split(markup).filter(|word| !word.is_empty());
    is_first
        || words
            .by_ref()
            .rev()
            .take(4)
            .any(|word| VERBS.contains(&word.to_lowercase().as_str()))
}

fn resolve<'a>(view: &SkillView<'a>, reference: &Reference) -> Target<'a> {
    let written = reference.path.as_str();
    if written.starts_with('/') || scheme(written).is_some() {
        return Target::Absolute;
    }
    if reference.is_code {
        return look_up(view, written);
    }
    // A name may hold a percent sign; mostly it is an escape.
    match look_up(view, &percent::decode(written)) {
        Target::Missing if written.contains('%') => look_up(view, written),
        target => target,
    }
}

fn look_up<'a>(view: &SkillView<'a>, path: &str) -> Target<'a> {
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
            other_case(view, inside).map_or(Target::Missing, Target::OtherCase)
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

fn is_folder(files: &[TreeFile], path: &str) -> bool {
    let is_below = |file: &str| {
        file.strip_prefix(path)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    files.iter().any(|file| is_below(&file.path))
}

fn other_case(view: &SkillView<'_>, path: &str) -> Option<String> {
    let lower = path.to_lowercase();
    let depth = path.split('/').count();
    view.skill.files.iter().find_map(|file| {
        let file = view.relative(&file.path)?;
        let parts: Vec<&str> = file.split('/').take(depth).collect();
        let candidate = parts.join("/");
        (candidate.to_lowercase() == lower).then_some(candidate)
    })
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
    fn addresses() {
        for local in [
            "a.md",
            "./a",
            "../b/c",
            "/etc",
            "file:///x",
            "C:\\x",
            "a b.md",
        ] {
            assert!(is_local(local), "{local}");
        }
        for other in [
            "https://x.y",
            "mailto:a@b",
            "#top",
            "//host/x",
            "skill://a/b",
            "?q",
        ] {
            assert!(!is_local(other), "{other}");
        }
        assert_eq!(joined("a/b", "../c/./d").as_deref(), Some("a/c/d"));
        assert_eq!(joined("a", "../../x"), None);
    }

    #[test]
    fn paths_in_code() {
        for path in ["scripts/a.py", "./references/b.md", "assets\\c.png"] {
            assert!(is_resource_path(path), "{path}");
        }
        for other in [
            "scripts/",
            "scripts/a.py --x",
            "references/<n>.md",
            "src/a.rs",
            "scripts/*",
        ] {
            assert!(!is_resource_path(other), "{other}");
        }
    }
}
