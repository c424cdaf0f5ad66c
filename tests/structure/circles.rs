//! Circles of files: files that import each other, directly or through others.

use crate::sources::Edge;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Returns the shortest circles: for each edge that is in no other circle, at most one. A circle is the list of its
/// edges, in order.
///
/// Cost: a search for each edge.
pub(crate) fn circles(edges: &[Edge]) -> Vec<Vec<Edge>> {
    let mut out: BTreeMap<&str, Vec<&Edge>> = BTreeMap::new();
    for edge in edges {
        out.entry(&edge.from).or_default().push(edge);
    }
    let mut known: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut circles = Vec::new();
    for edge in edges {
        if known.contains(&(edge.from.as_str(), edge.to.as_str())) {
            continue;
        }
        let Some(back) = shortest(&out, &edge.to, &edge.from) else {
            continue;
        };
        let circle: Vec<&Edge> = std::iter::once(edge).chain(back).collect();
        known.extend(
            circle
                .iter()
                .map(|edge| (edge.from.as_str(), edge.to.as_str())),
        );
        circles.push(circle.into_iter().cloned().collect());
    }
    circles.sort_by_key(|circle: &Vec<Edge>| circle.len());
    circles
}

/// Returns the edges of the shortest path between two files.
fn shortest<'e>(
    out: &BTreeMap<&str, Vec<&'e Edge>>,
    from: &'e str,
    to: &str,
) -> Option<Vec<&'e Edge>> {
    let mut reached: BTreeMap<&str, &Edge> = BTreeMap::new();
    let mut open = VecDeque::from([from]);
    while let Some(file) = open.pop_front() {
        if file == to {
            let mut way = Vec::new();
            let mut at = to;
            while at != from {
                let edge = reached.get(at)?;
                way.push(*edge);
                at = &edge.from;
            }
            way.reverse();
            return Some(way);
        }
        for edge in out.get(file).into_iter().flatten() {
            if edge.to != from && !reached.contains_key(edge.to.as_str()) {
                reached.insert(&edge.to, edge);
                open.push_back(&edge.to);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(edges: &[(&str, &str)]) -> Vec<String> {
        let edge = |(from, to): &(&str, &str)| Edge {
            from: (*from).to_owned(),
            to: (*to).to_owned(),
            line: 1,
        };
        let edges: Vec<Edge> = edges.iter().map(edge).collect();
        circles(&edges)
            .iter()
            .map(|circle| circle.iter().map(|edge| edge.from.as_str()).collect())
            .collect()
    }

    #[test]
    fn each_circle_is_found_once() {
        let tree = [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")];
        assert!(found(&tree).is_empty());
        let circle = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")];
        assert_eq!(found(&circle), ["abc"]);
        let two = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "d"), ("d", "b")];
        assert_eq!(found(&two), ["ab", "bcd"]);
    }
}
