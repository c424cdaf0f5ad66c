//! Files of a package, and its chapters, do not import in circles. A chapter is a folder or a file directly in `src`.

use crate::circles::circles;
use crate::packages::{PACKAGES, Package};
use crate::repository;
use crate::sources::{Edge, Sources, chapter};
use std::collections::BTreeMap;
use std::fs;

#[test]
fn imports_have_no_circles() {
    let faults: Vec<String> = PACKAGES.iter().flat_map(faults).collect();
    assert!(
        faults.is_empty(),
        "{} faults:\n\n{}\n",
        faults.len(),
        faults.join("\n\n")
    );
}

fn faults(package: &Package) -> Vec<String> {
    let edges = Sources::read(&repository(), package.folder).edges();
    [
        full(package),
        from_the_root(package, &edges),
        circular(package, &edges, "files"),
        circular(package, &between_chapters(&edges), "chapters"),
    ]
    .concat()
}

/// Reports a package with too many entries directly in `src`.
fn full(package: &Package) -> Vec<String> {
    let src = repository().join(package.folder).join("src");
    let entries = fs::read_dir(src).expect("the sources").count();
    let fault = || {
        format!(
            "{}/src has {entries} entries and may have {}: put a file into the chapter that it belongs to",
            package.folder, package.entries
        )
    };
    (entries > package.entries)
        .then(fault)
        .into_iter()
        .collect()
}

/// Reports imports from `lib.rs`, which hide the chapter of an item.
fn from_the_root(package: &Package, edges: &[Edge]) -> Vec<String> {
    let fault = |edge: &Edge| {
        let Edge { from, line, .. } = edge;
        let folder = package.folder;
        format!("{folder}/src/{from}:{line}: import from the file that defines the item")
    };
    let from_root = edges.iter().filter(|edge| edge.to == "lib.rs");
    from_root.map(fault).collect()
}

/// Returns one edge for each pair of chapters in which a file imports from the other chapter.
fn between_chapters(edges: &[Edge]) -> Vec<Edge> {
    let mut pairs: BTreeMap<(&str, &str), Edge> = BTreeMap::new();
    for edge in edges {
        let pair = (chapter(&edge.from), chapter(&edge.to));
        if pair.0 != pair.1 {
            pairs.entry(pair).or_insert_with(|| Edge {
                from: pair.0.to_owned(),
                to: pair.1.to_owned(),
                line: edge.line,
            });
        }
    }
    pairs.into_values().collect()
}

/// Maximum number of reported circles: most circles of a tangle disappear with the first one.
const MAX_CIRCLES: usize = 10;

fn circular(package: &Package, edges: &[Edge], what: &str) -> Vec<String> {
    let shown = |circle: &Vec<Edge>| {
        let lines = circle.iter().map(|Edge { from, to, line }| {
            format!("  {}/src/{from}:{line}: imports from {to}", package.folder)
        });
        let lines: Vec<String> = lines.collect();
        format!(
            "a circle of {} {what}; move what both ends need into a file below them:\n{}",
            circle.len(),
            lines.join("\n")
        )
    };
    let circles = circles(edges);
    let mut faults: Vec<String> = circles.iter().take(MAX_CIRCLES).map(shown).collect();
    if circles.len() > MAX_CIRCLES {
        faults.push(format!("and {} more circles", circles.len() - MAX_CIRCLES));
    }
    faults
}
