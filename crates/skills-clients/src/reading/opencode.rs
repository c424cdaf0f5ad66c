//! `OpenCode`: every depth and every link, a name and a description that are text, no restraint.

use crate::reading::file::{Found, ReadSkill, Seen};
use crate::reading::front::{pair, text, without_half_pairs, without_tabs};
use crate::reading::order::collate;
use crate::reading::reason;
use crate::reading::yaml::JS_YAML;
use skills_lint::DropReason;

pub(super) fn read(found: &[Found]) -> Vec<ReadSkill> {
    let mut skills: Vec<ReadSkill> = Vec::new();
    for skill in found.iter().map(sees).filter_map(Seen::listed) {
        if !skills.iter().any(|other| other.name == skill.name) {
            skills.push(skill);
        }
    }
    skills.sort_by(|a, b| collate(&a.name, &b.name));
    skills
}

pub(super) fn sees(file: &Found) -> Seen {
    skill(file).into()
}

fn skill(file: &Found) -> Result<ReadSkill, DropReason> {
    let content = String::from_utf8_lossy(&file.text);
    let front = front(&content).ok_or(reason::NO_FRONT_MATTER)?;
    // Its parser counts spaces alone: a line that begins with a tab is not indented.
    let front = without_half_pairs(&without_tabs(front, ""));
    let root = JS_YAML
        .parse(&front)
        .or_else(|| JS_YAML.parse(&repaired(&front)))
        .ok_or(reason::NOT_YAML)?;
    Ok(ReadSkill {
        name: text(&root, "name").ok_or(reason::NO_NAME)?.to_owned(),
        description: text(&root, "description")
            .ok_or(reason::NO_DESCRIPTION)?
            .to_owned(),
        path: file.path.clone(),
        ..ReadSkill::default()
    })
}

/// Returns the text after the first line, up to a line that begins with `---`, or to the end.
fn front(content: &str) -> Option<&str> {
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    let rest = content.strip_prefix("---")?;
    let (first, rest) = rest.split_at(rest.find('\n')?);
    // What follows the marks is the name of a language.
    if !matches!(first.trim(), "" | "yaml" | "yml") {
        return None;
    }
    // The closing line can be the line below the opening one.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// As `OpenCode` 1.18.33 lists such a file, or drops it.
    #[test]
    fn a_second_opening_line_closes() {
        for (text, is_listed) in [
            ("---\nname: s\ndescription: Does it.\n---\n", true),
            ("---\n\nname: s\ndescription: Does it.\n---\n", true),
            ("--- yaml\nname: s\ndescription: Does it.\n", true),
            ("---\n---\nname: s\ndescription: Does it.\n---\n", false),
            ("---\n\n---\nname: s\ndescription: Does it.\n---\n", false),
        ] {
            let file = Found {
                text: text.as_bytes().to_vec(),
                ..Found::default()
            };
            assert_eq!(skill(&file).is_ok(), is_listed, "{text}");
        }
    }
}
