//! `OpenCode`: every depth and every link, a name and a description that are text, no restraint.

use crate::reading::file::{Found, ReadSkill};
use crate::reading::front::{pair, parse_once, text, without_tabs};
use crate::reading::order::collate;

pub(super) fn read(found: &[Found]) -> Vec<ReadSkill> {
    let mut skills: Vec<ReadSkill> = Vec::new();
    for skill in found.iter().filter_map(skill) {
        if !skills.iter().any(|other| other.name == skill.name) {
            skills.push(skill);
        }
    }
    skills.sort_by(|a, b| collate(&a.name, &b.name));
    skills
}

fn skill(file: &Found) -> Option<ReadSkill> {
    let content = String::from_utf8_lossy(&file.text);
    let front = front(&content)?;
    let front = without_tabs(front);
    let root = parse_once(&front).or_else(|| parse_once(&repaired(&front)))?;
    Some(ReadSkill {
        name: text(&root, "name")?.to_owned(),
        description: text(&root, "description")?.to_owned(),
        path: file.path.clone(),
        ..ReadSkill::default()
    })
}

/// Returns the text after the first line, up to a line that begins with `---`, or to the end.
fn front(content: &str) -> Option<&str> {
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    let rest = content.strip_prefix("---")?;
    let (first, rest) = rest.split_once('\n')?;
    if first.starts_with('-') {
        return None;
    }
    Some(rest.split_once("\n---").map_or(rest, |(front, _)| front))
}

/// Writes each plain value with a colon as a block.
fn repaired(front: &str) -> String {
    let is_key = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let lines = front.lines().map(|line| {
        let value = pair(line, is_key).map(|(key, value)| (key, value.trim()));
        match value {
            Some((key, value)) if value.contains(':') && !value.starts_with(['"', '\'']) => {
                format!("{key}: |-\n  {value}")
            }
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
