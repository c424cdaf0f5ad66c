//! The findings of a check: each with its place, its lines and its help.

use crate::page::counts::{Count, PageIndex};
use crate::page::data::{Page, PageFinding};
use crate::page::escape::shortened;
use crate::page::html::{Html, counted, html};
use crate::page::skills::MAX_NAME;
use skills_format::{Position, Severity};
use skills_lint::render::Excerpt;
use std::collections::BTreeMap;

/// Maximum number of shown findings.
const MAX_FINDINGS: usize = 400;
/// Maximum characters of a message, a help or a path.
const MAX_TEXT: usize = 600;
/// Maximum characters of the lines of a finding.
const MAX_LINES: usize = 800;

/// Maximum number of skills whose findings are named without a click.
const MAX_OPEN: usize = 12;
/// Maximum number of findings that are shown without a click.
const FEW: usize = 5;

pub(crate) fn render(page: &Page, index: &PageIndex<'_>) -> Html {
    let mut out = Html::default();
    let Some(findings) = &page.findings else {
        html!(out,
            "<p>Not known: a program carries skills that were checked when it was built, and lists no "
            "findings. <code>skills check</code> checks the folder of the skills.</p>\n"
        );
        return out;
    };
    if findings.is_empty() {
        html!(
            out,
            "<p>No rule of <code>skills check</code> has found anything.</p>\n"
        );
        return out;
    }
    rules(&mut out, findings);
    let groups = groups(index, findings);
    let is_open = findings.len() <= FEW;
    let mut room = MAX_FINDINGS;
    for (number, group) in groups.iter().enumerate() {
        if number == MAX_OPEN {
            let rest = groups.len() - MAX_OPEN;
            html!(out, "<details><summary>" (counted(rest, "more skill")) " with findings</summary>\n");
        }
        let shown = group.findings.len().min(room);
        room -= shown;
        if shown > 0 {
            group.render(&mut out, page, index, shown, is_open);
        }
    }
    if groups.len() > MAX_OPEN {
        html!(out, "</details>\n");
    }
    let shown = findings.len().min(MAX_FINDINGS);
    if shown < findings.len() {
        html!(out,
            "<p class=\"note\">" (counted(findings.len() - shown, "more finding")) ": <code>skills check "
            (shortened(page.arguments.as_deref().unwrap_or_default(), MAX_TEXT)) "</code> shows every finding.</p>\n"
        );
    }
    out
}

/// The findings of one skill, or of no skill.
struct Group<'p> {
    skill: Option<usize>,
    count: Count,
    findings: Vec<&'p PageFinding>,
}

/// Returns the findings by skill: the skill with the most errors first.
fn groups<'p>(index: &PageIndex<'_>, findings: &'p [PageFinding]) -> Vec<Group<'p>> {
    let mut by_skill: BTreeMap<Option<usize>, Vec<&PageFinding>> = BTreeMap::new();
    for (finding, holder) in findings.iter().zip(&index.holders) {
        by_skill.entry(*holder).or_default().push(finding);
    }
    let mut groups: Vec<Group<'_>> = by_skill
        .into_iter()
        .map(|(skill, mut findings)| {
            findings.sort_by_key(|finding| finding.diagnostic.severity);
            let count = Count::of(findings.iter().map(|finding| &finding.diagnostic));
            Group {
                skill,
                count,
                findings,
            }
        })
        .collect();
    groups.sort_by_key(|group| (usize::MAX - group.count.order(), group.skill));
    groups
}

impl Group<'_> {
    fn render(
        &self,
        out: &mut Html,
        page: &Page,
        index: &PageIndex<'_>,
        shown: usize,
        is_open: bool,
    ) {
        let open = if is_open { " open" } else { "" };
        let skill = self.skill.and_then(|at| Some((at, index.skills.get(at)?)));
        if let Some((at, listed)) = skill {
            html!(out,
                "<details id=\"of-" (at) "\"" (open) "><summary><bdi>" (shortened(&listed.skill.name, MAX_NAME)) "</bdi>"
            );
        } else {
            html!(out, "<details" (open) "><summary>The collection");
        }
        html!(out, ": " (self.count.words()) "</summary>\n<ol class=\"findings\">\n");
        for finding in self.findings.iter().take(shown) {
            item(out, page, finding);
        }
        html!(out, "</ol>\n</details>\n");
    }
}

/// Lists the number of findings of each rule, the most serious and most frequent first.
fn rules(out: &mut Html, findings: &[PageFinding]) {
    let mut counts: BTreeMap<(Severity, &str), usize> = BTreeMap::new();
    for PageFinding { diagnostic, .. } in findings {
        *counts
            .entry((diagnostic.severity, diagnostic.rule.as_str()))
            .or_default() += 1;
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|((severity, rule), count)| (*severity, usize::MAX - count, *rule));
    html!(out, "<details><summary>" (counted(rows.len(), "rule")) " found something</summary>\n");
    html!(out,
        "<div class=\"scroll\" role=\"group\" aria-labelledby=\"rules-caption\" tabindex=\"0\">\n<table "
        "class=\"narrow\">\n<caption id=\"rules-caption\">How often each rule found something; "
        "<code>skills explain RULE</code> says why a rule exists</caption>\n<thead><tr><th "
        "scope=\"col\">Rule</th><th scope=\"col\">Severity</th><th scope=\"col\" "
        "class=\"n\">Findings</th></tr></thead>\n<tbody>\n"
    );
    for ((severity, rule), count) in rows {
        let word = word(severity);
        html!(out,
            "<tr><th scope=\"row\"><code>" (rule) "</code></th><td><span class=\"severity " (word) "\">" (word)
            "</span></td><td class=\"n\">" (count) "</td></tr>\n"
        );
    }
    html!(out, "</tbody>\n</table>\n</div></details>\n");
}

const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "advice",
    }
}

fn item(out: &mut Html, page: &Page, finding: &PageFinding) {
    let PageFinding {
        diagnostic,
        excerpt,
    } = finding;
    let word = word(diagnostic.severity);
    html!(out,
        "<li><p><span class=\"severity " (word) "\">" (word) "</span> <bdi>"
        (shortened(&diagnostic.message, MAX_TEXT)) "</bdi> <code class=\"rule\">" (diagnostic.rule.as_str())
        "</code></p>\n<p class=\"place\"><bdi>" (shortened(page.below(&diagnostic.path), MAX_TEXT))
    );
    let is_whole = (diagnostic.start, diagnostic.end) == (Position::START, Position::START);
    if !is_whole {
        html!(out, ":" (diagnostic.start.line) ":" (diagnostic.start.column));
    }
    html!(out, "</bdi></p>\n");
    if let Some(excerpt) = excerpt {
        lines(out, excerpt);
    }
    if !diagnostic.help.is_empty() {
        html!(out, "<p class=\"help\">Help: <bdi>" (shortened(&diagnostic.help, MAX_TEXT)) "</bdi></p>\n");
    }
    if let Some(fix) = &diagnostic.fix {
        html!(out,
            "<p class=\"help\"><code>skills check " (if fix.safe { "--fix" } else { "--fix --unsafe" })
            "</code> writes it.</p>\n"
        );
    }
    html!(out, "</li>\n");
}

fn lines(out: &mut Html, excerpt: &Excerpt) {
    if excerpt.text.trim().is_empty() {
        return;
    }
    let part = |from: usize, to: usize| {
        let text = excerpt.text.get(from..to).unwrap_or_default();
        shortened(text, MAX_LINES)
    };
    html!(out, "<pre><code><bdi>" (part(0, excerpt.start)) "<mark>" (part(excerpt.start, excerpt.end)) "</mark>"
        (part(excerpt.end, excerpt.text.len())) "</bdi></code></pre>\n");
}
