//! The skills of a project, and the places that name them or their files.

use crate::project::Project;
use crate::project::known::Skills;
use skills_format::{Document, Span, scan};
use skills_lint::Places;
use std::path::{Path, PathBuf};

/// A place in a text that names a skill or a file.
pub(crate) struct Reference {
    /// The bytes of the text: a mention with its `$`, an address, a path in a code span.
    pub(crate) span: Span,
    pub(crate) kind: ReferenceKind,
    /// The `SKILL.md` or the file.
    pub(crate) target: PathBuf,
    /// The part of an address after `#`.
    pub(crate) anchor: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReferenceKind {
    Mention,
    Link,
    Code,
}

/// Returns the skills of the bundle that holds a file, by their names.
pub(crate) fn skills(project: &Project, path: &Path) -> Skills {
    match (&project.repository, project.bundle_of(path)) {
        (Some(repository), Some(bundle)) => project.known.of(repository, bundle),
        _ => Skills::new(),
    }
}

/// Returns the bytes of the Markdown of a file: of a `SKILL.md`, the body.
pub(crate) fn body(text: &str) -> Span {
    match Document::split(text) {
        Ok(document) => document.body,
        Err(_) => Span::new(0, text.len()),
    }
}

/// Returns the places of a Markdown file that name a skill of its bundle, or a file that is there.
pub(crate) fn references(
    project: &Project,
    path: &Path,
    text: &str,
    skills: &Skills,
) -> Vec<Reference> {
    let body = body(text);
    let mentions = scan(body.of(text), &|id| skills.contains_key(id));
    let mentions = mentions.iter().filter(|mention| mention.is_mention());
    let mentions = mentions.filter_map(|mention| {
        let known = skills.get(&*mention.key())?;
        Some(Reference {
            span: Span::new(
                body.start + mention.span.start,
                body.start + mention.span.end,
            ),
            kind: ReferenceKind::Mention,
            target: known.entry.clone(),
            anchor: None,
        })
    });
    let places = Places::read(text, body);
    let links = places
        .links
        .iter()
        .map(|(address, span)| (address.as_str(), *span, ReferenceKind::Link));
    let codes = places
        .codes
        .iter()
        .map(|span| (span.of(text), *span, ReferenceKind::Code));
    let files = links.chain(codes).filter_map(|(address, span, kind)| {
        let (address, anchor) = match address.split_once('#') {
            Some((address, anchor)) if kind == ReferenceKind::Link => {
                (address, Some(anchor.to_owned()))
            }
            _ => (address, None),
        };
        let target = if address.is_empty() {
            path.to_owned()
        } else {
            target(project, path, address)?
        };
        Some(Reference {
            span,
            kind,
            target,
            anchor,
        })
    });
    let mut all: Vec<Reference> = mentions.chain(files).collect();
    all.sort_by_key(|reference| reference.span.start);
    all
}

/// Returns the known file that an address of a file leads to.
fn target(project: &Project, path: &Path, address: &str) -> Option<PathBuf> {
    if address.starts_with('/') || address.contains(':') {
        return None;
    }
    let repository = project.repository.as_ref()?;
    let address = skills_format::text::percent::decode(address);
    let mut to = path.parent()?.to_owned();
    for part in address.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                to.pop();
            }
            part => to.push(part),
        }
    }
    let inside = repository.path_in(&to)?;
    let mut bundles = repository.bundles.iter();
    bundles
        .any(|bundle| bundle.tree.get(&inside).is_some())
        .then_some(to)
}

/// Returns every Markdown file of the bundle that holds a file, with its text. Each is read when its turn comes.
pub(crate) fn pages<'p>(
    project: &'p Project,
    path: &Path,
) -> impl Iterator<Item = (PathBuf, String)> + use<'p> {
    let files = project
        .bundle_of(path)
        .map_or(&[][..], |bundle| &bundle.tree.files);
    let is_markdown = |path: &&str| path.to_ascii_lowercase().ends_with(".md");
    let paths = files.iter().map(|file| file.path.as_str());
    paths.filter(is_markdown).filter_map(|path| {
        let path = project.on_disk(path);
        let text = String::from_utf8(project.read(&path)?).ok()?;
        Some((path, text))
    })
}

/// Returns the anchor of a heading as GitHub makes it: small letters, hyphens for spaces, no punctuation.
pub(crate) fn anchor(heading: &str) -> String {
    let text = heading.trim_matches(|c: char| c == '#' || c.is_whitespace());
    let letters = text.to_lowercase();
    let kept = letters
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_anchor_is_that_of_github() {
        assert_eq!(super::anchor("## What's `new` in 2.0?"), "whats-new-in-20");
        assert_eq!(super::anchor("# Über uns #"), "über-uns");
    }
}
