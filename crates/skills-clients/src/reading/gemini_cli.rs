//! Gemini CLI: one level of folders, YAML, and lines where it is not YAML.

use crate::reading::file::{Found, ReadSkill, Seen};
use crate::reading::front::{text, without_half_pairs};
use crate::reading::reason;
use crate::reading::yaml::JS_YAML;
use skills_lint::DropReason;

/// Characters that a name cannot have: they become hyphens.
const REPLACED: [char; 9] = [':', '\\', '/', '<', '>', '*', '?', '"', '|'];

pub(super) fn read(found: &[Found]) -> Vec<ReadSkill> {
    let is_seen = |file: &&Found| file.folders().len() <= 1 && !file.is_hidden();
    let listed = found.iter().filter(is_seen).map(sees);
    let mut skills: Vec<ReadSkill> = Vec::new();
    // The program lists the files in the order in which the disk answers; here it is that of the paths.
    for skill in listed.filter_map(Seen::listed) {
        if !skills.iter().any(|other| other.name == skill.name) {
            skills.push(skill);
        }
    }
    skills
}

pub(super) fn sees(file: &Found) -> Seen {
    skill(file).into()
}

fn skill(file: &Found) -> Result<ReadSkill, DropReason> {
    let content = String::from_utf8_lossy(&file.text);
    let front = front(&content).ok_or(reason::NO_FRONT_MATTER)?;
    let read = JS_YAML.parse(&without_half_pairs(front)).and_then(|root| {
        let text = |key| text(&root, key).map(str::to_owned);
        Some((text("name")?, text("description")?))
    });
    let (name, description) = match read {
        Some(read) => read,
        None => lines(front)?,
    };
    Ok(ReadSkill {
        name: name.replace(REPLACED, "-"),
        description,
        path: file.path.clone(),
        ..ReadSkill::default()
    })
}

/// Returns the text between the first line and a line that begins with `---`.
fn front(content: &str) -> Option<&str> {
    let rest = content.strip_prefix("---")?;
    let rest = rest
        .strip_prefix("\r\n")
        .or_else(|| rest.strip_prefix('\n'))?;
    let (front, _) = rest.split_once("\n---")?;
    Some(front.strip_suffix('\r').unwrap_or(front))
}

/// Reads the two fields line by line: a value is what stands after the colon, quotes included.
fn lines(front: &str) -> Result<(String, String), DropReason> {
    let (mut name, mut description) = (None, None);
    let mut lines = front.lines().peekable();
    while let Some(line) = lines.next() {
        let field = line.trim_start();
        if let Some(value) = field.strip_prefix("name:") {
            name = Some(value.trim().to_owned());
        } else if let Some(value) = field.strip_prefix("description:") {
            let mut parts = vec![value.trim()];
            let is_more = |next: &&str| next.starts_with([' ', '\t']) && !next.trim().is_empty();
            while let Some(next) = lines.next_if(is_more) {
                parts.push(next.trim());
            }
            parts.retain(|part| !part.is_empty());
            description = Some(parts.join(" "));
        }
    }
    Ok((
        name.ok_or(reason::NO_NAME)?,
        description.ok_or(reason::NO_DESCRIPTION)?,
    ))
}
