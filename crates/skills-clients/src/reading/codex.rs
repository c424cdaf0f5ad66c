//! Codex: strict YAML with one repair, names as written, six levels of folders.

use crate::reading::file::{Found, ReadSkill, once};
use crate::reading::front::{Kind, kind, parse};
use skills_format::yaml::{Node, Value};
use skills_lint::rules::codex_reads_over;

/// The most folders above a file.
const DEPTH: usize = 6;
/// The most characters of a name.
const NAME: usize = 64;

pub(super) fn read(found: &[Found]) -> Vec<ReadSkill> {
    let mut skills: Vec<ReadSkill> = once(found)
        .into_iter()
        .filter(|file| !file.is_link && !file.is_hidden() && file.folders().len() <= DEPTH)
        .filter(|file| !is_closed(file.policy.as_deref()))
        .filter_map(skill)
        .collect();
    skills.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
    skills
}

fn skill(file: &Found) -> Option<ReadSkill> {
    let text = std::str::from_utf8(&file.text).ok()?;
    let front = front(text)?;
    let (name, description) = fields(&front).or_else(|| fields(&repaired(&front)))?;
    let folders = file.folders();
    let folder = folders.last().copied().unwrap_or("skill");
    let name = if name.is_empty() {
        one_line(folder)
    } else {
        name
    };
    (name.chars().count() <= NAME && !description.is_empty()).then(|| ReadSkill {
        name,
        description,
        path: file.path.clone(),
        ..ReadSkill::default()
    })
}

/// Returns the lines between two lines that hold `---` alone.
fn front(text: &str) -> Option<String> {
    let mut lines = text.lines();
    lines.next().filter(|line| line.trim() == "---")?;
    let mut front = Vec::new();
    for line in lines {
        if line.trim() == "---" {
            return (!front.is_empty()).then(|| front.join("\n"));
        }
        front.push(line);
    }
    None
}

/// Returns the name and the description, or `None` if a field that Codex reads is of another type or written twice.
fn fields(front: &str) -> Option<(String, String)> {
    let root = parse(front).filter(|_| !has_half_pair(front))?;
    let count = |key| {
        let keys = root.entries().iter().map(|(key, _)| key.as_str());
        keys.filter(|other| *other == Some(key)).count()
    };
    let is_twice = ["name", "description", "metadata"]
        .iter()
        .any(|key| count(*key) > 1);
    let is_mapping = root
        .get("metadata")
        .is_none_or(|value| value.kind() == "a mapping");
    if is_twice || !is_mapping || root.kind() != "a mapping" {
        return None;
    }
    Some((scalar(&root, "name")?, scalar(&root, "description")?))
}

/// Returns whether a text has an escape of half a pair of UTF-16, such as `\ud83d`: Codex's parser refuses it.
fn has_half_pair(front: &str) -> bool {
    front.split("\\u").skip(1).any(|rest| {
        let mut digits = rest.chars().map(|c| c.to_ascii_lowercase());
        digits.next() == Some('d')
            && digits
                .next()
                .is_some_and(|c| matches!(c, '8'..='9' | 'a'..='f'))
    })
}

/// Returns the text of a field on one line: numbers as they are written, empty if missing.
fn scalar(root: &Node, key: &str) -> Option<String> {
    match kind(root.get(key)) {
        Kind::Nothing => Some(String::new()),
        Kind::Text(text) | Kind::Plain(text) => Some(one_line(text)),
        Kind::Many => None,
    }
}

pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Quotes the values that are not YAML for their colon, or for the character with which they begin.
fn repaired(front: &str) -> String {
    let lines = front.lines().map(|line| {
        let Some((key, value)) = line.split_once(": ") else {
            return line.to_owned();
        };
        let value = value.split(" #").next().unwrap_or_default().trim();
        let is_quoted = value.starts_with(['"', '\'', '|', '>']);
        let is_faulty = value.contains(": ")
            || value.starts_with(['@', '`'])
            || (value.starts_with(['[', '{']) && parse(&format!("a: {value}")).is_none());
        if is_quoted || !is_faulty {
            return line.to_owned();
        }
        format!("{key}: '{}'", value.replace('\'', "''"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns whether `agents/openai.yaml` closes the skill to the model. A file over which Codex reads closes nothing.
fn is_closed(policy: Option<&str>) -> bool {
    let Some(text) = policy.filter(|text| !codex_reads_over(text)) else {
        return false;
    };
    let root = parse(text);
    let Some(policy) = root.as_ref().and_then(|root| root.get("policy")) else {
        return false;
    };
    let is_codex = |product: &Node| matches!(product.as_str(), Some("codex" | "CODEX"));
    let is_for_others = match policy.get("products").map(|products| &products.value) {
        Some(Value::Sequence(products)) => !products.is_empty() && !products.iter().any(is_codex),
        _ => false,
    };
    let implicit = policy.get("allow_implicit_invocation");
    implicit.and_then(Node::as_bool) == Some(false) || is_for_others
}
