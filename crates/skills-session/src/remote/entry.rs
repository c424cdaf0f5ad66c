//! Parses and checks an entry of `skills/list` of a foreign server, which can send any data.

// A server can list `skill://user/x`. Texts for a model have `skill://mcp:LABEL/NAME` instead, so a read
// never reaches another source.

use crate::remote::over_limits;
use crate::remote::skill::{RemoteFile, RemoteSkill};
use serde_json::{Map, Value};
use skills_format::text::percent::decode;
use skills_format::{Digest, MAX_DESCRIPTION, SKILL_FILE, Skill, SkillFile, nfc};
use skills_runtime::{Error, ErrorKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::RwLock;

/// Parses an entry. `server` is `mcp:LABEL`.
pub(crate) fn parse(server: &str, entry: &Value) -> Result<RemoteSkill, Error> {
    let uri = text(entry, "uri")?;
    let folder = uri
        .strip_suffix(SKILL_FILE)
        .filter(|folder| folder.ends_with('/') && !folder.contains(['?', '#']))
        .ok_or_else(|| declined(uri, "its address does not end with /SKILL.md"))?;
    let Some(Value::Object(front_matter)) = entry.get("frontmatter") else {
        return Err(declined(uri, "its front matter is not an object"));
    };
    let skill = skill_of(front_matter)
        .ok_or_else(|| declined(uri, "its front matter has no valid name and description"))?;
    if skill.description.chars().count() > MAX_DESCRIPTION {
        return Err(declined(
            uri,
            "its description is longer than 1024 characters",
        ));
    }
    let name = skill.name.as_str();
    let segment = folder
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    if nfc(&decode(segment)) != name {
        return Err(declined(uri, "its address does not end with its name"));
    }
    let files = files(uri, folder, entry.get("resources"))?;
    Ok(RemoteSkill {
        server: server.to_owned(),
        uri: uri.to_owned(),
        name: name.to_owned(),
        description: skill.description,
        front_matter: Value::Object(front_matter.clone()).to_string(),
        files,
        verified: RwLock::new(BTreeMap::new()),
    })
}

/// Returns the typed fields of a front matter. The front matter is written as a `SKILL.md`, because JSON
/// is YAML too.
fn skill_of(front_matter: &Map<String, Value>) -> Option<Skill> {
    // YAML reads the JSON number `1` as the text `1`, but the entry does not hold a text.
    let is_text = |key| front_matter.get(key).is_some_and(Value::is_string);
    if !is_text("name") || !is_text("description") {
        return None;
    }
    let json = Value::Object(front_matter.clone()).to_string();
    let text = format!("---\n{json}\n---\n");
    let skill = SkillFile::read(SKILL_FILE, "", text.as_bytes()).strict()?;
    (!skill.description.is_empty()).then_some(skill)
}

fn files(uri: &str, folder: &str, listed: Option<&Value>) -> Result<Vec<RemoteFile>, Error> {
    let listed = match listed {
        Some(Value::Array(listed)) => listed,
        Some(Value::String(text)) if text == "dynamic" => {
            return Err(declined(
                uri,
                "its files have no digests (`dynamic`), so no approval could last",
            ));
        }
        _ => return Err(declined(uri, "its files are not a list")),
    };
    let mut files = Vec::with_capacity(listed.len().min(512));
    let mut paths = BTreeSet::new();
    let mut bytes: u64 = 0;
    for file in listed {
        let file = remote_file(uri, folder, file)?;
        if !paths.insert(file.path.to_string()) {
            return Err(declined(uri, &format!("it lists '{}' twice", file.path)));
        }
        bytes = bytes.saturating_add(file.size);
        files.push(file);
    }
    if let Some(over) = over_limits(files.len(), bytes) {
        return Err(declined(uri, &over));
    }
    if !paths.contains(SKILL_FILE) {
        return Err(declined(uri, "it does not list its SKILL.md"));
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn remote_file(skill: &str, folder: &str, file: &Value) -> Result<RemoteFile, Error> {
    let uri = text(file, "uri").map_err(|_| declined(skill, "a file has no address"))?;
    let outside = || declined(skill, &format!("the file '{uri}' is not in its folder"));
    let path = path_in(folder, uri).ok_or_else(outside)?;
    let digest = file
        .get("digest")
        .and_then(Value::as_str)
        .and_then(Digest::parse);
    let digest = digest
        .ok_or_else(|| declined(skill, &format!("the digest of '{uri}' is not a SHA-256")))?;
    let size = file.get("size").and_then(Value::as_u64);
    let size = size.ok_or_else(|| declined(skill, &format!("the file '{uri}' has no size")))?;
    Ok(RemoteFile {
        uri: uri.to_owned(),
        path: path.into(),
        digest,
        size,
    })
}

/// Returns the path of an address below a folder. Each decoded segment must be one part of a path: an
/// escaped `/` or `..` would lead to another file.
fn path_in(folder: &str, uri: &str) -> Option<String> {
    let rest = uri.strip_prefix(folder)?;
    if rest.contains(['?', '#']) {
        return None;
    }
    let segment = |written: &str| {
        let decoded = decode(written).into_owned();
        let is_part = !matches!(&*decoded, "" | "." | "..");
        (is_part && !decoded.contains(['/', '\\', '\0', '\u{FFFD}'])).then_some(decoded)
    };
    let segments: Option<Vec<String>> = rest.split('/').map(segment).collect();
    Some(segments?.join("/"))
}

/// Returns whether the front matter of a file equals the front matter of the entry, field by field.
pub(crate) fn is_same_front_matter(listed: &str, file: &str) -> bool {
    let read = |json| serde_json::from_str::<Value>(json).ok();
    matches!((read(listed), read(file)), (Some(a), Some(b)) if is_same(&a, &b))
}

/// Compares numbers by value: one reader of a file writes `1`, another `1.0`. Whole numbers above 2^53
/// are compared exactly.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let has_a_point = a.is_f64() || b.is_f64();
            a == b || (has_a_point && a.as_f64() == b.as_f64())
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let has = |(key, a): (&String, &Value)| b.get(key).is_some_and(|b| is_same(a, b));
            a.len() == b.len() && a.iter().all(has)
        }
        _ => a == b,
    }
}

fn text<'v>(entry: &'v Value, key: &str) -> Result<&'v str, Error> {
    let text = entry.get(key).and_then(Value::as_str);
    text.ok_or_else(|| declined("?", &format!("an entry has no `{key}`")))
}

/// Makes the error for a skill that is declined, with the reason.
pub(crate) fn declined(uri: &str, reason: &str) -> Error {
    // A server can send texts of any length, and a person reads the error.
    let uri: String = uri.chars().take(200).collect();
    let reason: String = reason.chars().take(300).collect();
    Error::new(
        ErrorKind::Refused,
        format_args!("skill '{uri}' is declined: {reason}"),
    )
}
