//! The references between skills.

use crate::page::counts::PageIndex;
use crate::page::graph::{Arrow, draw};
use crate::page::html::{Html, counted, html};
use crate::page::weight::skill_link;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of nodes of a graph that is drawn without a click.
const MAX_OPEN: usize = 12;
/// Maximum number of nodes of a drawn graph. A larger graph is listed in words only.
const MAX_NODES: usize = 60;
/// Maximum number of arrows of a drawn graph.
const MAX_ARROWS: usize = 240;
/// Maximum number of listed references.
const MAX_LISTED: usize = 400;

pub(crate) fn render(index: &PageIndex<'_>) -> Html {
    let arrows = arrows(index);
    let nodes: BTreeSet<usize> = arrows
        .iter()
        .flat_map(|arrow| [arrow.from, arrow.to])
        .collect();
    let is_known = index
        .skills
        .iter()
        .any(|listed| listed.skill.links.is_some());
    let mut out = Html::default();
    if !is_known {
        html!(
            out,
            "<p>Not known: the list of a program does not say which skill refers to which.</p>\n"
        );
        return out;
    }
    if arrows.is_empty() {
        html!(
            out,
            "<p>No skill refers to another skill of its bundle.</p>\n"
        );
        return out;
    }
    html!(out,
        "<p>" (counted(arrows.len(), "reference")) " between " (counted(nodes.len(), "skill"))
        ". A reference is a link to a file of another skill (solid line), a mention such as "
        "<code>$name</code> (dashed), or the name in a code span (dotted).</p>\n"
    );
    let is_drawn = nodes.len() <= MAX_NODES && arrows.len() <= MAX_ARROWS;
    let is_folded = is_drawn && nodes.len() > MAX_OPEN;
    if is_folded {
        html!(out, "<details><summary>The picture</summary>\n");
    }
    if is_drawn {
        html!(out,
            "<figure><div class=\"scroll\" role=\"group\" aria-label=\"Picture of the links\" "
            "tabindex=\"0\">\n"
        );
        let name = |at: usize| {
            index
                .skills
                .get(at)
                .map_or_else(String::new, |listed| listed.skill.name.clone())
        };
        draw(&mut out, &arrows, &name);
        html!(out, "</div></figure>\n");
        if is_folded {
            html!(out, "</details>\n");
        }
        html!(out, "<details><summary>The references in words</summary>\n");
    } else {
        html!(out,
            "<p class=\"note\">Too many for a picture.</p>\n<details><summary>The references in "
            "words</summary>\n"
        );
    }
    table(&mut out, index, &arrows);
    html!(out, "</details>\n");
    out
}

/// Returns the references between skills of one bundle, by the numbers of the skills.
fn arrows(index: &PageIndex<'_>) -> Vec<Arrow> {
    let mut by_name: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (at, listed) in index.skills.iter().enumerate() {
        by_name
            .entry((listed.bundle_at, &listed.skill.name))
            .or_insert(at);
    }
    let arrows = index.skills.iter().enumerate().flat_map(|(from, listed)| {
        let by_name = &by_name;
        listed.skill.links.iter().flatten().filter_map(move |link| {
            let to = *by_name.get(&(listed.bundle_at, link.to.as_str()))?;
            Some(Arrow {
                from,
                to,
                how: link.how,
            })
        })
    });
    arrows.collect()
}

fn table(out: &mut Html, index: &PageIndex<'_>, arrows: &[Arrow]) {
    html!(out,
        "<div class=\"scroll\" role=\"group\" aria-labelledby=\"links-caption\" tabindex=\"0\">\n<table "
        "class=\"narrow\">\n<caption id=\"links-caption\">Which skill refers to "
        "which</caption>\n<thead><tr><th scope=\"col\">Skill</th><th scope=\"col\">refers to</th><th "
        "scope=\"col\">by</th></tr></thead>\n<tbody>\n"
    );
    for arrow in arrows.iter().take(MAX_LISTED) {
        html!(out, "<tr><th scope=\"row\">");
        skill_link(out, index, arrow.from);
        html!(out, "</th><td>");
        skill_link(out, index, arrow.to);
        html!(out, "</td><td>" (arrow.how.as_str()) "</td></tr>\n");
    }
    html!(out, "</tbody>\n</table>\n</div>\n");
    if arrows.len() > MAX_LISTED {
        html!(out,
            "<p class=\"note\">" (counted(arrows.len() - MAX_LISTED, "more reference"))
            ": a page of one bundle lists fewer skills.</p>\n"
        );
    }
}
