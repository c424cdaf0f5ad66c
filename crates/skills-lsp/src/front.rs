//! The front matter of a text that is being written: it need not parse.

use skills_clients::client::{Client, Field, all};
use skills_format::skill::known_fields::{FIELDS, FieldKind};
use skills_format::{Document, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The place of the cursor in the front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place<'t> {
    /// In a key at the start of a line.
    Key(Span),
    /// In a word of the value of a key.
    Value { key: &'t str, word: Span },
}

/// Returns the lines between the two `---`, or up to the end if the second is not written yet.
fn lines(text: &str) -> Option<Span> {
    if let Ok(document) = Document::split(text) {
        return Some(document.yaml);
    }
    let start = text.strip_prefix("---")?.find('\n')? + "---\n".len();
    Some(Span::new(start, text.len()))
}

/// Returns the place of a byte in the front matter.
pub(crate) fn place(text: &str, offset: usize) -> Option<Place<'_>> {
    let yaml = lines(text)?;
    if offset < yaml.start || offset > yaml.end {
        return None;
    }
    let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.lines().next().unwrap_or_default();
    let before = text.get(start..offset)?;
    if !before.contains(':') && !before.starts_with([' ', '\t', '-', '#']) {
        let end = line.find(':').unwrap_or(line.trim_end().len());
        return Some(Place::Key(Span::new(start, start + end.max(before.len()))));
    }
    // The key of a value that goes over lines stands above.
    let above = text.get(yaml.start..start + line.len())?.lines().rev();
    let key = above
        .filter(|line| !line.starts_with([' ', '\t', '-', '#']))
        .find_map(|line| line.split_once(':'));
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let word = before.len() - before.trim_end_matches(is_of_word).len();
    let rest = text.get(offset..)?;
    let after = rest.len() - rest.trim_start_matches(is_of_word).len();
    Some(Place::Value {
        key: key?.0.trim(),
        word: Span::new(offset - word, offset + after),
    })
}

/// Returns the keys at the starts of lines, without the line at an offset. The front matter need not parse.
pub(crate) fn written_keys(text: &str, without: usize) -> BTreeSet<&str> {
    let span = lines(text).unwrap_or_default();
    let mut start = span.start;
    let mut keys = BTreeSet::new();
    for line in span.of(text).split_inclusive('\n') {
        let is_other = start != without;
        start += line.len();
        let key = line
            .split_once(':')
            .filter(|_| is_other && !line.starts_with([' ', '\t']));
        keys.extend(key.map(|(key, _)| key.trim()));
    }
    keys
}

/// Returns the clients that know a field, with the meaning that their table states.
fn clients_of(key: &str) -> impl Iterator<Item = (&'static Client, &'static Field)> {
    all().iter().filter_map(move |client| {
        let field = client.front_matter.as_ref()?.fields.get(key)?;
        Some((client, field))
    })
}

/// Returns every key that a client or this program knows.
pub(crate) fn keys() -> BTreeSet<&'static str> {
    let of_clients = all()
        .iter()
        .filter_map(|client| client.front_matter.as_ref());
    let of_clients = of_clients.flat_map(|known| known.fields.keys().map(String::as_str));
    FIELDS
        .iter()
        .map(|field| field.key)
        .chain(of_clients)
        .collect()
}

/// Returns the documentation of a key: its meaning, and what each client reads. Returns `None` for an unknown key.
pub(crate) fn about(key: &str) -> Option<String> {
    let is_known = FIELDS.iter().any(|field| field.key == key);
    let mut clients: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (client, field) in clients_of(key) {
        let values = match field {
            Field::Values(values) => values
                .iter()
                .map(|value| format!("`{value}`"))
                .collect::<Vec<_>>()
                .join(", "),
            Field::Type(kind) => format!("{kind:?}").to_lowercase(),
            _ => String::new(),
        };
        clients.entry(values).or_default().push(&client.title);
    }
    if !is_known && clients.is_empty() {
        return None;
    }
    let mut text = format!("**`{key}`**\n\n{}\n", skills_lint::field_about(key));
    for (values, clients) in clients {
        let _ = write!(text, "\n- {values}: {}", clients.join(", "));
    }
    let whole = all()
        .iter()
        .filter_map(|client| Some((client, client.front_matter.as_ref()?)));
    let refusing: Vec<&str> = whole
        .filter(|(_, known)| known.refuses_unknown && !known.fields.contains_key(key))
        .map(|(client, _)| client.title.as_str())
        .collect();
    if !refusing.is_empty() {
        let _ = write!(text, "\n- refuse the skill for it: {}", refusing.join(", "));
    }
    Some(text)
}

/// Returns the values of a key that a client or this program knows.
pub(crate) fn values(key: &str) -> BTreeSet<String> {
    let mut values = BTreeSet::new();
    for (_, field) in clients_of(key) {
        if let Field::Values(known) = field {
            values.extend(known.iter().cloned());
        }
    }
    let kind = FIELDS
        .iter()
        .find(|field| field.key == key)
        .map(|field| field.kind);
    if kind == Some(FieldKind::Bool) {
        values.extend(["true", "false"].map(str::to_owned));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let text = "---\nname: a\nallowed-tools: Read Ba\nmetadata:\n  x: y\ndis\n---\nbody: x\n";
        let at = |word: &str| place(text, text.find(word).map_or(0, |at| at + word.len()));
        assert_eq!(at("\ndis"), Some(Place::Key(Span::new(52, 55))));
        assert_eq!(
            at("Ba"),
            Some(Place::Value {
                key: "allowed-tools",
                word: Span::new(32, 34)
            })
        );
        assert_eq!(
            at("  x: y"),
            Some(Place::Value {
                key: "metadata",
                word: Span::new(50, 51)
            })
        );
        assert_eq!(at("body"), None);
        assert_eq!(place("---\nna", 6), Some(Place::Key(Span::new(4, 6))));
        assert_eq!(place("na", 2), None);
    }
}
