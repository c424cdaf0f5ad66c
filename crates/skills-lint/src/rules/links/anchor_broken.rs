use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::markdown::{Link, Markdown};
use crate::view::skill::SkillView;
use skills_check::check::links::joined;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::percent;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const RULE: Rule = Rule {
    id: RuleId::AnchorBroken,
    level: Level::Warn,
    group: Group::Links,
    summary: "a link to a heading leads to a heading",
    why: "A model that follows `#steps` looks for a heading of that name. Without it, the model reads the whole \
          file or gives up. Headings are compared by their letters and digits. If `fence-unclosed` finds a fence \
          that was meant to close a block, links to headings of that file are not checked.",
    bad: Example::Skill(with_body!("## Steps\n\nBegin with [the steps](#stepps).\n")),
    marks: "#stepps",
    good: Example::Skill(with_body!("## Steps\n\nBegin with [the steps](#steps).\n")),
    fix: FixKind::No,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    if !view.is_readable() {
        return Vec::new();
    }
    let mut known = Anchors::new();
    let mut found = Vec::new();
    for link in fragments(view.markdown()) {
        if is_broken(view, &mut known, view.skill.dir, view.skill.entry, link) {
            found.push(view.at(RULE.id, link.span, message(link)).help(HELP));
        }
    }
    for page in view.marked_pages() {
        for link in fragments(page.markdown()) {
            if is_broken(view, &mut known, page.base(), &page.file.path, link) {
                found.push(page.at(RULE.id, link.span, message(link)).help(HELP));
            }
        }
    }
    found
}

const HELP: &str = "write the heading as the address of it is made, or remove the `#` part";

fn message(link: &Link) -> String {
    format!(
        "there is no heading `{}`",
        link.address.rsplit('#').next().unwrap_or_default()
    )
}

fn fragments(markdown: &Markdown) -> impl Iterator<Item = &Link> {
    let links = markdown.links.iter();
    links.filter(|link| {
        let fragment = link.address.split_once('#');
        fragment.is_some_and(|(path, fragment)| {
            let is_line = fragment.starts_with('L')
                && fragment
                    .get(1..2)
                    .is_some_and(|c| c.bytes().all(|c| c.is_ascii_digit()));
            let is_local = path.is_empty()
                || path.to_ascii_lowercase().ends_with(".md") && !path.contains(':');
            is_local
                && !fragment.is_empty()
                && !is_line
                && !fragment.contains([':', '{', '<', '=', '/', '~'])
        })
    })
}

/// The anchors of the linked files of a skill, by path. Nobody knows those of a text whose fence is missing.
type Anchors = BTreeMap<String, Option<BTreeSet<String>>>;

/// Returns whether a link in the file `here`, in the folder `base`, names a missing anchor.
fn is_broken(
    view: &SkillView<'_>,
    known: &mut Anchors,
    base: &str,
    here: &str,
    link: &Link,
) -> bool {
    let Some((path, fragment)) = link.address.split_once('#') else {
        return false;
    };
    let fragment = percent::decode(fragment);
    let target = match path {
        "" => Some(here.to_owned()),
        path => joined(base, &percent::decode(path)),
    };
    let Some(target) = target.filter(|_| !matches!(fragment.as_ref(), "top" | "")) else {
        return false;
    };
    if !known.contains_key(&target) {
        let page = view.pages().iter().find(|page| page.file.path == target);
        let anchors = match page {
            Some(page) => anchors(page.text, page.markdown()),
            None if target == view.skill.entry => anchors(view.text(), view.markdown()),
            None => return false,
        };
        known.insert(target.clone(), anchors);
    }
    matches!(&known[&target], Some(anchors) if !names(anchors, &fragment))
}

fn names(anchors: &BTreeSet<String>, fragment: &str) -> bool {
    // Renderers add a number to the anchor of a repeated heading: `#usage-1`.
    anchors.contains(&folded(fragment))
        || fragment.rsplit_once('-').is_some_and(|(stem, number)| {
            number.bytes().all(|byte| byte.is_ascii_digit()) && anchors.contains(&folded(stem))
        })
}

/// Returns the anchors of a text: its headings, and ids in HTML and after headings.
fn anchors(text: &str, markdown: &Markdown) -> Option<BTreeSet<String>> {
    if markdown.mistaken_fence(text).is_some() {
        return None;
    }
    let headings = markdown.headings.iter();
    let mut anchors: BTreeSet<String> = headings.map(|span| folded(&bare(span.of(text)))).collect();
    for mark in ["id=\"", "name=\"", "id='", "{#"] {
        for at in memchr::memmem::find_iter(text.as_bytes(), mark) {
            let rest = text.get(at + mark.len()..).unwrap_or_default();
            let end = rest.find(['"', '\'', '}', '\n']).unwrap_or(rest.len());
            anchors.insert(folded(rest.get(..end).unwrap_or_default()));
        }
    }
    Some(anchors)
}

/// Returns a heading without the addresses of its links.
fn bare(heading: &str) -> String {
    let mut out = String::new();
    let mut rest = heading;
    while let Some((before, after)) = rest.split_once("](") {
        out.push_str(before);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

fn folded(text: &str) -> String {
    // Renderers treat spaces and punctuation of headings differently, so only letters and digits are compared.
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
