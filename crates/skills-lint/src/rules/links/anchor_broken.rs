use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::markdown::{Link, Markdown};
use crate::view::skill::SkillView;
use skills_check::check::links::joined;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::map::{TextMap, TextSet};
use skills_format::text::percent;
use std::cell::LazyCell;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::AnchorBroken,
    level: Level::Warn,
    group: Group::Links,
    summary: "a link to a heading leads to a heading",
    why: "A model that follows `#steps` looks for a heading of that name. Without it the model reads the \
          whole file, or gives up. Headings are compared by their letters and digits.",
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
    let owns = LazyCell::new(|| Owns::new(view));
    let mut found = Vec::new();
    for link in fragments(view.markdown()) {
        if owns.is_broken(view.skill.dir, view.skill.entry, link) {
            found.push(told(view.at(RULE.id, link.span, message(link))));
        }
    }
    for page in view.marked_pages() {
        for link in fragments(page.markdown()) {
            if owns.is_broken(page.base(), &page.file.path, link) {
                found.push(told(page.at(RULE.id, link.span, message(link))));
            }
        }
    }
    found
}

fn message(link: &Link) -> String {
    format!(
        "no heading is `{}`",
        link.address.rsplit('#').next().unwrap_or_default()
    )
}

fn told(finding: Finding) -> Finding {
    finding.help("write the heading as the address of it is made, or remove the `#` part")
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

/// The files of a skill by path, with the anchors of each file.
struct Owns<'v>(TextMap<'v, Own<'v>>);

/// The anchors of a file, computed on first use.
type Own<'v> = LazyCell<TextSet<'static>, Box<dyn FnOnce() -> TextSet<'static> + 'v>>;

impl<'v> Owns<'v> {
    fn new(view: &'v SkillView<'_>) -> Self {
        let own = |names: Box<dyn FnOnce() -> TextSet<'static> + 'v>| LazyCell::new(names);
        let pages = view.pages().iter().map(|page| {
            let names = || anchors(page.text, page.markdown());
            (page.file.path.as_str(), own(Box::new(names)))
        });
        let mut owns: TextMap<'_, Own<'v>> = pages.collect();
        let names = || anchors(view.text(), view.markdown());
        owns.insert(view.skill.entry, own(Box::new(names)));
        Self(owns)
    }

    /// Returns whether a link in the file `here`, in the folder `base`, names a missing anchor.
    fn is_broken(&self, base: &str, here: &str, link: &Link) -> bool {
        let Some((path, fragment)) = link.address.split_once('#') else {
            return false;
        };
        let fragment = percent::decode(fragment);
        if matches!(fragment.as_ref(), "top" | "") {
            return false;
        }
        let own = if path.is_empty() {
            self.0.get(here)
        } else {
            joined(base, &percent::decode(path)).and_then(|path| self.0.get(&path))
        };
        own.is_some_and(|own| !names(own, &fragment))
    }
}

fn names(anchors: &TextSet<'_>, fragment: &str) -> bool {
    // Renderers add a number to the anchor of a repeated heading: `#usage-1`.
    anchors.contains(&folded(fragment))
        || fragment.rsplit_once('-').is_some_and(|(stem, number)| {
            number.bytes().all(|byte| byte.is_ascii_digit()) && anchors.contains(&folded(stem))
        })
}

/// Returns the anchors of a text: its headings, and ids in HTML and after headings.
fn anchors(text: &str, markdown: &Markdown) -> TextSet<'static> {
    let headings = markdown.headings.iter();
    let mut anchors: TextSet<'_> = headings.map(|span| folded(&bare(span.of(text)))).collect();
    for mark in ["id=\"", "name=\"", "id='", "{#"] {
        for at in memchr::memmem::find_iter(text.as_bytes(), mark) {
            let rest = text.get(at + mark.len()..).unwrap_or_default();
            let end = rest.find(['"', '\'', '}', '\n']).unwrap_or(rest.len());
            anchors.insert(folded(rest.get(..end).unwrap_or_default()));
        }
    }
    anchors
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
