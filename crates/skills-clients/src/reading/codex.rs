//! Codex: strict YAML with one repair, names as written, six levels of folders.

use crate::reading::file::{Found, ReadSkill, Seen, once};
use crate::reading::front::{Kind, has_half_pair, kind};
use crate::reading::reason;
use crate::reading::yaml::SERDE;
use skills_format::yaml::{self, Node, Value};
use skills_lint::DropReason;
use skills_lint::rules::codex_reads_over;

/// The most folders above a file.
const DEPTH: usize = 6;
/// The most characters of a name.
const NAME: usize = 64;

const LONG_NAME: DropReason = DropReason {
    what: "the name has more than 64 characters",
    key: "name",
    works: "write at most 64 characters",
};
const METADATA: DropReason = DropReason {
    what: "`metadata` is not a mapping",
    key: "metadata",
    works: "write keys and values below `metadata`, or remove it",
};
const SHORT_DESCRIPTION: DropReason = DropReason {
    what: "`metadata.short-description` is not a text",
    key: "metadata.short-description",
    works: "write it as one text, or remove it",
};

pub(super) fn read(found: &[Found]) -> Vec<ReadSkill> {
    let is_seen = |file: &&Found| {
        let depth = file.folders().len();
        !file.is_link && !file.is_hidden() && !file.has_line_feed() && depth <= DEPTH
    };
    let files = once(found).into_iter().filter(is_seen);
    let mut skills: Vec<ReadSkill> = files.map(sees).filter_map(Seen::listed).collect();
    skills.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
    skills
}

pub(super) fn sees(file: &Found) -> Seen {
    match skill(file) {
        Ok(_) if is_closed(file.policy.as_deref()) => Seen::Closed,
        read => read.into(),
    }
}

fn skill(file: &Found) -> Result<ReadSkill, DropReason> {
    let text = std::str::from_utf8(&file.text).map_err(|_| reason::NOT_YAML)?;
    let front = front(text).ok_or(reason::NO_FRONT_MATTER)?;
    let (name, description) = match fields(&front) {
        Ok(fields) => fields,
        Err(reason) => fields(&repaired(&front)).map_err(|_| reason)?,
    };
    let folders = file.folders();
    let folder = folders.last().copied().unwrap_or("skill");
    let name = if name.is_empty() {
        one_line(folder)
    } else {
        name
    };
    if name.chars().count() > NAME {
        return Err(LONG_NAME);
    }
    if description.is_empty() {
        return Err(reason::NO_DESCRIPTION);
    }
    Ok(ReadSkill {
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

/// Returns the name and the description, or the reason for which a field that Codex reads refuses the skill.
fn fields(front: &str) -> Result<(String, String), DropReason> {
    let root = SERDE.parse(front).filter(|_| !has_half_pair(front));
    let root = root.ok_or(reason::NOT_YAML)?;
    let is_repeated = |root: &Node, key: &str| {
        let keys = root.entries().iter().map(|(key, _)| key.as_str());
        keys.filter(|other| *other == Some(key)).count() > 1
    };
    let keys = ["name", "description", "metadata"];
    if root.kind() != "a mapping" || keys.iter().any(|key| is_repeated(&root, key)) {
        return Err(reason::NOT_YAML);
    }
    if let Some(metadata) = root.get("metadata") {
        if metadata.kind() != "a mapping" {
            return Err(METADATA);
        }
        let short = "short-description";
        if is_repeated(metadata, short) || scalar(metadata, short).is_none() {
            return Err(SHORT_DESCRIPTION);
        }
    }
    Ok((
        scalar(&root, "name").ok_or(reason::NO_NAME)?,
        scalar(&root, "description").ok_or(reason::NO_DESCRIPTION)?,
    ))
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
            || (value.starts_with(['[', '{']) && SERDE.parse(&format!("a: {value}")).is_none());
        if is_quoted || !is_faulty {
            return line.to_owned();
        }
        format!("{key}: '{}'", value.replace('\'', "''"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns whether `agents/openai.yaml` closes the skill to the model. A file over which Codex reads closes nothing.
fn is_closed(policy: Option<&str>) -> bool {
    // The rule reads no aliases, so it knows nothing of a file that has some.
    let is_read_over = |text: &str| yaml::parse(text).is_ok() && codex_reads_over(text);
    let Some(text) = policy.filter(|text| !is_read_over(text)) else {
        return false;
    };
    let root = SERDE.parse(text);
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
