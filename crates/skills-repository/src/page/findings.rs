//! The findings of a check: each with its place, its lines and its help.

use crate::page::counts::{Count, PageIndex};
use crate::page::data::{Page, PageFinding};
use crate::page::escape::shortened;
use crate::page::html::{Html, counted, grouped, html};
use crate::page::skills::MAX_NAME;
use skills_format::{Diagnostic, Position, Severity};
use skills_lint::render::{Excerpt, quoted};
use skills_lint::rules::harms;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of shown findings.
const MAX_FINDINGS: usize = 400;
/// Maximum characters of a message, a help or a path.
const MAX_TEXT: usize = 600;
/// Maximum characters of the lines of a finding.
const MAX_LINES: usize = 800;

/// Maximum number of rules that are named without a click.
const MAX_OPEN: usize = 8;
/// Maximum number of messages of one rule, and of places of one message.
const MAX_MESSAGES: usize = 50;
const MAX_PLACES: usize = 300;
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
    rules(&mut out, page, index, findings);
    let groups = groups(index, findings);
    let is_open = findings.len() <= FEW;
    let open = if is_open { " open" } else { "" };
    html!(out, "<details" (open) "><summary>By skill, with the lines</summary>\n");
    let mut room = MAX_FINDINGS;
    for group in &groups {
        let shown = group.findings.len().min(room);
        room -= shown;
        group.render(&mut out, page, index, shown, is_open);
    }
    html!(out, "</details>\n");
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
        let path = skill.and_then(|(_, listed)| listed.skill.path.as_deref());
        for finding in self.findings.iter().take(shown) {
            item(out, page, finding, path);
        }
        let rest = self.findings.len() - shown;
        if rest > 0 {
            html!(out, "<li>" (counted(rest, "more finding")) "</li>\n");
        }
        html!(out, "</ol>\n</details>\n");
    }
}

/// The findings of one rule, by message and help.
#[derive(Default)]
struct OfRule<'p> {
    count: usize,
    skills: BTreeSet<usize>,
    same: BTreeMap<(&'p str, &'p str), Vec<Place<'p>>>,
}

/// A finding, and its skill.
type Place<'p> = (&'p Diagnostic, Option<usize>);

/// Lists the findings of each rule: what can harm a person first, then the most serious and most frequent. Equal messages
/// are written once.
fn rules(out: &mut Html, page: &Page, index: &PageIndex<'_>, findings: &[PageFinding]) {
    let mut rules: BTreeMap<(Severity, &str), OfRule<'_>> = BTreeMap::new();
    for (PageFinding { diagnostic, .. }, holder) in findings.iter().zip(&index.holders) {
        let key = (diagnostic.severity, diagnostic.rule.as_str());
        let rule = rules.entry(key).or_default();
        rule.count += 1;
        rule.skills.extend(holder);
        let same = (&*diagnostic.message, &*diagnostic.help);
        rule.same
            .entry(same)
            .or_default()
            .push((diagnostic, *holder));
    }
    let mut rows: Vec<_> = rules.into_iter().collect();
    rows.sort_by_key(|((severity, name), rule)| {
        let is_harmless = !harms(name, *severity);
        (is_harmless, *severity, usize::MAX - rule.count, *name)
    });
    let mut known = BTreeSet::new();
    for (number, ((severity, name), rule)) in rows.iter().enumerate() {
        if number == MAX_OPEN {
            html!(out, "<details><summary>" (counted(rows.len() - MAX_OPEN, "more rule")) "</summary>\n");
        }
        let word = word(*severity);
        let count = match severity {
            Severity::Info => format!("{} advice", rule.count),
            _ => counted(rule.count, word),
        };
        html!(out, "<details");
        // A rule with two severities has one id, at the first. A script unfolds the target of a link.
        if known.insert(*name) {
            html!(out, " id=\"" (rule_id(name)) "\"");
        }
        html!(out, "><summary><code>" (*name) "</code> <span class=\"severity " (word) "\">" (count) "</span>");
        if rule.skills.len() > 1 {
            html!(out, " in "(counted(rule.skills.len(), "skill")));
        }
        html!(out, "</summary>\n<p class=\"note\"><code>skills explain " (*name) "</code> says why the rule exists.");
        if let Some(folder) = &page.arguments {
            html!(out, " <code>skills check --select " (*name) " " (shortened(folder, MAX_TEXT)) "</code> shows these alone.");
        }
        html!(out, "</p>\n<ul class=\"findings\">\n");
        rule.render(out, page);
        html!(out, "</ul>\n</details>\n");
    }
    if rows.len() > MAX_OPEN {
        html!(out, "</details>\n");
    }
}

impl OfRule<'_> {
    fn render(&self, out: &mut Html, page: &Page) {
        let mut same: Vec<_> = self.same.iter().collect();
        same.sort_by_key(|(texts, places)| (usize::MAX - places.len(), **texts));
        for ((message, help), places) in same.iter().take(MAX_MESSAGES) {
            html!(out, "<li><p><bdi>");
            told(out, message, MAX_TEXT);
            html!(out, "</bdi>");
            if places.len() > 1 {
                html!(out, ": " (grouped(places.len())) " times");
            }
            html!(out, "</p>\n");
            if !help.is_empty() {
                html!(out, "<p class=\"help\">Help: <bdi>");
                told(out, help, MAX_TEXT);
                html!(out, "</bdi></p>\n");
            }
            html!(out, "<p class=\"place\">");
            for (number, (found, holder)) in places.iter().take(MAX_PLACES).enumerate() {
                html!(out, (if number == 0 { "" } else { ", " }));
                let path = shortened(page.below(&found.path), MAX_TEXT);
                if let Some(at) = holder {
                    html!(out, "<a href=\"#of-" (*at) "\"><bdi>" (path) "</bdi></a>");
                } else {
                    html!(out, "<bdi>" (path) "</bdi>");
                }
                let is_whole = (found.start, found.end) == (Position::START, Position::START);
                if !is_whole {
                    html!(out, ":"(found.start.line));
                }
            }
            if places.len() > MAX_PLACES {
                html!(
                    out,
                    " and "(counted(places.len() - MAX_PLACES, "more place"))
                );
            }
            html!(out, "</p></li>\n");
        }
        if same.len() > MAX_MESSAGES {
            html!(out, "<li>" (counted(same.len() - MAX_MESSAGES, "more message")) "</li>\n");
        }
    }
}

/// Returns the id of a rule's findings on the page.
pub(crate) fn rule_id(name: &str) -> String {
    format!("rule-{name}")
}

/// Writes a message, cut to `most` characters, with the text between two backticks as code.
pub(crate) fn told(out: &mut Html, message: &str, most: usize) {
    let message = shortened(message, most);
    let parts: Vec<&str> = message.split('`').collect();
    if parts.len().is_multiple_of(2) {
        html!(out, (message));
        return;
    }
    for (number, part) in parts.iter().enumerate() {
        if number.is_multiple_of(2) {
            html!(out, (*part));
        } else {
            html!(out, "<code>" (*part) "</code>");
        }
    }
}

const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "advice",
    }
}

/// Writes a finding. `path` is the printed path of its skill.
fn item(out: &mut Html, page: &Page, finding: &PageFinding, path: Option<&str>) {
    let PageFinding {
        diagnostic,
        excerpt,
    } = finding;
    let word = word(diagnostic.severity);
    html!(out,
        "<li><p><span class=\"severity " (word) "\">" (word) "</span> <bdi>"
    );
    told(out, &diagnostic.message, MAX_TEXT);
    html!(out,
        "</bdi> <code class=\"rule\">" (diagnostic.rule.as_str()) "</code></p>\n<p class=\"place\"><bdi>"
        (shortened(page.below(&diagnostic.path), MAX_TEXT))
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
        html!(out, "<p class=\"help\">Help: <bdi>");
        told(out, &diagnostic.help, MAX_TEXT);
        html!(out, "</bdi></p>\n");
    }
    let place = path.map(quoted);
    let place = place.as_deref().or(page.arguments.as_deref());
    if let (Some(fix), Some(place)) = (&diagnostic.fix, place) {
        html!(out,
            "<p class=\"help\"><code>skills check --select " (diagnostic.rule.as_str()) " "
            (if fix.safe { "--fix" } else { "--fix --unsafe" }) " " (shortened(place, MAX_TEXT)) "</code> writes "
            (if path.is_some() { "it and the rule's other fixes in this skill" } else { "it and the rule's other fixes" })
            ".</p>\n"
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
