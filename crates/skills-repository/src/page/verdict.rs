//! The first screen: whether the skills are in order, what to do first, and what a model sees.

use crate::page::budget::Seen;
use crate::page::counts::{Count, PageIndex};
use crate::page::data::{LockState, Page, PageBundle, PageFinding};
use crate::page::escape::shortened;
use crate::page::findings::{rule_id, told};
use crate::page::html::{Html, counted, grouped, html};
use crate::page::skills::MAX_NAME;
use crate::page::weight::skill_link;
use skills_clients::Overlap;
use skills_format::{PowerKind, RuleId, Severity};
use skills_lint::render::quoted;
use skills_lint::rules::{HARMFUL, harms};
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
    urgency: Urgency,
    what: Html,
    command: Option<String>,
    /// True if the command changes files of the skills.
    writes: bool,
    /// The section that says more.
    section: (&'static str, &'static str),
}

/// How soon a thing is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    /// A person can be harmed.
    Harm,
    /// A skill does not load.
    Unusable,
    /// A client does not load a plugin or a skill.
    Urgent,
    Error,
    /// A model does not see a description.
    Unseen,
    /// A command, a link, a field or a restraint does not do what it says.
    Broken,
    Alike,
    Warning,
    Shortened,
}

const FINDINGS: (&str, &str) = ("findings", "the findings");
const BUDGET: (&str, &str) = ("budget", "the budget");
const NEIGHBOURS: (&str, &str) = ("neighbours", "the skills easily confused");
const BUNDLES: (&str, &str) = ("bundles", "the bundles");

pub(crate) fn render(page: &Page, index: &PageIndex<'_>, alike: &Overlap, seen: &[Seen]) -> Html {
    let mut out = Html::default();
    let steps = steps(page, index, alike, seen);
    state(&mut out, page, index, steps.len());
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
        html!(out, "<h3>What to do first</h3>\n");
        html!(out, "<ol class=\"steps\">\n");
        for step in steps.iter().take(MAX_STEPS) {
            html!(out, "<li>");
            out.html(&step.what);
            // A command that is cut would not work as printed.
            let command = step.command.as_ref();
            if let Some(command) = command.filter(|command| command.len() <= MAX_COMMAND) {
                html!(out, " <code class=\"command\">" (command) "</code>");
                if step.writes {
                    html!(out, " <span class=\"writes\"><strong>Changes files.</strong> <code>--diff</code> in "
                        "place of <code>--fix</code> shows what it would change.</span>");
                }
            }
            html!(out, "</li>\n");
        }
        html!(out, "</ol>\n");
        place(&mut out, page);
        if steps.len() > MAX_STEPS {
            rest(&mut out, steps.get(MAX_STEPS..).unwrap_or_default());
        }
    }
    html!(out, "</div>\n<div>\n");
    model(&mut out, page, index, seen);
    html!(out, "</div>\n</div>\n");
    out
}

/// Says where the paths and the commands of the page begin, if that is not one folder.
fn place(out: &mut Html, page: &Page) {
    let Some(arguments) = page.arguments.as_ref().filter(|folder| *folder != ".") else {
        return;
    };
    html!(out,
        "<p class=\"note\">Paths of files begin in <code><bdi>" (shortened(arguments, MAX_TEXT))
        "</bdi></code>. The commands are for the folder where the page was made.</p>\n"
    );
}

/// Says where the things are that come after the first.
fn rest(out: &mut Html, steps: &[Step]) {
    html!(out, "<p class=\"note\">" (counted(steps.len(), "more thing")) " after these: see ");
    let mut sections: Vec<(&str, &str)> = Vec::new();
    for step in steps {
        if !sections.contains(&step.section) {
            sections.push(step.section);
        }
    }
    for (at, (id, title)) in sections.iter().enumerate() {
        html!(out, (if at == 0 { "" } else { ", " }) "<a href=\"#" (id) "\">" (title) "</a>");
    }
    html!(out, ".</p>\n");
}

/// Returns the number of skills that no program can load.
pub(crate) fn unusable(index: &PageIndex<'_>) -> usize {
    let skills = index.skills.iter();
    skills
        .filter(|listed| !listed.skill.fault.is_empty())
        .count()
}

/// Says whether the skills are in order.
fn state(out: &mut Html, page: &Page, index: &PageIndex<'_>, steps: usize) {
    let findings = page.findings.iter().flatten();
    let harmful = findings.filter(|finding| {
        let found = &finding.diagnostic;
        harms(found.rule.as_str(), found.severity)
    });
    let harm = match harmful.count() {
        0 => String::new(),
        count => format!("{} can harm a person. ", counted(count, "finding")),
    };
    let (tone, word, rest) = match index.total {
        None => (
            Tone::Plain,
            "Not checked.",
            "A program carries skills that were checked when it was built.".to_owned(),
        ),
        Some(total) if total.errors + unusable(index) > 0 => {
            let (all, errors) = (index.skills.len(), counted(total.errors, "error"));
            let lost = match unusable(index) {
                0 => String::new(),
                1 => format!(
                    "1 of {} breaks the format: strict clients refuse it. ",
                    counted(all, "skill")
                ),
                lost => format!(
                    "{} of {} break the format: strict clients refuse them. ",
                    grouped(lost),
                    counted(all, "skill")
                ),
            };
            let first = if steps > 0 {
                ": begin with the first thing below."
            } else {
                "."
            };
            (
                Tone::Error,
                "Not in order.",
                format!("{harm}{lost}{errors}{first}"),
            )
        }
        Some(_) if !harm.is_empty() => (
            Tone::Error,
            "Look before you use it.",
            format!("{harm}There are no errors: begin with the first thing below."),
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
        all.push(found(total.errors, "error", Tone::Error, "a check fails"));
        all.push(found(
            total.warnings,
            "warning",
            Tone::Warning,
            "look at these",
        ));
    }
    all.extend(clients(seen));
    if index.skills.len() > 1 {
        all.push(confused(alike));
    }
    all.extend(locks(page));
    all.extend(powers(index));
    all
}

/// Returns the figure of the pairs that a model can take one for the other.
fn confused(alike: &Overlap) -> Figure {
    let pairs = alike.pairs.len();
    let (tone, word) = match (pairs, inseparable(alike)) {
        (0, _) => (Tone::Good, "no two descriptions are near".to_owned()),
        (_, 0) => (Tone::Plain, "each has words of its own".to_owned()),
        (_, same) => (
            Tone::Warning,
            format!("{} without a word of its own", grouped(same)),
        ),
    };
    Figure {
        tone,
        number: grouped(pairs),
        what: if pairs == 1 {
            "pair easily confused"
        } else {
            "pairs easily confused"
        }
        .to_owned(),
        word,
        section: "neighbours",
    }
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
    let bare = seen.iter().filter(|client| client.bare > 0).count();
    let cut = seen.iter().filter(|client| client.cut > 0).count();
    let (tone, word) = if lose > 0 {
        (
            Tone::Error,
            format!("{} out skills", does(lose, "leaves", "leave")),
        )
    } else if bare > 0 {
        let word = format!("{} names alone", does(bare, "shows", "show"));
        (Tone::Warning, word)
    } else if cut > 0 {
        let word = format!("{} descriptions", does(cut, "shortens", "shorten"));
        (Tone::Warning, word)
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

fn does(clients: usize, one: &str, several: &str) -> String {
    format!("{clients} {}", if clients == 1 { one } else { several })
}

/// Returns the figure of the locks, the worst first.
fn locks(page: &Page) -> Option<Figure> {
    let known = page.bundles.iter().filter_map(|bundle| {
        Some(match bundle.lock {
            LockState::Unknown => return None,
            LockState::Unreadable(_) => (Tone::Error, "unreadable"),
            LockState::Stale(_) => (Tone::Error, "stale"),
            LockState::Missing => (Tone::Plain, "no"),
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
        what: "lock file".to_owned(),
        word: match (tone, page.bundles.len()) {
            (Tone::Error, 1) => "the skills differ from it".to_owned(),
            (_, 1) => match word {
                "no" => "a change goes unnoticed".to_owned(),
                _ => "the skills are as locked".to_owned(),
            },
            (_, bundles) => format!("in {of} of {bundles} bundles"),
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
        "none runs or reaches anything".to_owned()
    } else {
        format!("with {}", kinds.join(", "))
    };
    let words = counted(with, "skill");
    let what = words.split_once(' ').map_or("", |(_, what)| what);
    Some(Figure {
        tone: Tone::Plain,
        number: grouped(with),
        what: format!("{what} can act"),
        word,
        section: "skills",
    })
}

/// Returns the number of pairs whose descriptions cannot be distinguished.
pub(crate) fn inseparable(alike: &Overlap) -> usize {
    let pairs = alike.pairs.iter();
    pairs.filter(|pair| pair.relation.is_inseparable()).count()
}

/// Returns what there is to do, the most urgent first.
fn steps(page: &Page, index: &PageIndex<'_>, alike: &Overlap, seen: &[Seen]) -> Vec<Step> {
    let mut all = of_findings(page, index);
    all.extend(of_locks(page));
    all.extend(of_clients(page, seen));
    all.extend(of_pairs(page, index, alike));
    // Stable: steps of one urgency keep their order.
    all.sort_by_key(|step| step.urgency);
    all
}

/// Rules whose findings keep every program from loading a skill.
const FATAL: &[RuleId] = &[
    RuleId::FrontmatterMissing,
    RuleId::FrontmatterUnterminated,
    RuleId::YamlSyntax,
    RuleId::NotUtf8,
    RuleId::TooLarge,
    RuleId::Unreadable,
    RuleId::Symlink,
    RuleId::NameMissing,
    RuleId::NameForm,
    RuleId::DescriptionMissing,
];

/// Rules whose findings keep a client from installing or loading something. They go before rules that concern more skills.
const URGENT: &[RuleId] = &[
    RuleId::ManifestPath,
    RuleId::NameMismatch,
    RuleId::DescriptionLength,
];

/// Rules whose warnings are about something that does not work for somebody. The other warnings advise.
const BROKEN: &[RuleId] = &[
    RuleId::ScriptMissing,
    RuleId::LinkBroken,
    RuleId::LinkEscape,
    RuleId::AnchorBroken,
    RuleId::RestraintPartial,
    RuleId::RestraintUnsupported,
    RuleId::ClientDrops,
    RuleId::CommandCollision,
    RuleId::AliasCollision,
    RuleId::DuplicateName,
    RuleId::FenceUnclosed,
    RuleId::FieldTypo,
    RuleId::FieldType,
    RuleId::HiddenText,
];

/// The findings of one rule.
struct OfRule<'p> {
    count: Count,
    safe: usize,
    skills: BTreeSet<usize>,
    files: BTreeSet<&'p str>,
    urgency: Urgency,
    first: &'p PageFinding,
}

/// Returns one step for each rule that found an error or a warning: rules about harm first, then rules that cost a skill,
/// then urgent rules, then errors; of these the rules that concern many skills or files.
fn of_findings(page: &Page, index: &PageIndex<'_>) -> Vec<Step> {
    let mut rules: BTreeMap<&str, OfRule<'_>> = BTreeMap::new();
    let findings = page.findings.iter().flatten().zip(&index.holders);
    for (finding, holder) in findings {
        let found = &finding.diagnostic;
        if found.severity == Severity::Info {
            continue;
        }
        let skill = holder.and_then(|at| index.skills.get(at));
        let is_fatal = FATAL.iter().any(|rule| found.is(*rule));
        let is_urgent =
            URGENT.iter().any(|rule| found.is(*rule)) && found.severity == Severity::Error;
        let urgency = if harms(found.rule.as_str(), found.severity) {
            Urgency::Harm
        } else if is_fatal && skill.is_some_and(|listed| !listed.skill.fault.is_empty()) {
            Urgency::Unusable
        } else if is_urgent {
            Urgency::Urgent
        } else if found.severity == Severity::Error {
            Urgency::Error
        } else if BROKEN.iter().any(|rule| found.is(*rule)) {
            Urgency::Broken
        } else {
            Urgency::Warning
        };
        let rule = rules.entry(found.rule.as_str()).or_insert_with(|| OfRule {
            count: Count::default(),
            safe: 0,
            skills: BTreeSet::new(),
            files: BTreeSet::new(),
            urgency,
            first: finding,
        });
        rule.count.add(found);
        rule.safe += usize::from(found.fix.as_ref().is_some_and(|fix| fix.safe));
        rule.skills.extend(holder);
        rule.files.insert(&found.path);
        let first = rule.first.diagnostic.severity;
        if (urgency, found.severity) < (rule.urgency, first) {
            (rule.urgency, rule.first) = (urgency, finding);
        }
    }
    let mut rules: Vec<_> = rules.into_iter().collect();
    rules.sort_by_key(|(name, rule)| {
        let reach = rule.skills.len().max(rule.files.len());
        let is_warning = rule.count.errors == 0;
        let harm = HARMFUL.iter().position(|known| known.as_str() == *name);
        (rule.urgency, harm, is_warning, usize::MAX - reach, *name)
    });
    let steps = rules.into_iter().map(|(name, rule)| {
        let found = &rule.first.diagnostic;
        let mut what = Html::default();
        html!(what, "<a href=\"#" (rule_id(name)) "\"><code>" (name) "</code></a>");
        if rule.count.errors + rule.count.warnings > 1 {
            html!(what, ", "(rule.count.words()));
            let (skills, files) = (rule.skills.len(), rule.files.len());
            if skills > 1 {
                html!(what, " in "(counted(skills, "skill")));
            } else if skills == 0 && files > 1 {
                html!(what, " in "(counted(files, "file")));
            }
            html!(what, "; the first");
        }
        html!(what, ": <bdi>");
        told(&mut what, &found.message, MAX_TEXT);
        html!(what, "</bdi> <span class=\"place\"><bdi>"
            (shortened(page.below(&found.path), MAX_TEXT)) ":" (found.start.line) "</bdi></span>");
        let fix = if rule.safe == 0 { "" } else { " --fix" };
        let paths = paths(page, index, &rule);
        Step {
            urgency: rule.urgency,
            what,
            command: paths.map(|paths| format!("skills check --select {name}{fix} {paths}")),
            writes: rule.safe > 0,
            section: FINDINGS,
        }
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
        Some(Step {
            urgency: Urgency::Urgent,
            what,
            command: path.map(|path| format!("skills lock {}", quoted(path))),
            writes: false,
            section: BUNDLES,
        })
    });
    stale.collect()
}

/// Returns a step for the clients that leave out, show by name alone or shorten skills: the worst, and the number of others.
fn of_clients(page: &Page, seen: &[Seen]) -> Option<Step> {
    let losing = seen.iter().filter(|client| !client.is_whole());
    let worst = losing.clone().max_by_key(|client| {
        let unseen = client.gone + client.bare;
        (unseen > 0, client.is_common, unseen, client.cut)
    })?;
    let mut what = Html::default();
    let (does, count) = match (worst.gone, worst.bare) {
        (0, 0) => (" shortens the descriptions of ", worst.cut),
        (0, bare) => (" shows only the names of ", bare),
        (gone, _) => (" leaves out ", gone),
    };
    html!(what, "<strong>" (worst.title) "</strong>" (does) (counted(count, "skill")));
    if worst.bundles > 1 {
        html!(what, " in " (counted(worst.bundles, "bundle")) ", most in <bdi>"
            (shortened(&worst.bundle, MAX_NAME)) "</bdi> (" (grouped(worst.most)) ")");
    }
    let others = losing.count() - 1;
    if others > 0 {
        html!(what, "; " (counted(others, "other client")) (if others == 1 { " loses" } else { " lose" }) " some too");
    }
    if worst.fits {
        html!(
            what,
            ": the list fits, and a long description is cut all the same"
        );
    } else {
        html!(what, ": shorten the longest descriptions");
    }
    let context = page.context.map(|tokens| format!(" --context {tokens}"));
    // The command reads a whole folder: of two bundles in one folder, it would count both.
    let is_in_folder = |bundle: &&PageBundle| bundle.path == worst.path;
    let is_alone = page.bundles.iter().filter(is_in_folder).count() == 1;
    let path = worst.path.as_deref();
    let path = path.filter(|_| page.arguments.is_some() && is_alone);
    let command = path.map(|path| {
        let context = context.unwrap_or_default();
        format!(
            "skills prompt --client {}{context} {}",
            worst.name,
            quoted(path)
        )
    });
    Some(Step {
        urgency: if worst.gone + worst.bare > 0 {
            Urgency::Unseen
        } else {
            Urgency::Shortened
        },
        what,
        command,
        writes: false,
        section: BUDGET,
    })
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
    Some(Step {
        urgency: Urgency::Alike,
        what,
        command: command.map(|arguments| format!("skills overlap {arguments}")),
        writes: false,
        section: NEIGHBOURS,
    })
}

/// Lists what each client shows a model.
fn model(out: &mut Html, page: &Page, index: &PageIndex<'_>, seen: &[Seen]) {
    if seen.is_empty() {
        return;
    }
    html!(out, "<h3>What a model sees</h3>\n");
    let all = index.skills.len();
    let listed = seen.first().map_or(0, Seen::all);
    if listed < all {
        let skills = index.skills.iter();
        let closed = skills.filter(|listed| listed.skill.is_for_people_alone);
        let closed = closed.count();
        let mute = (all - listed).saturating_sub(closed);
        html!(out, "<p class=\"note\">These clients list " (grouped(listed)) " of " (counted(all, "skill")));
        if closed > 0 {
            html!(out, "; " (grouped(closed)) (if closed == 1 { " is" } else { " are" }) " for people alone");
        }
        if mute > 0 {
            html!(out, "; " (grouped(mute)) (if mute == 1 { " has" } else { " have" }) " no readable description");
        }
        html!(out, ":</p>\n");
    }
    html!(out, "<ul class=\"seen\">\n");
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
    let bundles = page
        .bundles
        .iter()
        .filter(|bundle| !bundle.skills.is_empty());
    let bundles = bundles.count();
    if bundles > 1 {
        html!(out, "<p class=\"note\">Sums over " (counted(bundles, "bundle"))
            ": each has a client's budget to itself, as if it were installed alone.</p>\n");
    }
    if page.context.is_none() {
        html!(
            out,
            "<p class=\"note\">For a model whose context is not known.</p>\n"
        );
    }
}
