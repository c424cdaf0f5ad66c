//! The findings of a check: each with its place, its lines and its help.

use crate::page::data::{Page, PageFinding};
use crate::page::escape::shortened;
use crate::page::html::{Html, counted, html};
use skills_format::{Position, Severity};
use skills_lint::render::Excerpt;
use std::collections::BTreeMap;

/// Maximum number of shown findings.
const MAX_FINDINGS: usize = 400;
/// Maximum characters of a message, a help or a path.
const MAX_TEXT: usize = 600;
/// Maximum characters of the lines of a finding.
const MAX_LINES: usize = 800;

/// Maximum number of rules that are listed without a click.
const MAX_OPEN: usize = 8;

/// The severities in the order in which they are shown.
const SEVERITIES: [(Severity, &str, &str); 3] = [
    (Severity::Error, "error", "error"),
    (Severity::Warning, "warning", "warning"),
    (Severity::Info, "advice", "piece of advice"),
];

pub(crate) fn render(page: &Page) -> Html {
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
    let mut room = MAX_FINDINGS;
    for (severity, word, one) in SEVERITIES {
        let found: Vec<_> = findings
            .iter()
            .filter(|finding| finding.diagnostic.severity == severity)
            .collect();
        if found.is_empty() {
            continue;
        }
        let shown = found.len().min(room);
        room -= shown;
        html!(out,
            "<h3>" (counted(found.len(), one).replace("piece of advices", "pieces of advice")) "</h3>\n"
        );
        if shown > 0 {
            html!(out, "<ol class=\"findings\">\n");
        }
        for finding in found.iter().take(shown) {
            item(&mut out, finding, word);
        }
        if shown > 0 {
            html!(out, "</ol>\n");
        }
        if shown < found.len() {
            html!(out,
                "<p class=\"note\">" (counted(found.len() - shown, "more finding")) ": <code>skills check "
                (shortened(page.arguments.as_deref().unwrap_or_default(), MAX_TEXT)) "</code> shows every finding.</p>\n"
            );
        }
    }
    out
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
    let is_long = rows.len() > MAX_OPEN;
    if is_long {
        html!(out, "<details><summary>" (counted(rows.len(), "rule")) " found something</summary>\n");
    }
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
    html!(out, "</tbody>\n</table>\n</div>\n");
    if is_long {
        html!(out, "</details>\n");
    }
}

fn word(severity: Severity) -> &'static str {
    let found = SEVERITIES.iter().find(|(known, ..)| *known == severity);
    found.map_or("", |(_, word, _)| word)
}

fn item(
    out: &mut Html,
    PageFinding {
        diagnostic,
        excerpt,
    }: &PageFinding,
    word: &str,
) {
    html!(out,
        "<li><p><span class=\"severity " (word) "\">" (word) "</span> <bdi>"
        (shortened(&diagnostic.message, MAX_TEXT)) "</bdi> <code class=\"rule\">" (diagnostic.rule.as_str())
        "</code></p>\n<p class=\"place\"><bdi>" (shortened(&diagnostic.path, MAX_TEXT))
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
