//! Claude Code: the folder is the name, what cannot be read is taken from the body.

use crate::reading::file::{Found, ReadSkill, once};
use crate::reading::front::{Kind, kind, pair, parse, without_tabs};
use crate::reading::order::collate;
use skills_format::yaml::Node;
use std::collections::BTreeSet;

/// A folder that is not read.
const RESERVED: &str = "synced";
/// Characters for which a value is quoted if the front matter is not YAML.
const QUOTED: &str = "{}[]*&#!|>%@`";
/// The most characters of a description that is taken from the body.
const FROM_BODY: usize = 100;

pub(super) fn read(found: &[Found]) -> Vec<ReadSkill> {
    let mut skills: Vec<(String, Option<String>, ReadSkill)> = Vec::new();
    for file in once(found) {
        if let [folder] = file.folders().as_slice()
            && *folder != RESERVED
        {
            skills.extend(skill(folder, file));
        }
    }
    let mut taken: BTreeSet<String> = skills.iter().map(|(id, ..)| id.clone()).collect();
    let mut listed: Vec<(String, ReadSkill)> = Vec::new();
    for (id, name, mut skill) in skills {
        skill.name = match name {
            Some(name) if taken.insert(name.clone()) => format!("{id} ({name})"),
            _ => id.clone(),
        };
        listed.push((id, skill));
    }
    listed.sort_by(|(a, _), (b, _)| collate(a, b));
    listed.into_iter().map(|(_, skill)| skill).collect()
}

fn skill(folder: &str, file: &Found) -> Option<(String, Option<String>, ReadSkill)> {
    let content = String::from_utf8_lossy(&file.text);
    let content = content.strip_prefix('\u{feff}').unwrap_or(&content);
    let (front, body) = parts(content);
    let front = without_tabs(front);
    let root = parse(&front)
        .or_else(|| parse(&repaired(&front)))
        .unwrap_or_else(|| Node::empty_mapping(0));
    if is_closed(&root) {
        return None;
    }
    let description = written(&root, "description").unwrap_or_else(|| from_body(body));
    let name = written(&root, "name").filter(|name| {
        let is_shown = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '-');
        name != folder && name.chars().all(is_shown)
    });
    let skill = ReadSkill {
        description: one_line(&description),
        when_to_use: one_line(&written(&root, "when_to_use").unwrap_or_default()),
        path: file.path.clone(),
        ..ReadSkill::default()
    };
    Some((folder.to_owned(), name, skill))
}

/// Returns the front matter and the body. The front matter ends at the first `---`, wherever it stands.
fn parts(content: &str) -> (&str, &str) {
    let front = content.strip_prefix("---").and_then(|rest| {
        let (first, rest) = rest.split_once('\n')?;
        first.trim().is_empty().then_some(rest)
    });
    let parts = front.and_then(|front| front.split_once("---"));
    parts.unwrap_or(("", content))
}

/// Returns a value as JavaScript writes it; `None` if it is empty, a list or a mapping.
fn written(root: &Node, key: &str) -> Option<String> {
    let text = match kind(root.get(key)) {
        Kind::Text(text) => text.trim().to_owned(),
        Kind::Plain(text) => match text.parse::<f64>() {
            Ok(number) => number.to_string(),
            Err(_) => text.to_owned(),
        },
        Kind::Nothing | Kind::Many => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// Quotes the values that can be the reason why the front matter is not YAML.
fn repaired(front: &str) -> String {
    let is_key = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '-');
    let lines = front.lines().map(|line| {
        let found = pair(line, is_key).filter(|(_, value)| value.starts_with([' ', '\t']));
        let Some((key, value)) = found.map(|(key, value)| (key, value.trim_start())) else {
            return line.to_owned();
        };
        let is_between =
            |quote| value.len() > 1 && value.starts_with(quote) && value.ends_with(quote);
        let is_faulty = value.contains(|c| QUOTED.contains(c)) || value.contains(": ");
        if is_between('"') || is_between('\'') || !is_faulty {
            return line.to_owned();
        }
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        format!("{key}: \"{value}\"")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the first line of the body that is not empty, without the marks of a heading.
fn from_body(body: &str) -> String {
    let line = body.lines().map(str::trim).find(|line| !line.is_empty());
    let Some(line) = line else {
        return "Skill".to_owned();
    };
    let heading = line.trim_start_matches('#');
    let text = match heading.trim_start() {
        title if line.starts_with('#') && title.len() < heading.len() && !title.is_empty() => title,
        _ => line,
    };
    if text.chars().count() <= FROM_BODY {
        return text.to_owned();
    }
    let head: String = text.chars().take(FROM_BODY - 3).collect();
    format!("{head}...")
}

fn is_closed(root: &Node) -> bool {
    let value = root.get("disable-model-invocation").and_then(Node::as_str);
    let is_true = value.is_some_and(|value| {
        let value = value.to_ascii_lowercase();
        matches!(value.as_str(), "true" | "yes" | "on" | "1")
    });
    // Paths close a skill until a file that they match is opened.
    let has_paths = !matches!(kind(root.get("paths")), Kind::Nothing);
    is_true || has_paths
}

/// Writes a text on one line: runs of line feeds become a space, and each character that shows nothing.
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\n' | '\r' => {
                while characters
                    .next_if(|next| matches!(next, '\n' | '\r'))
                    .is_some()
                {}
                line.push(' ');
            }
            // A sequence of a terminal goes whole.
            '\u{1b}' if characters.next_if_eq(&'[').is_some() => {
                let is_parameter = |next: &char| !next.is_ascii_alphabetic();
                while characters.next_if(is_parameter).is_some() {}
                characters.next();
            }
            c if is_unseen(c) => line.push(' '),
            c => line.push(c),
        }
    }
    line.trim().to_owned()
}

/// Returns whether a character shows nothing. The joiner of emoji stays.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        )
        || matches!(c, '\u{2060}'..='\u{2069}' | '\u{feff}')
}
