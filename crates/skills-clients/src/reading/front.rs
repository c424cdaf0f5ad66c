//! Front matter as other programs parse it.

use skills_format::yaml::{self, Node, Style, Value};

/// A value by YAML's core schema, with dates as JavaScript's readers know them.
pub(super) enum Kind<'n> {
    /// Missing or null.
    Nothing,
    Text(&'n str),
    /// A number, a truth value or a date, as it is written.
    Plain(&'n str),
    /// A list or a mapping.
    Many,
}

/// Parses the mapping of a front matter. Returns `None` if the text is not YAML; a text that holds no mapping is an
/// empty mapping.
pub(super) fn parse(front: &str) -> Option<Node> {
    let lines: Vec<String> = front.lines().map(without_anchor).collect();
    let root = yaml::parse(&lines.join("\n")).ok()?;
    Some(root.unwrap_or_else(|| Node::empty_mapping(0)))
}

/// Parses as [`parse`], and refuses a key that is written twice, as `js-yaml` does.
pub(super) fn parse_once(front: &str) -> Option<Node> {
    let root = parse(front)?;
    let keys = root.entries().iter().map(|(key, _)| key.as_str());
    let mut keys: Vec<Option<&str>> = keys.collect();
    keys.sort_unstable();
    let is_twice = keys.windows(2).any(|pair| pair.first() == pair.last());
    (!is_twice).then_some(root)
}

pub(super) fn kind(value: Option<&Node>) -> Kind<'_> {
    let Some(node) = value.filter(|node| !node.is_null()) else {
        return Kind::Nothing;
    };
    match &node.value {
        Value::Scalar(scalar) if scalar.style == Style::Plain => {
            if node.kind() == "text" && !is_date(&scalar.text) {
                Kind::Text(&scalar.text)
            } else {
                Kind::Plain(&scalar.text)
            }
        }
        Value::Scalar(scalar) => Kind::Text(&scalar.text),
        _ => Kind::Many,
    }
}

/// Returns the text of a value that is text.
pub(super) fn text<'n>(root: &'n Node, key: &str) -> Option<&'n str> {
    match kind(root.get(key)) {
        Kind::Text(text) => Some(text),
        _ => None,
    }
}

/// Splits a line `key: value`. The key is not indented.
pub(super) fn pair(line: &str, is_key: impl Fn(char) -> bool) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_name = !key.is_empty() && key.chars().all(is_key);
    is_name.then_some((key, value))
}

/// Returns the line without an anchor before its value: other programs read over it.
fn without_anchor(line: &str) -> String {
    let anchored = line.split_once(": &").and_then(|(key, rest)| {
        let (anchor, value) = rest.split_once(' ')?;
        let is_anchor = !anchor.is_empty() && !key.contains([':', '"', '\'', '#']);
        is_anchor.then(|| format!("{key}: {value}"))
    });
    anchored.unwrap_or_else(|| line.to_owned())
}

/// Returns the text with spaces for tabs at the start of lines. Such a tab is an error of YAML that the parsers of
/// JavaScript let pass.
pub(super) fn without_tabs(front: &str) -> String {
    let lines = front.lines().map(|line| {
        let rest = line.trim_start_matches('\t');
        format!("{}{rest}", "  ".repeat(line.len() - rest.len()))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns whether a plain scalar is a date or a time: `2026-01-02`, `2026-01-02T03:04:05Z`.
fn is_date(text: &str) -> bool {
    let date = text.get(..10).unwrap_or_default();
    let is_day = date.len() == 10
        && date.char_indices().all(|(at, c)| match at {
            4 | 7 => c == '-',
            _ => c.is_ascii_digit(),
        });
    let rest = text.get(10..).unwrap_or_default();
    is_day && (rest.is_empty() || rest.starts_with(['T', 't', ' ']))
}
