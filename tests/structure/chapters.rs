//! Files do not import in circles, and chapters import in one direction.

use crate::circles::circles;
use crate::order::{CRATES, Order};
use crate::repository;
use crate::sources::{Edge, Sources, chapter};
use std::collections::BTreeSet;
use std::fs;

#[test]
fn the_format() {
    holds("skills-format");
}

#[test]
fn the_compiler() {
    holds("skills-compiler");
}

#[test]
fn the_macros() {
    holds("skills-macros");
}

#[test]
fn the_runtime() {
    holds("skills-runtime");
}

#[test]
fn the_host() {
    holds("skills-host");
}

#[test]
fn the_mcp_server() {
    holds("skills-mcp");
}

#[test]
fn the_bundled_skills() {
    holds("bundled-skills");
}

#[test]
fn the_tool() {
    holds("skills-tool");
}

fn holds(package: &str) {
    let order = CRATES.iter().find(|order| order.package == package);
    let order = order.expect("a crate of the order");
    let sources = Sources::read(&repository(), package);
    let edges = sources.edges();
    let faults: Vec<String> = [
        top(order),
        unplaced(order, &sources),
        backward(order, &edges),
        circular(order, &edges),
        idle_pairs(order, &edges),
    ]
    .concat();
    assert!(
        faults.is_empty(),
        "{} in the layout of {package}:\n\n{}\n",
        faults.len(),
        faults.join("\n\n")
    );
}

/// More entries at the top of `src` than a reader can keep in mind.
fn top(order: &Order) -> Vec<String> {
    let src = repository().join(order.package).join("src");
    let entries = fs::read_dir(src).expect("the sources").count();
    let is_full = entries > order.most;
    let fault = || {
        format!(
            "{}/src has {entries} entries at the top, and at most {} may stand there: put a file \
             into the chapter that it belongs to",
            order.package, order.most
        )
    };
    is_full.then(fault).into_iter().collect()
}

/// Chapters without a place in the order, and places without a chapter.
fn unplaced(order: &Order, sources: &Sources) -> Vec<String> {
    let here: BTreeSet<&str> = sources.names().map(chapter).collect();
    let placed: BTreeSet<&str> = order.chapters.iter().copied().collect();
    let new = here.difference(&placed).map(|chapter| {
        format!("chapter `{chapter}` has no place: add it to tests/structure/order.rs")
    });
    let gone = placed.difference(&here).map(|chapter| {
        format!("chapter `{chapter}` does not exist: remove it from tests/structure/order.rs")
    });
    new.chain(gone).collect()
}

/// Imports from a chapter that does not stand before that of the file.
fn backward(order: &Order, edges: &[Edge]) -> Vec<String> {
    let place = |name: &str| {
        let chapter = chapter(name);
        order.chapters.iter().position(|known| *known == chapter)
    };
    let is_backward = |edge: &&Edge| {
        let within = chapter(&edge.from) == chapter(&edge.to);
        match (place(&edge.from), place(&edge.to)) {
            (Some(from), Some(to)) => !within && to > from,
            // Only `lib.rs` has no place; other chapters without one are faults already.
            _ => edge.to == "lib.rs",
        }
    };
    let told = |edge: &Edge| {
        let Edge { from, to, line } = edge;
        let package = order.package;
        let advice = if to == "lib.rs" {
            "import from the file that defines the item, not from the root".to_owned()
        } else {
            format!(
                "chapter `{}` stands before `{}`; move the item down, or its user up",
                chapter(from),
                chapter(to)
            )
        };
        format!("{package}/src/{from}:{line}: imports from {to}\n  {advice}")
    };
    edges.iter().filter(is_backward).map(told).collect()
}

/// The most circles that are shown: most of a tangle's vanish with the first.
const MOST_CIRCLES: usize = 10;

/// Circles of files.
fn circular(order: &Order, edges: &[Edge]) -> Vec<String> {
    let shown = |circle: &Vec<Edge>| {
        let lines = circle.iter().map(|Edge { from, to, line }| {
            format!("  {}/src/{from}:{line}: imports from {to}", order.package)
        });
        let lines: Vec<String> = lines.collect();
        format!(
            "a circle of {} files; move what both ends need into a file below them:\n{}",
            circle.len(),
            lines.join("\n")
        )
    };
    let circles = circles(edges, order.pairs);
    let mut faults: Vec<String> = circles.iter().take(MOST_CIRCLES).map(shown).collect();
    if circles.len() > MOST_CIRCLES {
        faults.push(format!("and {} more circles", circles.len() - MOST_CIRCLES));
    }
    faults
}

/// Pairs that are allowed to import each other, and do not.
fn idle_pairs(order: &Order, edges: &[Edge]) -> Vec<String> {
    let imports =
        |from: &str, to: &str| edges.iter().any(|edge| edge.from == from && edge.to == to);
    order
        .pairs
        .iter()
        .filter(|(a, b)| !imports(a, b) || !imports(b, a))
        .map(|(a, b)| {
            format!("{a} and {b} do not import each other: remove the pair from tests/structure/order.rs")
        })
        .collect()
}
