//! The first screen: whether the skills are in order, what to do first, and what a model sees.

use crate::page::budget::Seen;
use crate::page::counts::PageIndex;
use crate::page::data::{LockState, Page, PageFinding};
use crate::page::escape::shortened;
use crate::page::html::{Html, counted, grouped, html};
use crate::page::skills::MAX_NAME;
use crate::page::weight::skill_link;
use skills_clients::Overlap;
use skills_format::{PowerKind, RuleId, Severity};
use skills_lint::render::quoted;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of things to do.
const MAX_STEPS: usize = 5;
/// Maximum number of skills that a command names. A command for more skills names the folder.
const MAX_NAMED: usize = 3;
/// Maximum length of the paths of several skills in a command, in bytes.
const MAX_PATHS: usize = 90;
/// Maximum characters of a message or a path.
const MAX_TEXT: usize = 110;
/// Maximum length of a command in bytes.
const MAX_COMMAND: usize = 400;
/// Maximum number of kinds of powers that are named.
const MAX_KINDS: usize = 3;

/// How good or bad a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tone {
    Plain,
    Good,
    Warning,
    Error,
}

impl Tone {
    const fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Good => "good",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One figure: a number or a word, what it counts, and what it means.
struct Figure {
    tone: Tone,
    number: String,
    what: String,
    word: String,
    /// The section that says more.
    section: &'static str,
}

/// One thing to do, with the command that does it or shows more.
struct Step {
    what: Html,
    command: Option<String>,
}

pub(crate) fn render(page: &Page, index: &PageIndex<'_>, alike: &Overlap, seen: &[Seen]) -> Html {
    let mut out = Html::default();
    let steps = steps(page, index, alike, seen);
    state(&mut out, index, steps.len());
    html!(out, "<ul class=\"figures\">\n");
    for figure in figures(page, index, alike, seen) {
        html!(out,
            "<li class=\"" (figure.tone.class()) "\"><a href=\"#" (figure.section) "\"><strong>" (figure.number)
            "</strong> " (figure.what) "</a> <span>" (figure.word) "</span></li>\n"
        );
    }
    html!(out, "</ul>\n");
    html!(out, "<div class=\"first\">\n<div>\n");
    if !steps.is_empty() {
        html!(out, "<h3>What to do first</h3>\n<ol class=\"steps\">\n");
        for step in steps.iter().take(MAX_STEPS) {
            html!(out, "<li>");
            out.html(&step.what);
            // A command that is cut would not work as printed.
            let command = step.command.as_ref();
            if let Some(command) = command.filter(|command| command.len() <= MAX_COMMAND) {
                html!(out, " <code class=\"command\">" (command) "</code>");
            }
            html!(out, "</li>\n");
        }
        html!(out, "</ol>\n");
        if steps.len() > MAX_STEPS {
            html!(out,
                "<p class=\"note\">" (counted(steps.len() - MAX_STEPS, "more thing"))
                " after these: <a href=\"#findings\">the findings</a> have them.</p>\n"
            );
        }
    }
    html!(out, "</div>\n<div>\n");
    model(&mut out, page, seen);
    html!(out, "</div>\n</div>\n");
    out
}

/// Says whether the skills are in order.
fn state(out: &mut Html, index: &PageIndex<'_>, steps: usize) {
    let (tone, word, rest) = match index.total {
        None => (
            Tone::Plain,
            "Not checked.",
            "A program carries skills that were checked when it was built.".to_owned(),
        ),
        Some(total) if total.errors > 0 => (
            Tone::Error,
            "Not in order.",
            format!(
                "{}: begin with the first thing below.",
                counted(total.errors, "error")
            ),
        ),
        Some(_) if steps > 0 => (
            Tone::Warning,
            "No errors.",
            format!("There is more to look at: {}.", counted(steps, "thing")),
        ),
        Some(_) => (
            Tone::Good,
            "In order.",
            "There is nothing to do.".to_owned(),
        ),
    };
    html!(out, "<p class=\"state " (tone.class()) "\"><strong>" (word) "</strong> " (rest) "</p>\n");
}

fn figures(page: &Page, index: &PageIndex<'_>, alike: &Overlap, seen: &[Seen]) -> Vec<Figure> {
    let mut all = Vec::new();
    if let Some(total) = index.total {
        all.push(found(
            total.errors,
            "error",
            Tone::Error,
            "mend these first",
        ));
        all.push(found(
            total.warnings,
            "warning",
            Tone::Warning,
            "look at these",
        ));
    }
    all.extend(clients(seen));
    if index.skills.len() > 1 {
        let pairs = inseparable(alike);
        let is_clear = pairs == 0;
        all.push(Figure {
            tone: if is_clear { Tone::Good } else { Tone::Warning },
            number: grouped(pairs),
            what: if pairs == 1 {
                "pair alike"
            } else {
                "pairs alike"
            }
            .to_owned(),
            word: if is_clear {
                "a model can tell all skills apart"
            } else {
                "a model cannot tell them apart"
            }
            .to_owned(),
            section: "neighbours",
        });
    }
    all.extend(locks(page));
    all.extend(powers(index));
    all
}

fn found(count: usize, one: &str, tone: Tone, word: &str) -> Figure {
    let words = counted(count, one);
    let what = words.split_once(' ').map_or("", |(_, what)| what);
    Figure {
        tone: if count == 0 { Tone::Good } else { tone },
        number: grouped(count),
        what: what.to_owned(),
        word: if count == 0 { "none to mend" } else { word }.to_owned(),
        section: "findings",
    }
}

/// Returns the figure of the budgets.
fn clients(seen: &[Seen]) -> Option<Figure> {
    let fit = seen.iter().filter(|client| client.is_whole()).count();
    let lose = seen.iter().filter(|client| client.gone > 0).count();
    let (tone, word) = if lose > 0 {
        (Tone::Error, format!("{} out skills", leaves(lose)))
    } else if fit < seen.len() {
        (Tone::Warning, "the others shorten descriptions".to_owned())
    } else {
        (Tone::Good, "nothing is cut".to_owned())
    };
    (!seen.is_empty()).then(|| Figure {
        tone,
        number: format!("{fit} of {}", seen.len()),
        what: "clients show all".to_owned(),
        word,
        section: "budget",
    })
}

fn leaves(clients: usize) -> String {
    if clients == 1 {
        "1 leaves".to_owned()
    } else {
        format!("{clients} leave")
    }
}

/// Returns the figure of the locks, the worst first.
fn locks(page: &Page) -> Option<Figure> {
    let known = page.bundles.iter().filter_map(|bundle| {
        Some(match bundle.lock {
            LockState::Unknown => return None,
            LockState::Unreadable(_) => (Tone::Error, "unreadable"),
            LockState::Stale(_) => (Tone::Error, "stale"),
            LockState::Missing => (Tone::Plain, "none"),
            LockState::Installed => (Tone::Plain, "installed"),
            LockState::Current => (Tone::Good, "current"),
        })
    });
    let known: Vec<_> = known.collect();
    let (tone, word) = *known.iter().max()?;
    let of = known.iter().filter(|one| one.1 == word).count();
    Some(Figure {
        tone,
        number: word.to_owned(),
        what: "lock".to_owned(),
        word: match (tone, page.bundles.len()) {
            (Tone::Error, 1) => "the skills differ from it".to_owned(),
            (_, 1) => match word {
                "none" => "nothing holds the skills".to_owned(),
                _ => "the skills are as locked".to_owned(),
            },
            (_, bundles) => format!("{of} of {bundles} bundles"),
        },
        section: "bundles",
    })
}

/// Returns the figure of the powers.
fn powers(index: &PageIndex<'_>) -> Option<Figure> {
    let known = index
        .skills
        .iter()
        .filter_map(|listed| listed.skill.powers.as_ref());
    let known: Vec<_> = known.collect();
    if known.is_empty() {
        return None;
    }
    let with = known.iter().filter(|powers| !powers.is_empty()).count();
    let count = |kind: PowerKind| {
        let have = known
            .iter()
            .filter(|powers| powers.texts(kind).next().is_some());
        have.count()
    };
    let mut kinds: Vec<(usize, &str)> = PowerKind::ALL
        .into_iter()
        .map(|kind| (count(kind), kind.as_str()))
        .filter(|(count, _)| *count > 0)
        .collect();
    kinds.sort_by_key(|(count, name)| (usize::MAX - count, *name));
    let kinds: Vec<String> = kinds
        .iter()
        .take(MAX_KINDS)
        .map(|(count, name)| format!("{name} {count}"))
        .collect();
    let word = if kinds.is_empty() {
        "no skill may do anything".to_owned()
    } else {
        kinds.join(", ")
    };
    let words = counted(with, "skill");
    let what = words.split_once(' ').map_or("", |(_, what)| what);
    Some(Figure {
        tone: Tone::Plain,
        number: grouped(with),
        what: format!("{what} with powers"),
        word,
        section: "skills",
    })
}

/// Returns the number of pairs whose descriptions cannot be distinguished.
pub(crate) fn inseparable(alike: &Overlap) -> usize {
    let pairs = alike.pairs.iter();
    pairs.filter(|pair| pair.relation.is_inseparable()).count()
}

/// Returns what there is to do, the most urgent first: errors, what a model does not see, and warnings.
fn steps(page: &Page, index: &PageIndex<'_>, alike: &Overlap, seen: &[Seen]) -> Vec<Step> {
    let mut all = of_findings(page, index, Severity::Error);
    all.extend(of_locks(page));
    all.extend(of_clients(page, seen, |client| client.gone + client.bare));
    all.extend(of_pairs(page, index, alike));
    all.extend(of_findings(page, index, Severity::Warning));
    all.extend(of_clients(page, seen, |client| client.cut));
    all
}

/// Rules whose findings keep a client from installing or loading something, or let a stranger act. They go before rules
/// that concern more skills.
const URGENT: &[RuleId] = &[
    RuleId::ManifestPath,
    RuleId::NameMismatch,
    RuleId::DescriptionLength,
    RuleId::Secret,
    RuleId::RemoteExec,
    RuleId::HiddenText,
];

/// The findings of one rule.
#[derive(Default)]
struct OfRule<'p> {
    count: usize,
    safe: usize,
    skills: BTreeSet<usize>,
    /// True if a program cannot carry one of the skills.
    is_unusable: bool,
    is_urgent: bool,
    first: Option<&'p PageFinding>,
}

/// Returns one step for each rule: rules that cost a skill first, then urgent rules, then rules that concern many skills.
fn of_findings(page: &Page, index: &PageIndex<'_>, severity: Severity) -> Vec<Step> {
    let mut rules: BTreeMap<&str, OfRule<'_>> = BTreeMap::new();
    let findings = page.findings.iter().flatten().zip(&index.holders);
    for (finding, holder) in findings {
        let found = &finding.diagnostic;
        if found.severity != severity {
            continue;
        }
        let rule = rules.entry(found.rule.as_str()).or_default();
        rule.count += 1;
        rule.safe += usize::from(found.fix.as_ref().is_some_and(|fix| fix.safe));
        rule.skills.extend(holder);
        let skill = holder.and_then(|at| index.skills.get(at));
        rule.is_unusable |= skill.is_some_and(|listed| !listed.skill.fault.is_empty());
        rule.is_urgent |= URGENT.contains(&found.rule);
        rule.first = rule.first.or(Some(finding));
    }
    let mut rules: Vec<_> = rules.into_iter().collect();
    rules.sort_by_key(|(name, rule)| {
        let skills = usize::MAX - rule.skills.len();
        (!rule.is_unusable, !rule.is_urgent, skills, *name)
    });
    let one = if severity == Severity::Error {
        "error"
    } else {
        "warning"
    };
    let steps = rules.into_iter().filter_map(|(name, rule)| {
        let found = &rule.first?.diagnostic;
        let mut what = Html::default();
        html!(what, "<code>" (name) "</code>");
        if rule.count > 1 {
            html!(what, ", " (counted(rule.count, one)));
            if rule.skills.len() > 1 {
                html!(what, " in " (counted(rule.skills.len(), "skill")));
            }
            html!(what, "; the first");
        }
        html!(what, ": <bdi>" (shortened(&found.message, MAX_TEXT)) "</bdi> <span class=\"place\"><bdi>"
            (shortened(page.below(&found.path), MAX_TEXT)) ":" (found.start.line) "</bdi></span>");
        let fix = if rule.safe == 0 { "" } else { " --fix" };
        let paths = paths(page, index, &rule);
        let command = paths.map(|paths| format!("skills check{fix} {paths}"));
        Some(Step { what, command })
    });
    steps.collect()
}

/// Returns the arguments of a command about the skills of a rule.
fn paths(page: &Page, index: &PageIndex<'_>, rule: &OfRule<'_>) -> Option<String> {
    let paths = rule.skills.iter().map(|at| {
        let path = index.skills.get(*at)?.skill.path.as_deref()?;
        Some(quoted(path).into_owned())
    });
    let named: Option<Vec<String>> = paths.collect();
    let named = match named {
        Some(named) if (1..=MAX_NAMED).contains(&named.len()) => {
            let named = named.join(" ");
            Some(named).filter(|named| rule.skills.len() == 1 || named.len() <= MAX_PATHS)
        }
        _ => None,
    };
    named.or_else(|| page.arguments.clone())
}

fn of_locks(page: &Page) -> Vec<Step> {
    let stale = page.bundles.iter().filter_map(|bundle| {
        let why = match &bundle.lock {
            LockState::Stale(changes) => changes.first().map_or("", String::as_str),
            LockState::Unreadable(reason) => reason.as_str(),
            _ => return None,
        };
        let mut what = Html::default();
        html!(what, "The lock of <bdi>" (shortened(&bundle.name, MAX_NAME)) "</bdi> is not that of the skills: <bdi>"
            (shortened(why, MAX_TEXT)) "</bdi>");
        let path = bundle.path.as_deref();
        let command = path.map(|path| format!("skills lock {}", quoted(path)));
        Some(Step { what, command })
    });
    stale.collect()
}

/// Returns a step for the clients that leave out or shorten the most.
fn of_clients(page: &Page, seen: &[Seen], lost: impl Fn(&Seen) -> usize) -> Option<Step> {
    let losing = seen.iter().filter(|client| lost(client) > 0);
    let worst = losing
        .clone()
        .max_by_key(|client| (client.is_common, lost(client)))?;
    let mut what = Html::default();
    let (does, count) = match (worst.gone, worst.bare) {
        (0, 0) => (" shortens the descriptions of ", worst.cut),
        (0, bare) => (" shows only the names of ", bare),
        (gone, _) => (" leaves out ", gone),
    };
    html!(what, "<strong>" (worst.title) "</strong>" (does) (counted(count, "skill")));
    let others = losing.count() - 1;
    if others > 0 {
        html!(what, ", and " (counted(others, "other client")) (if others == 1 { " loses" } else { " lose" }) " some too");
    }
    html!(what, ": shorten the longest descriptions");
    let context = page.context.map(|tokens| format!(" --context {tokens}"));
    let path = worst.path.as_deref().filter(|_| page.arguments.is_some());
    let command = path.map(|path| {
        let context = context.unwrap_or_default();
        format!(
            "skills prompt --client {}{context} {}",
            worst.name,
            quoted(path)
        )
    });
    Some(Step { what, command })
}

fn of_pairs(page: &Page, index: &PageIndex<'_>, alike: &Overlap) -> Option<Step> {
    let mut pairs = alike
        .pairs
        .iter()
        .filter(|pair| pair.relation.is_inseparable());
    let first = pairs.next()?;
    let more = pairs.count();
    let mut what = Html::default();
    html!(what, "A model cannot tell ");
    skill_link(&mut what, index, first.first);
    html!(what, " from ");
    skill_link(&mut what, index, first.second);
    if more > 0 {
        html!(what, ", and so for "(counted(more, "more pair")));
    }
    html!(what, ": say in each description when to use that skill");
    let command = page.arguments.as_ref();
    let command = command.map(|arguments| format!("skills overlap {arguments}"));
    Some(Step { what, command })
}

/// Lists what each client shows a model.
fn model(out: &mut Html, page: &Page, seen: &[Seen]) {
    if seen.is_empty() {
        return;
    }
    html!(out, "<h3>What a model sees</h3>\n<ul class=\"seen\">\n");
    for client in seen {
        let tone = if client.gone > 0 {
            Tone::Error
        } else if !client.is_whole() {
            Tone::Warning
        } else {
            Tone::Good
        };
        html!(out, "<li class=\"" (tone.class()) "\"><strong>" (client.title) "</strong> ");
        if client.is_whole() {
            html!(out, "all " (counted(client.whole, "skill")) "</li>\n");
            continue;
        }
        html!(out, (grouped(client.whole)) " whole");
        if client.cut > 0 {
            html!(out, ", " (grouped(client.cut)) " shortened");
        }
        if client.bare > 0 {
            html!(out, ", " (grouped(client.bare)) " by name alone");
        }
        if client.gone > 0 {
            html!(out, ", " (grouped(client.gone)) " left out");
        }
        html!(out, "</li>\n");
    }
    html!(out, "</ul>\n");
    if page.context.is_none() {
        html!(
            out,
            "<p class=\"note\">For a model whose context is not known.</p>\n"
        );
    }
}
