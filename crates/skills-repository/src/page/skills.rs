//! The table of skills.

use crate::page::bundles::UNKNOWN;
use crate::page::counts::{Count, Listed, PageIndex};
use crate::page::data::{Page, Subject};
use crate::page::escape::shortened;
use crate::page::html::{Html, bytes, counted, grouped, html};
use skills_format::{PowerKind, Powers};

/// Maximum number of listed skills.
pub(crate) const MAX_SKILLS: usize = 2000;
/// Maximum characters of a name in a cell.
pub(crate) const MAX_NAME: usize = 80;
/// Maximum characters of a path, a source or a licence in a cell.
const MAX_PLACE: usize = 120;
/// Maximum characters of a description in a short table.
const MAX_DESCRIPTION: usize = 1100;
/// Maximum characters of a description in a long table.
const MAX_IN_LONG: usize = 240;
/// Maximum number of skills that are listed without a click.
const MAX_OPEN: usize = 8;
/// Number of skills above which a table is long.
const LONG: usize = 120;

/// The columns of the table.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a column")]
struct Columns {
    bundle: bool,
    tokens: bool,
    files: bool,
    findings: bool,
    trust: bool,
    most: usize,
}

pub(crate) fn render(page: &Page, index: &PageIndex<'_>) -> Html {
    let mut out = Html::default();
    let columns = Columns::of(index);
    let open = if index.skills.len() > MAX_OPEN {
        ""
    } else {
        " open"
    };
    html!(out, "<details" (open) "><summary>All " (counted(index.skills.len(), "skill")) "</summary>\n");
    html!(out,
        "<form class=\"filter\" role=\"search\" hidden><label for=\"filter\">Filter by words</label> "
        "<input type=\"search\" id=\"filter\" autocomplete=\"off\"> <span id=\"matches\" "
        "role=\"status\"></span></form>\n"
    );
    columns.missing(&mut out);
    html!(out,
        "<div class=\"scroll\" role=\"group\" aria-labelledby=\"skills-caption\" "
        "tabindex=\"0\">\n<table id=\"skill-table\">\n<caption id=\"skills-caption\">Every skill with "
        "its sizes and its findings</caption>\n"
    );
    columns.head(&mut out);
    html!(out, "<tbody>\n");
    for (at, listed) in index.skills.iter().take(MAX_SKILLS).enumerate() {
        columns.row(&mut out, page, at, listed);
    }
    html!(out, "</tbody>\n</table>\n</div>\n");
    if let Some(rest) = index
        .skills
        .len()
        .checked_sub(MAX_SKILLS)
        .filter(|rest| *rest > 0)
    {
        html!(out,
            "<p class=\"note\">" (counted(rest, "more skill")) " of " (grouped(index.skills.len())) ": "
        );
        match page.subject {
            Subject::Folder(_) => html!(
                out,
                "name a folder below this one to see a page of it alone.</p>\n"
            ),
            Subject::Program(_) => html!(
                out,
                "the program lists them with <code>skills list</code>.</p>\n"
            ),
        }
    }
    html!(out, "</details>\n");
    out
}

impl Columns {
    fn of(index: &PageIndex<'_>) -> Self {
        let any = |knows: &dyn Fn(&Listed<'_>) -> bool| index.skills.iter().any(knows);
        Self {
            bundle: index.has_bundles(),
            tokens: any(&|listed| listed.skill.tokens.is_some()),
            files: any(&|listed| listed.skill.files.is_some()),
            findings: index.total.is_some(),
            trust: any(&|listed| listed.skill.trust.is_some()),
            most: if index.skills.len() > LONG {
                MAX_IN_LONG
            } else {
                MAX_DESCRIPTION
            },
        }
    }

    /// Names the columns that are missing because nothing is known about them.
    fn missing(self, out: &mut Html) {
        let missing = [
            (self.tokens, "tokens"),
            (self.files, "files and sizes"),
            (self.findings, "findings"),
        ];
        let missing: Vec<&str> = missing
            .iter()
            .filter(|(known, _)| !known)
            .map(|(_, what)| *what)
            .collect();
        if !missing.is_empty() {
            html!(out, "<p class=\"note\">Not known of these skills: " (missing.join(", ")) ".</p>\n");
        }
    }

    fn head(self, out: &mut Html) {
        html!(out, "<thead><tr><th scope=\"col\">Skill</th>");
        if self.bundle {
            html!(out, "<th scope=\"col\">Bundle</th>");
        }
        if self.tokens {
            html!(out, "<th scope=\"col\" class=\"n\">Tokens</th>");
        }
        if self.files {
            html!(
                out,
                "<th scope=\"col\" class=\"n\">Files</th><th scope=\"col\" class=\"n\">Size</th>"
            );
        }
        if self.findings {
            html!(out, "<th scope=\"col\">Findings</th>");
        }
        if self.trust {
            html!(out, "<th scope=\"col\">Trust</th>");
        }
        html!(out, "<th scope=\"col\">From</th></tr></thead>\n");
    }

    fn row(self, out: &mut Html, page: &Page, at: usize, listed: &Listed<'_>) {
        let skill = listed.skill;
        html!(out,
            "<tr id=\"skill-" (at) "\"><th scope=\"row\" data-sort=\"" (shortened(&skill.name, MAX_NAME))
            "\"><span class=\"name\"><bdi>" (shortened(&skill.name, MAX_NAME)) "</bdi></span>"
        );
        if !skill.fault.is_empty() {
            html!(out, " <span class=\"fault\">not usable: " (shortened(&skill.fault, MAX_PLACE)) "</span>");
        }
        html!(out, "<span class=\"about\"><bdi>");
        if skill.description.is_empty() {
            html!(out, "no description");
        } else {
            html!(out, (shortened(&skill.description, self.most)));
        }
        html!(out, "</bdi></span>");
        if let Some(powers) = skill.powers.as_ref().filter(|powers| !powers.is_empty()) {
            powers_of(out, powers);
        }
        html!(out, "</th>");
        if self.bundle {
            html!(out, "<td><bdi>" (shortened(&listed.bundle.name, MAX_NAME)) "</bdi></td>");
        }
        if self.tokens {
            number(out, skill.tokens, grouped);
        }
        if self.files {
            number(out, skill.files.as_ref().map(Vec::len), grouped);
            let size = skill
                .size()
                .map(|size| usize::try_from(size).unwrap_or(usize::MAX));
            number(out, size, |_| bytes(skill.size().unwrap_or_default()));
        }
        if let Some(findings) = listed.findings {
            html!(out, "<td data-sort=\"" (findings.order()) "\">");
            if findings == Count::default() {
                html!(out, (findings.words()) "</td>");
            } else {
                html!(out, "<a href=\"#of-" (at) "\">" (findings.words()) "</a></td>");
            }
        }
        if self.trust {
            html!(out, "<td>" (shortened(skill.trust.as_deref().unwrap_or(UNKNOWN), MAX_PLACE)) "</td>");
        }
        origin(out, page, listed);
        html!(out, "</tr>\n");
    }
}

/// Writes what a skill may do, folded: kinds, and the first powers of each.
fn powers_of(out: &mut Html, powers: &Powers) {
    const MOST: usize = 6;
    html!(out, "<details class=\"about\"><summary>" (counted(powers.count(), "power")) "</summary>");
    for kind in PowerKind::ALL {
        let texts: Vec<&str> = powers.texts(kind).collect();
        if texts.is_empty() {
            continue;
        }
        let shown = texts
            .iter()
            .take(MOST)
            .copied()
            .collect::<Vec<_>>()
            .join(", ");
        html!(out, "<span>" (kind.as_str()) ": <bdi>" (shortened(&shown, MAX_PLACE)) "</bdi>");
        if texts.len() > MOST {
            html!(out, ", and "(counted(texts.len() - MOST, "more power")));
        }
        html!(out, ".</span> ");
    }
    html!(out, "</details>");
}

/// Writes a cell with a number, which may be unknown.
fn number(out: &mut Html, value: Option<usize>, shown: impl Fn(usize) -> String) {
    if let Some(value) = value {
        html!(out, "<td class=\"n\" data-sort=\"" (value) "\">" (shown(value)) "</td>");
    } else {
        html!(out, "<td class=\"n\" data-sort=\"-1\">" (UNKNOWN) "</td>");
    }
}

/// Writes the cell with the folder, the source and the licence.
fn origin(out: &mut Html, page: &Page, Listed { skill, .. }: &Listed<'_>) {
    html!(out, "<td class=\"origin\">");
    let parts = [
        ("", skill.path.as_deref().map(|path| page.below(path))),
        ("from ", skill.source.as_deref()),
        ("licence: ", skill.license.as_deref()),
    ];
    let mut is_known = false;
    for (before, part) in parts {
        if let Some(part) = part {
            html!(out,
                (if is_known { " " } else { "" }) "<span>" (before) "<bdi>" (shortened(part, MAX_PLACE))
                "</bdi></span>"
            );
            is_known = true;
        }
    }
    if !is_known {
        html!(out, (UNKNOWN));
    }
    html!(out, "</td>");
}
