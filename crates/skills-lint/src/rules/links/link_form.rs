use crate::rules::example::{Example, with_body};
use crate::rules::rule::{Check, FixKind, Group, Level, Rule};
use crate::view::finding::Finding;
use crate::view::search::find_all;
use crate::view::skill::SkillView;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::span::Span;

pub(crate) const RULE: Rule = Rule {
    id: RuleId::LinkForm,
    level: Level::Warn,
    group: Group::Links,
    summary: "what looks like a link is a link",
    why: "In Markdown, `[the style](style guide.md)` is not a link, since its path has a space, and `[the \
          style][guide]` is not a link without a line `[guide]: style.md`. No check follows them, so a broken path \
          in them goes unnoticed. A path with a space is reported if it has an extension. `[the style] (style.md)`, \
          `[the style](style.md` without its end, and the empty link `[the style]()` are reported too.",
    bad: Example::Skill(with_body!("Follow [the style][guide].\n")),
    marks: "[the style][guide]",
    good: Example::Skill(with_body!(
        "Follow [the style][guide].\n\n[guide]: https://example.com/style\n"
    )),
    fix: FixKind::No,
    check: Check::Files(check),
};

fn check(view: &SkillView<'_>) -> Vec<Finding> {
    let Some(text) = view.is_readable().then(|| view.text()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let prose = &view.markdown().prose;
    let mut end = 0;
    // Few texts have brackets in their prose: the others are searched once.
    for bracket in memchr::memchr_iter(b']', text.as_bytes()) {
        let next = prose.partition_point(|span| span.end <= bracket);
        let Some(prose) = prose
            .get(next)
            .filter(|it| it.start <= bracket && it.start >= end)
        else {
            continue;
        };
        end = prose.end;
        for (span, kind) in almost_links(prose.of(text)) {
            let span = Span::new(prose.start + span.start, prose.start + span.end);
            let written = span.of(text);
            let (message, help) = match kind {
                Almost::Spaced(path) => (
                    format!("`{written}` is not a link: its path has a space"),
                    format!("write the path as `<{path}>`, or rename the file"),
                ),
                Almost::Apart(path) => (
                    format!("`{written}` is not a link: a space separates the text from the path"),
                    format!("write `]({path})`"),
                ),
                Almost::Swapped(path) => (
                    format!("`{written}` is not a link: the brackets are swapped"),
                    format!("write `[…]({path})`"),
                ),
                Almost::Open(path) => (
                    format!("`{written}` is not a link: its `)` is missing"),
                    format!("write `]({path})`"),
                ),
                Almost::Undefined(label) => (
                    format!("`{written}` is not a link: no line defines `[{label}]`"),
                    format!("add a line `[{label}]: PATH`, or write `[…](PATH)`"),
                ),
            };
            found.push(view.at(RULE.id, span, message).help(help));
        }
    }
    found.extend(empty_links(view));
    found
}

/// Reports links whose address was never written.
fn empty_links(view: &SkillView<'_>) -> Vec<Finding> {
    let body = view
        .document()
        .map_or(Span::at(0), |document| document.body);
    let places = find_all(body.of(view.text()), "]()");
    let spans = places.map(|at| Span::new(body.start + at, body.start + at + "]()".len()));
    let found = spans
        .filter(|span| !view.markdown().is_code(span.start))
        .map(|span| {
            let finding = view.at(RULE.id, span, "the link leads to nothing");
            finding.help("write the path between the parentheses")
        });
    found.collect()
}

/// The maximum number of characters of an address or a label.
const MAX_ADDRESS: usize = 256;

/// What a text lacks to be a link.
enum Almost<'t> {
    /// `[text](a path.md)`.
    Spaced(&'t str),
    /// `[text][label]`.
    Undefined(&'t str),
    /// `[text] (path.md)`.
    Apart(&'t str),
    /// `[text](path.md` at the end of a line.
    Open(&'t str),
    /// `(text)[path.md]`.
    Swapped(&'t str),
}

/// Returns the texts in prose that look like links. A parser of Markdown leaves no link in prose.
fn almost_links(prose: &str) -> Vec<(Span, Almost<'_>)> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in prose.split_inclusive('\n') {
        let mut open = None;
        for (at, byte) in line.bytes().enumerate() {
            match byte {
                b'[' => open = Some(at),
                b']' => {
                    let almost = open
                        .take()
                        .and_then(|open| Some((open, almost(line, open, at)?)));
                    if let Some((open, (end, kind))) = almost {
                        found.push((Span::new(start + open, start + end), kind));
                    }
                }
                _ => {}
            }
        }
        start += line.len();
    }
    found
}

/// Reads what follows a text in brackets. Returns its end.
fn almost(line: &str, open: usize, close: usize) -> Option<(usize, Almost<'_>)> {
    let before = line.get(..open)?.chars().next_back();
    let inside = line.get(open + 1..close)?;
    if before == Some(')') && inside.contains('/') && is_file(inside) {
        return Some((close + 1, Almost::Swapped(inside)));
    }
    // `table[row][column]`, and an escaped bracket.
    if close == open + 1 || before.is_some_and(|c| c.is_alphanumeric() || "_)]\\".contains(c)) {
        return None;
    }
    let after = line.get(close + 1..)?;
    // A bound, since brackets without an end are as many as characters.
    let end = after
        .char_indices()
        .nth(MAX_ADDRESS)
        .map_or(after.len(), |(at, _)| at);
    let after = after.get(..end)?;
    if let Some((path, _)) = after
        .strip_prefix(" (")
        .and_then(|after| after.split_once(')'))
        .filter(|(path, _)| close > open + 2 && is_file(path))
    {
        return Some((close + path.len() + "] ()".len(), Almost::Apart(path)));
    }
    if let Some(path) = after.strip_prefix('(').map(str::trim_end)
        && is_file(path)
    {
        return Some((close + path.len() + "](".len(), Almost::Open(path)));
    }
    if let Some((path, _)) = after
        .strip_prefix('(')
        .and_then(|after| after.split_once(')'))
    {
        let (_, extension) = path.split(['#', '?']).next()?.rsplit_once('.')?;
        let is_extension = (1..=5).contains(&extension.len())
            && extension.bytes().all(|b| b.is_ascii_alphanumeric());
        // Two paths in one pair of brackets are a list and no link.
        let is_path =
            is_extension && path.trim().contains(' ') && !path.contains([',', ':', '"', '<', '`']);
        return is_path.then_some((close + path.len() + "](".len() + 1, Almost::Spaced(path)));
    }
    let (label, rest) = after.strip_prefix('[')?.split_once(']')?;
    let is_label = label.starts_with(|c: char| c.is_alphanumeric())
        && !label.contains('[')
        && label.chars().any(char::is_alphabetic)
        // A notation: `[A][B]`.
        && (close - open > 2 || label.len() > 1)
        && !rest.starts_with(['[', '(', '=', ':']);
    is_label.then_some((
        close + label.len() + "][".len() + 1,
        Almost::Undefined(label),
    ))
}

/// Whether a text is the path of a Markdown file, or of a file in a folder.
fn is_file(path: &str) -> bool {
    let is_one = !path.contains(|c: char| c.is_whitespace() || "()[]{}<>*:,\"`".contains(c));
    let (stem, extension) = path.rsplit_once('.').unwrap_or_default();
    is_one
        && !stem.is_empty()
        && (1..=5).contains(&extension.len())
        && extension.bytes().all(|b| b.is_ascii_alphanumeric())
        && (extension == "md" || path.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::almost_links;

    fn found(prose: &str) -> Vec<&str> {
        let found = almost_links(prose);
        found.into_iter().map(|(span, _)| span.of(prose)).collect()
    }

    #[test]
    fn paths_with_a_space_and_labels_without_a_line_are_found() {
        let text = "[a](b c.md), then [d][ef]\nand ![f](g h.png#i), [j k] (l.md).\n(q)[r/s.md]\n[m n](o/p.txt\n";
        let links = [
            "[a](b c.md)",
            "[d][ef]",
            "[f](g h.png#i)",
            "[j k] (l.md)",
            "[r/s.md]",
            "[m n](o/p.txt",
        ];
        assert_eq!(found(text), links);
    }

    #[test]
    fn what_only_resembles_a_link_is_not_found() {
        for text in [
            "m[i][j]",
            "f(x)[a.md]",
            "[a] (b c.md)",
            "- [x] (see a.md)",
            "- [x] (a.md)",
            "[a] (b)",
            "[a](b",
            "[a](see the first one.)",
            "[a](b.md, c d.md)",
            "[x][1]",
            "[x][^note]",
            "[x][]",
            "[a][b]",
            "[a][b][c]",
            "\\[a][b]",
            "[ ](a b.md",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }
}
