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
/// Maximum characters of a path in a command.
const MAX_PATH: usize = 400;
/// Maximum number of names in a list of shortened or missing skills.
const MAX_NAMES: usize = 12;
/// Number of the longest descriptions that are named.
const LONGEST: usize = 5;

/// The list of a bundle, as a client cuts it.
struct ClientCut {
    client: &'static Listing,
    cut: Cut,
    /// The cost of what the client lists without these skills: its own skills, and the text around the list.
    own: usize,
}

pub(crate) fn render(page: &Page) -> Option<Html> {
    let mut bundles: Vec<&PageBundle> = page.bundles.iter().collect();
    let all = bundles.len();
    bundles.retain(|bundle| bundle.skills.iter().any(is_offered));
    if bundles.is_empty() {
        return None;
    }
    let has_several = all > 1;
    let unlisted = all - bundles.len();
    // The bundle that loses the most skills first, then the largest.
    bundles.sort_by_cached_key(|bundle| {
        let cuts = cuts(&offered(bundle), page.context);
        let lost = |shown: &[Shown]| -> usize {
            let kept = cuts.iter().flat_map(|client| &client.cut.skills);
            kept.filter(|kept| shown.contains(&kept.shown)).count()
        };
        let unseen = lost(&[Shown::Gone, Shown::Bare]);
        std::cmp::Reverse((unseen, lost(&[Shown::Shortened]), bundle.skills.len()))
    });
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
        html!(
            out,
            "The budgets here are those for a model whose context is not known"
        );
        if let Some(folder) = &page.arguments {
            html!(out,
                ": <code>skills page --context 200k -o page.html " (shortened(folder, MAX_PATH))
                "</code> shows those for a model with 200,000 tokens"
            );
        }
        html!(out, ".</p>\n");
    }
    if has_several {
        html!(out, "<p class=\"note\">" (counted(all, "bundle")) ", each with the whole budget to itself");
        match unlisted {
            0 => {}
            1 => html!(out, "; 1 has no skill that can be listed"),
            unlisted => html!(out, "; " (grouped(unlisted)) " have no skill that can be listed"),
        }
        html!(out, ". The bundle that loses the most comes first.</p>\n");
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
        html!(out, "<p class=\"note\">" (rest) ", which lose less: a page of one bundle shows its budget.</p>\n");
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
            title: title(result.client),
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
    own(out, &results);
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
        let skills = counted(faulty.len(), "skill");
        let (has, are) = if faulty.len() == 1 {
            (" has", "is")
        } else {
            (" have", "are")
        };
        html!(out, "<p class=\"fault\">" (skills) (has) " no description, and " (are) " not in the list.</p>\n");
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
        own: client.cut(context, &[]).whole,
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
    /// The name of that bundle.
    pub(crate) bundle: String,
    /// The number of skills that the bundle loses.
    pub(crate) most: usize,
    /// The number of bundles that lose skills in the worst of the ways that the client has.
    pub(crate) bundles: usize,
    /// True if the whole list fits into the budget: then the client shortens each long description by itself.
    pub(crate) fits: bool,
    /// True for one of the most used clients.
    pub(crate) is_common: bool,
}

impl Seen {
    /// Returns the number of skills that could be listed.
    pub(crate) const fn all(&self) -> usize {
        self.whole + self.cut + self.bare + self.gone
    }

    pub(crate) const fn is_whole(&self) -> bool {
        self.cut == 0 && self.bare == 0 && self.gone == 0
    }
}

/// Returns what each client shows of each bundle, added up.
pub(crate) fn seen(page: &Page) -> Vec<Seen> {
    let bundles = page.bundles.iter();
    let bundles = bundles.filter(|bundle| bundle.skills.iter().any(is_offered));
    let cuts: Vec<(&PageBundle, Vec<ClientCut>)> = bundles
        .map(|bundle| (bundle, cuts(&offered(bundle), page.context)))
        .collect();
    let clients = cuts.first().map_or(0, |(_, cuts)| cuts.len());
    let of_client = |at: usize| {
        cuts.iter()
            .filter_map(move |(bundle, cuts)| Some((*bundle, cuts.get(at)?)))
    };
    (0..clients)
        .filter_map(|at| Seen::of(of_client(at)))
        .collect()
}

impl Seen {
    /// Adds up what one client shows of each bundle.
    fn of<'c>(cuts: impl Iterator<Item = (&'c PageBundle, &'c ClientCut)> + Clone) -> Option<Self> {
        let client = cuts.clone().next()?.1.client;
        let count = |cut: &Cut, shown: Shown| {
            let skills = cut.skills.iter();
            skills.filter(|kept| kept.shown == shown).count()
        };
        let sum = |shown: Shown| cuts.clone().map(|(_, of)| count(&of.cut, shown)).sum();
        let mut seen = Self {
            name: &client.name,
            title: title(client),
            whole: sum(Shown::Whole),
            cut: sum(Shown::Shortened),
            bare: sum(Shown::Bare),
            gone: sum(Shown::Gone),
            path: None,
            bundle: String::new(),
            most: 0,
            bundles: 0,
            fits: cuts.clone().all(|(_, of)| of.cut.whole <= of.cut.budget),
            is_common: clients()
                .iter()
                .any(|known| known.common && known.name == client.name),
        };
        let worst = match (seen.gone, seen.bare) {
            (0, 0) => Shown::Shortened,
            (0, _) => Shown::Bare,
            _ => Shown::Gone,
        };
        for (bundle, of) in cuts {
            let lost = count(&of.cut, worst);
            seen.bundles += usize::from(lost > 0);
            if lost > seen.most {
                seen.most = lost;
                seen.path.clone_from(&bundle.path);
                seen.bundle.clone_from(&bundle.name);
            }
        }
        Some(seen)
    }
}

/// Returns the name of a client. A reader of the page does not know the profile that this project calls its default.
fn title(client: &'static Listing) -> &'static str {
    if client.name == "default" {
        "Programs with skills-runtime"
    } else {
        &client.title
    }
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

/// Says how much of a budget a client takes for its own skills.
fn own(out: &mut Html, results: &[ClientCut]) {
    /// A text around the list is short, and takes little of a budget.
    const LEAST_SHARE: usize = 10;
    let lists = results
        .iter()
        .filter(|client| client.own * LEAST_SHARE > client.cut.budget);
    for ClientCut { client, cut, own } in lists {
        html!(out,
            "<p class=\"note\">The list of <strong>" (title(client)) "</strong> begins with the client’s own skills: "
            (grouped(*own)) " of its " (grouped(cut.budget)) " " (cut.unit.as_str()) ". These skills need "
            (grouped(cut.whole.saturating_sub(*own))) ".</p>\n"
        );
    }
}

fn table(out: &mut Html, results: &[ClientCut], number: usize) {
    html!(out,
        "<div class=\"scroll\" role=\"group\" aria-labelledby=\"budget-caption-" (number) "\" tabindex=\"0\">\n<table>\n"
        "<caption id=\"budget-caption-" (number) "\">What each client shows a model</caption>\n<thead><tr>"
        "<th scope=\"col\">Client</th><th scope=\"col\" class=\"n\">Budget</th><th scope=\"col\" class=\"n\">These skills"
        "</th><th scope=\"col\" class=\"n\">The client’s own</th><th scope=\"col\" class=\"n\">Whole</th><th scope=\"col\" class=\"n\">Shortened</th>"
        "<th scope=\"col\" class=\"n\">Name alone</th><th scope=\"col\" class=\"n\">Left out</th></tr></thead>\n<tbody>\n"
    );
    for ClientCut { client, cut, own } in results {
        let unit = cut.unit.as_str();
        html!(out,
            "<tr><th scope=\"row\">" (title(client)) "</th><td class=\"n\">" (grouped(cut.budget)) " " (unit)
            "</td><td class=\"n\">" (grouped(cut.whole.saturating_sub(*own))) " " (unit)
            "</td><td class=\"n\">" (grouped(*own)) " " (unit) "</td>"
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
        html!(out, "<li><strong>" (title(client)) "</strong>: ");
        // The name of a folder of tests says nothing to a reader of the page.
        source(out, &client.source.at.replace(" (tests/clients)", ""));
        if let Some(remark) = &client.remark {
            html!(out, " "(remark));
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
    for ClientCut { client, cut, .. } in results {
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
            html!(lines, "<li><strong>" (title(client)) "</strong> " (what) " ");
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
