use crate::diagnostic::Diagnostic;
use crate::diagnostic::rule_id::RuleId;
use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::text::percent;
use crate::view::markdown::{Link, Markdown};
use crate::view::references::joined;
use crate::view::skill::SkillView;
use std::collections::BTreeSet;

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
    check: Check::Contents(check),
};

fn check(view: &SkillView<'_>) -> Vec<Diagnostic> {
    if !view.is_readable() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let own = Own::new(view.text(), view.markdown());
    for link in fragments(view.markdown()) {
        if is_broken(view, view.skill.dir, &own, link) {
            found.push(told(view.at(link.span, message(link))));
        }
    }
    for page in view.pages() {
        let base = page.base();
        let own = Own::new(page.text, &page.markdown);
        for link in fragments(&page.markdown) {
            if is_broken(view, base, &own, link) {
                found.push(told(view.at_page(page, link.span, message(link))));
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

fn told(finding: Diagnostic) -> Diagnostic {
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

/// A file and what its fragments may name, computed when they are needed.
struct Own<'t> {
    text: &'t str,
    markdown: &'t Markdown,
    anchors: std::cell::OnceCell<BTreeSet<String>>,
}

impl<'t> Own<'t> {
    fn new(text: &'t str, markdown: &'t Markdown) -> Self {
        Self {
            text,
            markdown,
            anchors: std::cell::OnceCell::new(),
        }
    }

    fn has(&self, fragment: &str) -> bool {
        let anchors = self
            .anchors
            .get_or_init(|| anchors(self.text, self.markdown));
        anchors.contains(&folded(fragment))
            || fragment.rsplit_once('-').is_some_and(|(stem, number)| {
                number.bytes().all(|byte| byte.is_ascii_digit()) && anchors.contains(&folded(stem))
            })
    }
}

fn is_broken(view: &SkillView<'_>, base: &str, own: &Own<'_>, link: &Link) -> bool {
    let Some((path, fragment)) = link.address.split_once('#') else {
        return false;
    };
    let fragment = percent::decode(fragment);
    if matches!(fragment.as_ref(), "top" | "") {
        return false;
    }
    if path.is_empty() {
        return !own.has(&fragment);
    }
    let Some(path) = joined(base, &percent::decode(path)) else {
        return false;
    };
    if path == view.skill.entry {
        return !Own::new(view.text(), view.markdown()).has(&fragment);
    }
    let page = view.pages().iter().find(|page| page.file.path == path);
    page.is_some_and(|page| !Own::new(page.text, &page.markdown).has(&fragment))
}

/// What a fragment of a text can name: headings, and ids in HTML and after headings.
fn anchors(text: &str, markdown: &Markdown) -> BTreeSet<String> {
    let headings = markdown.headings.iter();
    let mut anchors: BTreeSet<String> = headings.map(|span| folded(&bare(span.of(text)))).collect();
    for mark in ["id=\"", "name=\"", "id='", "{#"] {
        for at in memchr::memmem::find_iter(text.as_bytes(), mark) {
            let rest = text.get(at + mark.len()..).unwrap_or_default();
            let end = rest.find(['"', '\'', '}', '\n']).unwrap_or(rest.len());
            anchors.insert(folded(rest.get(..end).unwrap_or_default()));
        }
    }
    anchors
}

/// A heading without the addresses of its links.
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
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
