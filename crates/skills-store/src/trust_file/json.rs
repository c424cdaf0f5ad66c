//! The trust records as JSON, also in the format of older versions.

use crate::trust_file::path_text;
use serde_json::{Map, Value, json};
use skills_runtime::bundle::Digest;
use skills_runtime::source::{TrustRecord, TrustedContent, TrustedEntry};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The member with one record for each skill.
pub(crate) const SKILLS: &str = "skills";
/// The member of older versions, with one record for each folder of skills.
pub(crate) const FOLDERS: &str = "trusted";

pub(crate) fn to_json(record: &TrustRecord) -> Value {
    json!({
        "root": path_text::written(&record.root),
        "folder": path_text::written(&record.folder),
        "digest": record.digest().to_string(),
        "entries": record.entries.iter().map(entry_json).collect::<Vec<_>>(),
    })
}

fn entry_json(entry: &TrustedEntry) -> Value {
    let path = path_text::written(&entry.path);
    match &entry.content {
        TrustedContent::Folder => json!({ "path": path, "kind": "folder" }),
        TrustedContent::Link { target } => {
            json!({ "path": path, "kind": "link", "target": path_text::written(target) })
        }
        TrustedContent::File {
            len,
            modified,
            digest,
        } => json!({
            "path": path,
            "kind": "file",
            "len": len,
            "modified": modified,
            "digest": digest.to_string(),
        }),
    }
}

pub(crate) fn parse(object: &Map<String, Value>) -> Result<Vec<TrustRecord>, String> {
    let mut records = Vec::new();
    for (member, read) in [
        (FOLDERS, of_folder as fn(&Value) -> Option<Vec<TrustRecord>>),
        (SKILLS, |value| Some(vec![of_skill(value)?])),
    ] {
        let Some(all) = object.get(member) else {
            continue;
        };
        let all = all
            .as_array()
            .map(|all| all.iter().map(read))
            .and_then(Iterator::collect::<Option<Vec<_>>>)
            .ok_or_else(|| format!("`{member}` is not a list of records"))?;
        records.extend(all.into_iter().flatten());
    }
    Ok(records)
}

fn of_skill(value: &Value) -> Option<TrustRecord> {
    let path = |name: &str| path_text::read(value.get(name)?.as_str()?);
    let entries = value
        .get("entries")?
        .as_array()?
        .iter()
        .map(entry)
        .collect::<Option<Vec<_>>>()?;
    let record = TrustRecord::new(path("root")?, path("folder")?, entries);
    (record.digest() == digest(value)?).then_some(record)
}

fn entry(value: &Value) -> Option<TrustedEntry> {
    let path = |name: &str| path_text::read(value.get(name)?.as_str()?);
    let content = match value.get("kind")?.as_str()? {
        "folder" => TrustedContent::Folder,
        "link" => TrustedContent::Link {
            target: path("target")?,
        },
        "file" => file(value)?,
        _ => return None,
    };
    Some(TrustedEntry::new(path("path")?, content))
}

fn file(value: &Value) -> Option<TrustedContent> {
    Some(TrustedContent::File {
        len: value.get("len")?.as_u64()?,
        modified: value.get("modified")?.as_i64()?,
        digest: digest(value)?,
    })
}

fn digest(value: &Value) -> Option<Digest> {
    Digest::parse(value.get("digest")?.as_str()?)
}

/// Reads an older record of a whole folder of skills, with the files of all its skills. Each skill gets a record of
/// its files and of the folders that hold them.
fn of_folder(value: &Value) -> Option<Vec<TrustRecord>> {
    let root = PathBuf::from(value.get("root")?.as_str()?);
    let files = value
        .get("files")?
        .as_array()?
        .iter()
        .map(|value| Some((value.get("path")?.as_str()?, file(value)?)))
        .collect::<Option<BTreeMap<&str, TrustedContent>>>()?;
    let digested = files.iter().filter_map(|(path, content)| match content {
        TrustedContent::File { len, digest, .. } => Some((*path, *len, *digest)),
        _ => None,
    });
    if Digest::of_files(digested) != digest(value)? {
        return None;
    }
    let record =
        |folder: &str| TrustRecord::new(root.clone(), folder.into(), below(&files, folder));
    Some(folders(&files).into_iter().map(record).collect())
}

/// Returns the folders of the skills among the files of a root, without a trailing `/`. A folder below a skill is not
/// a skill.
fn folders<'f>(files: &BTreeMap<&'f str, TrustedContent>) -> Vec<&'f str> {
    let mut folders: Vec<&str> = files
        .keys()
        .filter_map(|path| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            name.eq_ignore_ascii_case("SKILL.md").then_some(folder)
        })
        .collect();
    folders.sort_unstable();
    folders.dedup_by(|inner, outer| Path::new(inner).starts_with(Path::new(outer)));
    folders
}

fn below(files: &BTreeMap<&str, TrustedContent>, folder: &str) -> Vec<TrustedEntry> {
    let mut entries = Vec::new();
    let mut holding: BTreeSet<&Path> = BTreeSet::new();
    for (path, content) in files {
        let Ok(path) = Path::new(path).strip_prefix(folder) else {
            continue;
        };
        let above = path.ancestors().skip(1);
        holding.extend(above.filter(|above| !above.as_os_str().is_empty()));
        entries.push(TrustedEntry::new(path.to_owned(), content.clone()));
    }
    let folders = holding.into_iter().map(Path::to_owned);
    entries.extend(folders.map(|path| TrustedEntry::new(path, TrustedContent::Folder)));
    entries
}
