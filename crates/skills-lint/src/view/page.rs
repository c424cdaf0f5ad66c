//! The Markdown files of a skill beside its `SKILL.md`.

use crate::view::finding::Finding;
use crate::view::markdown::Markdown;
use crate::view::search::Concerns;
use crate::view::target::{Reference, Target};
use skills_format::diagnostic::Severity;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::prose::Prose;
use skills_format::text::span::Span;
use skills_format::tree::{FileKind, TreeFile, in_folder};
use std::cell::OnceCell;

/// One Markdown file.
pub(crate) struct Page<'a> {
    pub(crate) file: &'a TreeFile,
    pub(crate) text: &'a str,
    /// False for plain prose, which needs no parser: it can hold no link, code or HTML.
    pub(super) is_marked: bool,
    markdown: OnceCell<Markdown>,
    pub(super) targets: OnceCell<Vec<(Reference, Target<'a>)>>,
}

/// Returns the Markdown files of a skill beside its `SKILL.md`, in order of paths.
pub(crate) fn pages<'a>(dir: &str, texts: &[(&'a TreeFile, &'a str, Concerns)]) -> Vec<Page<'a>> {
    let texts = texts.iter().filter(|(file, ..)| is_page(dir, file));
    let pages = texts.map(|&(file, text, _)| Page {
        file,
        text,
        is_marked: memchr::memchr3(b'[', b'`', b'<', text.as_bytes()).is_some()
            || text.contains('~'),
        markdown: OnceCell::new(),
        targets: OnceCell::new(),
    });
    pages.collect()
}

/// Returns whether a file is Markdown for the model, and not a template, an example or a file for people.
fn is_page(dir: &str, file: &TreeFile) -> bool {
    const FOLDERS: [&str; 10] = [
        "assets",
        "templates",
        "template",
        "examples",
        "example",
        "samples",
        "tests",
        "test",
        "evals",
        "fixtures",
    ];
    const STEMS: [&str; 10] = [
        "example",
        "template",
        "sample",
        "readme",
        "changelog",
        "contributing",
        "license",
        "agents",
        "claude",
        "eval",
    ];
    let path = in_folder(dir, &file.path)
        .unwrap_or(&file.path)
        .to_lowercase();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let Some(stem) = name.strip_suffix(".md") else {
        return false;
    };
    let is_for_others = folder
        .split('/')
        .any(|part| FOLDERS.contains(&part) || part == "node_modules")
        || STEMS.iter().any(|part| holds_short(stem, part));
    file.kind == FileKind::Regular && !is_for_others && name != "skill.md"
}

/// Returns whether a short text has a part: the search of the standard library prepares more than it then reads.
fn holds_short(text: &str, part: &str) -> bool {
    let mut windows = text.as_bytes().windows(part.len());
    windows.any(|window| window == part.as_bytes())
}

impl Page<'_> {
    /// Creates a finding at a place of the file. It is at most a warning by default, since the model may never
    /// open the file.
    pub(crate) fn at(&self, rule: RuleId, span: Span, message: impl Into<Prose>) -> Finding {
        let finding = Finding::new(rule, &self.file.path, message).at(span);
        finding.at_most(Severity::Warning)
    }

    /// Returns the Markdown of the file, parsed on first use.
    pub(crate) fn markdown(&self) -> &Markdown {
        let parse = || Markdown::parse(self.text, Span::new(0, self.text.len()));
        self.markdown.get_or_init(parse)
    }

    /// Returns the folder of the file, relative to the tree's root.
    pub(crate) fn base(&self) -> &str {
        self.file.path.rsplit_once('/').map_or("", |(dir, _)| dir)
    }
}
