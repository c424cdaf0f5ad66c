//! A small graph, with its nodes on a circle.

use crate::page::data::Reference;
use crate::page::escape::shortened;
use crate::page::geometry::{real, width};
use crate::page::html::{Html, html};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;

/// An arrow from one node to another, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arrow {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) how: Reference,
}

/// Maximum characters of a label.
const MAX_LABEL: usize = 28;
/// Maximum number of nodes with horizontal labels. With more nodes the labels are turned like spokes.
const FEW: usize = 14;
/// The distance of two nodes on the circle.
const STEP: f64 = 24.0;
/// The radius of a node.
const DOT: f64 = 5.0;

/// One node at its place.
struct Node {
    angle: f64,
    x: f64,
    y: f64,
}

/// Draws the nodes that have arrows. `name` returns the name of a node.
pub(crate) fn draw(out: &mut Html, arrows: &[Arrow], name: &dyn Fn(usize) -> String) {
    let order = order(arrows);
    let names: BTreeMap<usize, String> = order
        .iter()
        .map(|at| (*at, shortened(&name(*at), MAX_LABEL)))
        .collect();
    let label = names.values().map(|name| width(name)).fold(0.0, f64::max) + 16.0;
    let radius = (real(order.len()) * STEP / (2.0 * PI)).max(130.0);
    let is_few = order.len() <= FEW;
    let (half, height) = (radius + label, radius + if is_few { 24.0 } else { label });
    html!(out,
        "<svg class=\"graph\" style=\"max-width:" ((half * 2.0).ceil()) "px\" viewBox=\"" (-half) " " (-height)
        " " (half * 2.0) " " (height * 2.0)
        "\" role=\"img\" aria-labelledby=\"graph-title\">\n<title id=\"graph-title\">Which skill refers "
        "to which. The table below lists the same.</title>\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" "
        "refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path class=\"tip\" "
        "d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
    );
    let nodes: BTreeMap<usize, Node> = order
        .iter()
        .enumerate()
        .map(|(place, at)| {
            let angle = 2.0 * PI * real(place) / real(order.len()) - PI / 2.0;
            (
                *at,
                Node {
                    angle,
                    x: radius * libm::cos(angle),
                    y: radius * libm::sin(angle),
                },
            )
        })
        .collect();
    for arrow in arrows {
        if let (Some(from), Some(to)) = (nodes.get(&arrow.from), nodes.get(&arrow.to)) {
            edge(out, from, to, arrow.how);
            let name = |at: &usize| names.get(at).map_or("", String::as_str);
            html!(out,
                "<title>" (name(&arrow.from)) " → " (name(&arrow.to)) " (" (arrow.how.as_str())
                ")</title></path>\n"
            );
        }
    }
    for (at, node) in &nodes {
        let name = names.get(at).map_or("", String::as_str);
        html!(out, "<g class=\"node\"><circle cx=\"" (node.x) "\" cy=\"" (node.y) "\" r=\"5\"/>");
        node.label(out, is_few, name);
        html!(out, "</g>\n");
    }
    html!(out, "</svg>\n");
}

/// Writes the start tag of an arrow's curve, bent towards the middle. The caller writes the title and the end tag.
fn edge(out: &mut Html, from: &Node, to: &Node, how: Reference) {
    let (x, y) = ((from.x + to.x) * 0.2, (from.y + to.y) * 0.2);
    let away = ((to.x - x).powi(2) + (to.y - y).powi(2)).sqrt().max(1.0);
    let stop = (DOT + 2.0) / away;
    let (end_x, end_y) = (to.x + (x - to.x) * stop, to.y + (y - to.y) * stop);
    let class = match how {
        Reference::Link => "link",
        Reference::Mention => "mention",
        Reference::Code => "code",
    };
    html!(out,
        "<path class=\"edge " (class) "\" marker-end=\"url(#tip)\" d=\"M" (from.x) " " (from.y) "Q" (x) " " (y)
        " " (end_x) " " (end_y) "\">"
    );
}

impl Node {
    fn label(&self, out: &mut Html, is_few: bool, name: &str) {
        let (sin, cos) = (libm::sin(self.angle), libm::cos(self.angle));
        let is_left = cos < -0.01;
        let away = DOT + 5.0;
        let anchor = if is_left { "end" } else { "start" };
        if is_few {
            let is_middle = cos.abs() <= 0.01;
            let (x, y) = (
                self.x + away * cos,
                self.y + 4.0 + if is_middle { 14.0 * sin } else { 0.0 },
            );
            let anchor = if is_middle { "middle" } else { anchor };
            html!(out, "<text x=\"" (x) "\" y=\"" (y) "\" text-anchor=\"" (anchor) "\">" (name) "</text>");
            return;
        }
        let turn = self.angle.to_degrees() + if is_left { 180.0 } else { 0.0 };
        let (x, y) = (self.x + away * cos, self.y + away * sin);
        html!(out,
            "<text transform=\"translate(" (x) " " (y) ") rotate(" (turn) ")\" y=\"4\" text-anchor=\"" (anchor)
            "\">" (name) "</text>"
        );
    }
}

/// Orders the nodes on the circle: connected nodes are adjacent, each group from its node with the most arrows.
fn order(arrows: &[Arrow]) -> Vec<usize> {
    let mut near: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for arrow in arrows {
        near.entry(arrow.from).or_default().insert(arrow.to);
        near.entry(arrow.to).or_default().insert(arrow.from);
    }
    let degree = |at: &usize| near.get(at).map_or(0, BTreeSet::len);
    let mut starts: Vec<usize> = near.keys().copied().collect();
    starts.sort_by_key(|at| (usize::MAX - degree(at), *at));
    let mut placed = BTreeSet::new();
    let mut order = Vec::new();
    for start in starts {
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if placed.insert(at) {
                order.push(at);
                let mut next: Vec<usize> = near.get(&at).into_iter().flatten().copied().collect();
                next.sort_by_key(|at| (degree(at), usize::MAX - at));
                open.extend(next);
            }
        }
    }
    order
}
