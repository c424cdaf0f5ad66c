//! Links of the documents lead to a file of the repository, and to a heading in that file. Every page of `docs` is in the
//! table of contents of the site.

use crate::repository;
use skills_tests::markdown;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut broken = Vec::new();
    let mut links = 0;
    for path in documents() {
        let text = read(&path);
        for target in markdown::targets(&text) {
            let target = &text[target];
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            links += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let to = if file.is_empty() {
                path.clone()
            } else {
                normal(&path.with_file_name(file))
            };
            let has_heading = || {
                let headings = markdown::headings(&read(&to));
                headings.iter().any(|heading| heading.anchor == anchor)
            };
            let exists = repository().join(&to).exists();
            if !exists || !anchor.is_empty() && !has_heading() {
                broken.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(links > 200, "{links} links are few");
}

#[test]
fn the_table_of_contents_has_every_page() {
    let summary = read(Path::new("docs/SUMMARY.md"));
    let mut listed = Vec::new();
    for target in markdown::targets(&summary) {
        listed.push(normal(&Path::new("docs").join(&summary[target])));
    }
    let unique: BTreeSet<PathBuf> = listed.iter().cloned().collect();
    assert_eq!(unique.len(), listed.len(), "a page is listed twice");
    let pages = documents()
        .into_iter()
        .filter(|path| path.starts_with("docs") && path != Path::new("docs/SUMMARY.md"));
    let missing: Vec<PathBuf> = pages.filter(|page| !unique.contains(page)).collect();
    assert!(missing.is_empty(), "not in docs/SUMMARY.md: {missing:?}");
}

/// Returns the paths of the documents for people: those at the root, in `docs`, and each README.md.
fn documents() -> Vec<PathBuf> {
    let root = repository();
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let (name, path) = (entry.file_name(), folder.join(entry.file_name()));
            let is_document = path.extension().is_some_and(|it| it == "md")
                && (folder == Path::new("") || folder.starts_with("docs") || name == "README.md");
            if is_document {
                found.push(path);
            } else if entry.path().is_dir()
                && !name.to_string_lossy().starts_with('.')
                && !["target", "node_modules", "skills", "corpus"]
                    .iter()
                    .any(|it| name == *it)
            {
                folders.push(path);
            }
        }
    }
    found.sort();
    assert!(found.len() > 25, "{found:?}");
    found
}

fn read(path: &Path) -> String {
    let text = fs::read_to_string(repository().join(path));
    text.unwrap_or_default().replace("\r\n", "\n")
}

/// Resolves `..` in a path.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(normal.pop(), "{}", path.display()),
            part => normal.push(part),
        }
    }
    normal
}

#[test]
fn headings_and_links_are_read_outside_of_code() {
    let text = "# A `b` c?\n\n[x](y.md#z) and `[a](b)`\n\n```md\n# no\n[a](b)\n```\n\n## A b c\n\n![p](q.svg)\n";
    let targets = markdown::targets(text).into_iter();
    let targets: Vec<&str> = targets.map(|target| &text[target]).collect();
    assert_eq!(targets, ["y.md#z", "q.svg"]);
    let headings = markdown::headings(text);
    let anchors: Vec<&str> = headings.iter().map(|it| it.anchor.as_str()).collect();
    assert_eq!(anchors, ["a-b-c", "a-b-c-1"]);
    assert_eq!((headings[1].level, headings[1].text.as_str()), (2, "A b c"));
}
