//! Resolves the relative links of a skill.

use crate::view::address::{OWN_FOLDERS, Reading, reading, resource_folder};
use crate::view::page::Page;
use crate::view::search::holds;
use crate::view::skill::SkillView;
use crate::view::target::{Reference, Source, Target, is_folder};
use skills_check::check::links::{
    is_command, is_illustration, is_local, is_template, joined, nearest, scheme,
};
use skills_format::text::escape::push_escaped;
use skills_format::text::percent;
use skills_format::text::span::Span;
use skills_format::tree::{in_folder, join};
use std::collections::{BTreeMap, BTreeSet};

impl<'a> SkillView<'a> {
    /// Returns the references in the body, and the target of each.
    pub(crate) fn targets(&self) -> &[(Reference, Target<'a>)] {
        self.targets.get_or_init(|| {
            let source = Source {
                text: self.text(),
                markdown: self.markdown(),
                base: self.skill.dir,
            };
            targets(self, &source)
        })
    }

    /// Returns the references in another Markdown file, and the target of each.
    pub(crate) fn targets_of<'p>(&self, page: &'p Page<'a>) -> &'p [(Reference, Target<'a>)] {
        page.targets.get_or_init(|| {
            let source = Source {
                text: page.text,
                markdown: page.markdown(),
                base: page.base(),
            };
            targets(self, &source)
        })
    }
}

/// Returns the references of a text, and the target of each.
fn targets<'a>(view: &SkillView<'a>, source: &Source<'_>) -> Vec<(Reference, Target<'a>)> {
    references(view, source)
        .into_iter()
        .map(|reference| {
            let target = resolve(view, source.base, &reference);
            (reference, target)
        })
        .collect()
}

fn references(view: &SkillView<'_>, source: &Source<'_>) -> Vec<Reference> {
    let markdown = source.markdown;
    let links = markdown
        .links
        .iter()
        .filter(|link| is_local(&link.address) && !is_template(&link.address))
        // A stand-in beside a file of nearly its name is a link that was mistyped.
        .filter(|link| !is_illustration(&link.address) || is_near(view, &link.address))
        .filter(|link| !is_command(&link.address) && !is_quoted(source.text, link.span))
        // `words[a](0:12)`: a part of a list, and no link.
        .filter(|link| !link.address.chars().all(|c| c == ':' || c.is_ascii_digit()))
        .map(|link| reference(source, &link.address, link.span, None));
    let examples = examples(source);
    let codes = markdown.code_spans.iter().filter_map(|span| {
        let text = span.of(source.text);
        if examples.contains(text) {
            return None;
        }
        let reading = file_reading(view, source.text, *span)?;
        (!is_label(source.text, *span)).then(|| reference(source, text, *span, Some(reading)))
    });
    let mut all: Vec<Reference> = links
        .chain(codes)
        .filter(|reference| !reference.path.is_empty())
        .collect();
    all.sort_by_key(|reference| reference.span);
    all
}

/// Returns whether a place is in a quotation, which holds what others said, or what the model is to say.
fn is_quoted(text: &str, span: Span) -> bool {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let before = text[start..span.start].trim_start();
    text[start..].trim_start().starts_with('>')
        || before.starts_with('"') && before.matches('"').count() % 2 == 1
}

/// Returns the code spans in columns of tables that are called examples. Elsewhere in the text they are examples too.
fn examples<'t>(source: &Source<'t>) -> BTreeSet<&'t str> {
    let mut columns: Vec<bool> = Vec::new();
    let mut found = BTreeSet::new();
    if memchr::memchr(b'|', source.text.as_bytes()).is_none() || !holds(source.text, "Example") {
        return found;
    }
    for line in source.text.lines() {
        let Some(row) = line.trim_start().strip_prefix('|') else {
            columns.clear();
            continue;
        };
        if columns.is_empty() {
            columns = row
                .split('|')
                .map(|cell| cell.contains("Example"))
                .collect();
        }
        for (cell, _) in row
            .split('|')
            .zip(&columns)
            .filter(|(_, is_example)| **is_example)
        {
            found.extend(
                cell.trim()
                    .strip_prefix('`')
                    .and_then(|cell| cell.strip_suffix('`')),
            );
        }
    }
    found
}

fn is_near(view: &SkillView<'_>, address: &str) -> bool {
    nearest(view.skill.dir, view.skill.files, &percent::decode(address)).is_some()
}

/// Returns whether a code span ends the label of a link. The link says where the file is.
fn is_label(text: &str, span: Span) -> bool {
    let after = text.get(span.end..).unwrap_or_default();
    after.trim_start_matches('`').starts_with("](")
}

/// Returns the meaning of a code span that names a file of the skill: a path below one of its folders, or a path that the
/// sentence says to open.
fn file_reading(view: &SkillView<'_>, text: &str, span: Span) -> Option<Reading> {
    let code = span.of(text);
    let folder = resource_folder(code).filter(|_| !is_illustration(code))?;
    let reading = reading(text, span);
    let names_file = match reading {
        Reading::Example => false,
        Reading::Opened if !view.is_about_skills() => {
            OWN_FOLDERS.contains(&folder) || view.has_folder(folder)
        }
        Reading::Opened => view.has_folder(folder),
        Reading::Named => {
            // A path below a folder that is not there is one of the user's project, or an example.
            let above = code.trim_start_matches("./").rsplit_once('/');
            let above = above.map_or(folder, |(above, _)| above);
            (above == folder || is_folder(view.skill.files, &join(view.skill.dir, above)))
                && view.has_folder(folder)
                && !view.is_about_skills()
        }
    };
    names_file.then_some(reading)
}

/// Returns the reference of an address. `code`: the meaning of a code span; `None` for a link.
fn reference(source: &Source<'_>, address: &str, span: Span, code: Option<Reading>) -> Reference {
    let path_of = |text: &str| text.find(['?', '#']).unwrap_or(text.len());
    let mut path = address.get(..path_of(address)).unwrap_or_default();
    // `scripts/a.py:12-20` names lines of a file.
    if let Some((file, lines)) = path.rsplit_once(':')
        && code.is_some()
        && lines.chars().all(|c| c == '-' || c.is_ascii_digit())
    {
        path = file;
    }
    let written = span.of(source.text);
    let path_span = Span::new(span.start, span.start + path_of(written));
    Reference {
        path: path.replace('\\', "/"),
        span,
        path_span,
        is_code: code.is_some(),
        is_opened: code != Some(Reading::Named),
    }
}

fn resolve<'a>(view: &SkillView<'a>, base: &str, reference: &Reference) -> Target<'a> {
    let written = reference.path.as_str();
    if written.starts_with('/') || written.starts_with("~/") || scheme(written).is_some() {
        return Target::Absolute;
    }
    let dir = view.skill.dir;
    let decoded = percent::decode(written);
    // A percent sign is mostly an escape, but can be a part of a file's name.
    let found = match look_up(view, base, &decoded) {
        Target::Missing if written.contains('%') => look_up(view, base, written),
        target => target,
    };
    // A model also resolves a path in another file, and a path in code, from the skill's folder.
    match found {
        Target::Missing | Target::Above if base != dir => match look_up(view, dir, &decoded) {
            target @ (Target::File(_) | Target::Folder | Target::Sibling(_)) => target,
            _ => found,
        },
        found => found,
    }
}

fn look_up<'a>(view: &SkillView<'a>, base: &str, path: &str) -> Target<'a> {
    let dir = view.skill.dir;
    let Some(path) = joined(base, path) else {
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
            let other = in_other_case(view, inside);
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

/// Returns the first file or folder of a skill whose path differs from a path only in case.
fn in_other_case<'a>(view: &SkillView<'a>, path: &str) -> Option<&'a str> {
    let names = view.names.get_or_init(|| {
        let mut names = BTreeMap::new();
        let files = view.skill.files.iter();
        for file in files.filter_map(|file| in_folder(view.skill.dir, &file.path)) {
            let folders = file.match_indices('/').map(|(at, _)| &file[..at]);
            for name in folders.chain([file]) {
                names.entry(name.to_lowercase()).or_insert(name);
            }
        }
        names
    });
    names.get(&path.to_lowercase()).copied()
}

/// Writes a path in the form of a reference's address.
pub(crate) fn written(reference: &Reference, view: &SkillView<'_>, path: &str) -> String {
    let before = view.text().get(..reference.span.start).unwrap_or_default();
    if reference.is_code || before.ends_with('<') {
        return path.to_owned();
    }
    // Only what would end or change the address: an author reads the other characters more easily as they are.
    let mut written = String::with_capacity(path.len());
    push_escaped(&mut written, path, |byte| match byte {
        b' ' => Some("%20"),
        b'%' => Some("%25"),
        b'(' => Some("%28"),
        b')' => Some("%29"),
        b'#' => Some("%23"),
        b'?' => Some("%3F"),
        _ => None,
    });
    written
}
