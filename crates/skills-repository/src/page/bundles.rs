//! The bundles: digest, sizes, budget, lock.

use crate::page::counts::Total;
use crate::page::data::{LockState, Page, PageBundle, PageSkill};
use crate::page::escape::shortened;
use crate::page::html::{Html, bytes, counted, grouped, html};

/// Maximum number of bundles that are listed without a click.
const MAX_OPEN: usize = 6;
/// Maximum number of listed bundles.
const MAX_BUNDLES: usize = 500;
/// Maximum characters of a name or path in a cell.
const MAX_NAME: usize = 120;
/// Maximum number of listed differences from a lock.
const MAX_CHANGES: usize = 5;
/// The text of an unknown value.
pub(crate) const UNKNOWN: &str = "not known";

pub(crate) fn render(page: &Page) -> Html {
    let mut out = Html::default();
    let is_long = page.bundles.len() > MAX_OPEN;
    if is_long {
        html!(out, "<details><summary>All " (counted(page.bundles.len(), "bundle")) "</summary>\n");
    }
    html!(out,
        "<div class=\"scroll\" role=\"group\" aria-labelledby=\"bundles-caption\" "
        "tabindex=\"0\">\n<table>\n<caption id=\"bundles-caption\">Skills that are loaded together are a "
        "bundle</caption>\n<thead><tr><th scope=\"col\">Bundle</th><th scope=\"col\" "
        "class=\"n\">Skills</th><th scope=\"col\" class=\"n\">Size</th><th scope=\"col\" "
        "class=\"n\">Tokens</th><th scope=\"col\" class=\"n\">Budget</th><th scope=\"col\">Lock</th><th "
        "scope=\"col\">Digest</th></tr></thead>\n<tbody>\n"
    );
    for bundle in page.bundles.iter().take(MAX_BUNDLES) {
        row(&mut out, page, bundle);
    }
    html!(out, "</tbody>\n</table>\n</div>\n");
    if let Some(rest) = page
        .bundles
        .len()
        .checked_sub(MAX_BUNDLES)
        .filter(|rest| *rest > 0)
    {
        html!(out,
            "<p class=\"note\">" (counted(rest, "more bundle"))
            ": name the folder of a bundle to see a page of it alone.</p>\n"
        );
    }
    if is_long {
        html!(out, "</details>\n");
    }
    out
}

fn row(out: &mut Html, page: &Page, bundle: &PageBundle) {
    html!(out, "<tr><th scope=\"row\"><bdi>" (shortened(&bundle.name, MAX_NAME)) "</bdi>");
    if let Some(path) = bundle.path.as_ref().filter(|path| **path != bundle.name) {
        html!(out, "<br><span class=\"place\"><bdi>" (shortened(page.below(path), MAX_NAME)) "</bdi></span>");
    }
    html!(out, "</th><td class=\"n\">" (grouped(bundle.skills.len())) "</td>");
    let skills = || bundle.skills.iter();
    let size = Total::of(skills().map(PageSkill::size));
    let size = size.map(|size| bytes(size.sum) + &size.without());
    number(out, size.as_deref());
    let tokens = Total::of(skills().map(|skill| skill.tokens));
    let tokens = tokens.map(|tokens| grouped(tokens.sum) + &tokens.without());
    number(out, tokens.as_deref());
    let budget = bundle.budget.map(|budget| counted(budget, "character"));
    html!(out, "<td class=\"n\">" (budget.as_deref().unwrap_or("not set")) "</td><td>");
    lock(out, &bundle.lock);
    html!(out, "</td><td>");
    if let Some(digest) = &bundle.digest {
        html!(out, "<code class=\"digest\">" (shortened(digest, MAX_NAME)) "</code>");
    } else {
        html!(out, (UNKNOWN));
    }
    html!(out, "</td></tr>\n");
}

/// Writes a cell with a number, which may be unknown.
fn number(out: &mut Html, text: Option<&str>) {
    html!(out, "<td class=\"n\">" (text.unwrap_or(UNKNOWN)) "</td>");
}

fn lock(out: &mut Html, lock: &LockState) {
    match lock {
        LockState::Unknown => html!(out, (UNKNOWN)),
        LockState::Missing => html!(out, "no lock"),
        LockState::Current => html!(out, "up to date"),
        LockState::Installed => html!(out, "of installed skills"),
        LockState::Unreadable(reason) => {
            html!(
                out,
                "<strong>cannot be read</strong>: "(shortened(reason, MAX_NAME))
            );
        }
        LockState::Stale(changes) => {
            html!(out, "<strong>stale</strong>");
            for (at, change) in changes.iter().take(MAX_CHANGES).enumerate() {
                html!(
                    out,
                    (if at == 0 { ": " } else { "; " })(shortened(change, MAX_NAME))
                );
            }
            if changes.len() > MAX_CHANGES {
                html!(
                    out,
                    "; "(counted(changes.len() - MAX_CHANGES, "more change"))
                );
            }
        }
    }
}
