//! The budget: how much of the catalog text each client shows, as a picture and in words.

use crate::page::bar::{self, Row};
use crate::page::data::{Page, PageBundle, PageSkill};
use crate::page::escape::shortened;
use crate::page::html::{Html, counted, grouped, html};
use crate::page::skills::MAX_NAME;
use skills_clients::check::clients;
use skills_clients::client::listings;
use skills_clients::listing::{Cut, Listed, Listing, Shown};

/// Maximum number of bundles whose budget is shown: the bundles with the most skills.
const MAX_BUNDLES: usize = 4;
/// Maximum number of names in a list of shortened or missing skills.
const MAX_NAMES: usize = 12;
/// Number of the longest descriptions that are named.
const LONGEST: usize = 5;

/// The list of a bundle, as a client cuts it.
struct ClientCut {
    client: &'static Listing,
    cut: Cut,
}

pub(crate) fn render(page: &Page) -> Option<Html> {
    let mut bundles: Vec<&PageBundle> = page.bundles.iter().collect();
    bundles.sort_by_key(|bundle| usize::MAX - bundle.skills.len());
    bundles.retain(|bundle| !bundle.skills.is_empty());
    let has_several = bundles.len() > 1;
    if bundles.is_empty() {
        return None;
    }
    let mut out = Html::default();
    html!(out,
        "<p>A model chooses a skill by a list of names and descriptions. Each client gives that list a budget, and "
        "shortens or leaves out what does not fit. "
    );
    let context = page
        .context
        .map(|tokens| usize::try_from(tokens).unwrap_or(usize::MAX));
    if let Some(tokens) = context {
        html!(out,
            "The budgets here are those for a model with a context of " (grouped(tokens)) " tokens.</p>\n"
        );
    } else {
        html!(out,
            "The budgets here are those for a model whose context is not known: "
            "<code>skills page --context 200k</code> shows those for a model with 200,000 tokens.</p>\n"
        );
    }
    for (number, bundle) in bundles.iter().take(MAX_BUNDLES).enumerate() {
        let name = shortened(&bundle.name, MAX_NAME);
        if number > 0 {
            html!(out, "<details><summary>The budget of <bdi>" (name) "</bdi></summary>\n");
        } else if has_several {
            html!(out, "<h3><bdi>" (name) "</bdi></h3>\n");
        }
        one(&mut out, bundle, page.context, number);
        if number > 0 {
            html!(out, "</details>\n");
        }
    }
    if bundles.len() > MAX_BUNDLES {
        let rest = counted(bundles.len() - MAX_BUNDLES, "more bundle");
        html!(out, "<p class=\"note\">" (rest) ", with fewer skills: a page of one bundle shows its budget.</p>\n");
    }
    sources(&mut out);
    Some(out)
}

fn one(out: &mut Html, bundle: &PageBundle, context: Option<u64>, number: usize) {
    let offered = offered(bundle);
    let results = cuts(&offered, context);
    let rows: Vec<Row<'_>> = results
        .iter()
        .map(|result| Row {
            title: &result.client.title,
            cut: &result.cut,
        })
        .collect();
    html!(out,
        "<figure><div class=\"scroll\" role=\"group\" aria-label=\"Picture of the budget " (number + 1)
        "\" tabindex=\"0\">\n"
    );
    bar::draw(out, &offered, &rows, number);
    html!(out,
        "</div><figcaption>The filled part is what a model reads. Hatched: descriptions that are cut. Dashed: skills "
        "that are left out. The line is the budget.</figcaption></figure>\n"
    );
    html!(out, "<details><summary>The same in words</summary>\n");
    table(out, &results, number);
    html!(out, "</details>\n");
    let (closed, faulty): (Vec<_>, Vec<_>) = bundle
        .skills
        .iter()
        .filter(|skill| !is_offered(skill))
        .partition(|skill| skill.is_for_people_alone);
    if !closed.is_empty() {
        let skills = counted(closed.len(), "skill");
        html!(out, "<p class=\"note\">" (skills) " that only a person may start: not in the list.</p>\n");
    }
    if !faulty.is_empty() {
        let skills = counted(faulty.len(), "faulty skill");
        html!(out, "<p class=\"note\">" (skills) " with no description: not in the list.</p>\n");
    }
    longest(out, &offered);
    lost(out, &offered, &results);
}

/// Returns the skills of a bundle that are offered to a model. A faulty skill with no description is offered nowhere.
fn offered(bundle: &PageBundle) -> Vec<&PageSkill> {
    let skills = bundle.skills.iter();
    skills.filter(|skill| is_offered(skill)).collect()
}

const fn is_offered(skill: &PageSkill) -> bool {
    !skill.is_for_people_alone && (skill.fault.is_empty() || !skill.description.is_empty())
}

/// Returns the list of skills as each client cuts it.
fn cuts(offered: &[&PageSkill], context: Option<u64>) -> Vec<ClientCut> {
    let skills: Vec<Listed<'_>> = offered.iter().map(|skill| listed(skill)).collect();
    let clients = listings().filter(|client| client.has_budget());
    let cuts = clients.map(|client| ClientCut {
        client,
        cut: client.cut(context, &skills),
    });
    cuts.collect()
}

/// The skills of all bundles that one client shows whole, shortens, and leaves out.
pub(crate) struct Seen {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) whole: usize,
    /// The number of skills with a shortened description.
    pub(crate) cut: usize,
    /// The number of skills that are shown by their names alone.
    pub(crate) bare: usize,
    pub(crate) gone: usize,
    /// The path of the bundle that loses the most.
    pub(crate) path: Option<String>,
    /// The number of skills that the bundle loses.
    most: usize,
    /// True for one of the most used clients.
    pub(crate) is_common: bool,
}

impl Seen {
    pub(crate) const fn is_whole(&self) -> bool {
        self.cut == 0 && self.bare == 0 && self.gone == 0
    }
}

/// Returns what each client shows of each bundle, added up.
pub(crate) fn seen(page: &Page) -> Vec<Seen> {
    let mut all: Vec<Seen> = Vec::new();
    for bundle in page
        .bundles
        .iter()
        .filter(|bundle| !bundle.skills.is_empty())
    {
        for ClientCut { client, cut } in cuts(&offered(bundle), page.context) {
            let at = all.iter().position(|seen| seen.name == client.name);
            let at = at.unwrap_or_else(|| {
                all.push(Seen {
                    name: &client.name,
                    title: &client.title,
                    whole: 0,
                    cut: 0,
                    bare: 0,
                    gone: 0,
                    path: None,
                    most: 0,
                    is_common: clients()
                        .iter()
                        .any(|known| known.common && known.name == client.name),
                });
                all.len() - 1
            });
            let count = |shown: Shown| cut.skills.iter().filter(|kept| kept.shown == shown).count();
            let lost = cut.skills.len() - count(Shown::Whole);
            if let Some(seen) = all.get_mut(at) {
                seen.whole += count(Shown::Whole);
                seen.cut += count(Shown::Shortened);
                seen.bare += count(Shown::Bare);
                seen.gone += count(Shown::Gone);
                if lost > seen.most {
                    seen.most = lost;
                    seen.path.clone_from(&bundle.path);
                }
            }
        }
    }
    all
}

fn listed(skill: &PageSkill) -> Listed<'_> {
    Listed {
        name: &skill.name,
        description: &skill.description,
        when_to_use: &skill.when_to_use,
        location: skill.location.as_deref().unwrap_or_default(),
        root: "",
    }
}

fn table(out: &mut Html, results: &[ClientCut], number: usize) {
    html!(out,
        "<div class=\"scroll\" role=\"group\" aria-labelledby=\"budget-caption-" (number) "\" tabindex=\"0\">\n<table>\n"
        "<caption id=\"budget-caption-" (number) "\">What each client shows a model</caption>\n<thead><tr>"
        "<th scope=\"col\">Client</th><th scope=\"col\" class=\"n\">Budget</th><th scope=\"col\" class=\"n\">Everything"
        "</th><th scope=\"col\" class=\"n\">Whole</th><th scope=\"col\" class=\"n\">Shortened</th>"
        "<th scope=\"col\" class=\"n\">Name alone</th><th scope=\"col\" class=\"n\">Left out</th></tr></thead>\n<tbody>\n"
    );
    for ClientCut { client, cut } in results {
        let unit = cut.unit.as_str();
        html!(out,
            "<tr><th scope=\"row\">" (client.title) "</th><td class=\"n\">" (grouped(cut.budget)) " " (unit)
            "</td><td class=\"n\">" (grouped(cut.whole)) " " (unit) "</td>"
        );
        for shown in [Shown::Whole, Shown::Shortened, Shown::Bare, Shown::Gone] {
            let count = cut.skills.iter().filter(|kept| kept.shown == shown).count();
            html!(out, "<td class=\"n\">" (grouped(count)) "</td>");
        }
        html!(out, "</tr>\n");
    }
    html!(out, "</tbody>\n</table>\n</div>\n");
}

/// Lists the source of each client's numbers.
fn sources(out: &mut Html) {
    html!(
        out,
        "<details><summary>Where these numbers come from</summary>\n<ul>\n"
    );
    for client in listings().filter(|client| client.has_budget()) {
        html!(out, "<li><strong>" (client.title) "</strong>: ");
        source(out, &client.source.at);
        if let Some(remark) = &client.remark {
            html!(out, "<br>"(remark));
        }
        html!(out, "</li>\n");
    }
    html!(out, "</ul></details>\n");
}

/// Writes the source of a client's numbers, with its first address as a link.
fn source(out: &mut Html, text: &str) {
    let start = text.find("https://").unwrap_or(text.len());
    let (before, rest) = text.split_at(start);
    let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let end = rest.find(is_end).unwrap_or(rest.len());
    let (address, after) = rest.split_at(end);
    let (address, colon) = match address.strip_suffix(':') {
        Some(address) => (address, ":"),
        None => (address, ""),
    };
    html!(out, (before));
    if !address.is_empty() {
        html!(out, "<a href=\"" (address) "\" rel=\"noreferrer\">" (address) "</a>");
    }
    html!(out, (colon)(after));
}

/// Names the skills with the longest descriptions.
fn longest(out: &mut Html, offered: &[&PageSkill]) {
    let mut lengths: Vec<(usize, &str)> = offered
        .iter()
        .map(|skill| (skill.description.chars().count(), skill.name.as_str()))
        .collect();
    lengths.sort_unstable_by_key(|(length, name)| (usize::MAX - length, *name));
    html!(out, "<p>The longest descriptions, in characters: ");
    for (at, (length, name)) in lengths.iter().take(LONGEST).enumerate() {
        html!(out,
            (if at == 0 { "" } else { ", " }) "<bdi>" (shortened(name, MAX_NAME)) "</bdi> " (grouped(*length))
        );
    }
    html!(out, ".</p>\n");
}

/// Names the skills that a client shortens, lists by name alone, or leaves out.
fn lost(out: &mut Html, offered: &[&PageSkill], results: &[ClientCut]) {
    let kinds = [
        (Shown::Gone, "leaves out"),
        (Shown::Bare, "shows by name alone"),
        (Shown::Shortened, "shortens"),
    ];
    let mut lines = Html::default();
    let mut is_any = false;
    for ClientCut { client, cut } in results {
        for (shown, what) in kinds {
            let skills = offered
                .iter()
                .zip(&cut.skills)
                .filter(|(_, kept)| kept.shown == shown);
            let names: Vec<&str> = skills.map(|(skill, _)| skill.name.as_str()).collect();
            if names.is_empty() {
                continue;
            }
            is_any = true;
            html!(lines, "<li><strong>" (client.title) "</strong> " (what) " ");
            for (at, name) in names.iter().take(MAX_NAMES).enumerate() {
                html!(lines, (if at == 0 { "" } else { ", " }) "<bdi>" (shortened(name, MAX_NAME)) "</bdi>");
            }
            if names.len() > MAX_NAMES {
                html!(lines, " and " (grouped(names.len() - MAX_NAMES)) " more");
            }
            html!(lines, "</li>\n");
        }
    }
    if is_any {
        html!(
            out,
            "<details><summary>Which skills lose something</summary>\n<ul>\n"
        );
        out.html(&lines);
        html!(out, "</ul></details>\n");
    } else {
        html!(
            out,
            "<p>Every client shows every skill with its whole description.</p>\n"
        );
    }
}
