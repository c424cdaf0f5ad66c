//! The entries of `skills/list`, the answer with which a server offers skills over the Model Context
//! Protocol.
//!
//! The shapes follow the Skills extension (SEP-2640). The digests of a bundle were computed at compile
//! time.

use skills_format::text::percent::encode_path;
use skills_format::yaml::{Node, Value};
use skills_format::{Digest, MAX_COMPATIBILITY, MAX_DESCRIPTION, SKILL_FILE, SkillFile};
use skills_runtime::{Error, Skill};
use skills_session::remote::over_limits;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// One entry of `skills/list`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ManifestEntry {
    /// `skill://<source>/<name>/SKILL.md`
    pub(crate) uri: String,
    /// The front matter as a JSON object with all keys. Numbers have the values of YAML 1.2's core
    /// schema, because hosts compare the numbers with their own reading of the file.
    pub(crate) front_matter: String,
    /// Every file, with the `SKILL.md` first.
    pub(crate) resources: Vec<ManifestFile>,
}

/// One file of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ManifestFile {
    /// `skill://<source>/<name>/<path>`
    pub(crate) uri: String,
    /// SHA-256 of the bytes.
    pub(crate) digest: Digest,
    /// Length in bytes.
    pub(crate) size: u64,
}

/// Makes the entry of a skill.
///
/// # Errors
///
/// A sentence that says why the skill is not served.
pub(crate) fn manifest(entry: &Skill<'_>) -> Result<ManifestEntry, String> {
    let source = entry.source().name();
    let unreadable = |error: Error| format!("{error:#}");
    if entry.is_bundled() {
        let files = entry.files().map_err(unreadable)?;
        let files = files
            .iter()
            .filter_map(|file| Some((&*file.path, file.digest?, file.size)));
        return ManifestEntry::new(source, entry.name(), entry.front_matter(), files);
    }
    let id = entry.to_string();
    if entry.catalog().and_then(|catalog| catalog.get(&id)) != Some(*entry) {
        return Err("a nearer skill of its source has the name".to_owned());
    }
    let files = entry.files().map_err(unreadable)?;
    let file_name = &files[0].path;
    if file_name != SKILL_FILE {
        return Err(format!(
            "its file is named `{file_name}`, not `{SKILL_FILE}`"
        ));
    }
    let resources = &files[1..];
    let bytes = resources.iter().map(|file| file.size).sum();
    if let Some(over) = over_limits(resources.len() + 1, bytes) {
        return Err(over);
    }
    let skill_file = read(entry, SKILL_FILE)?;
    let front_matter = strict_front_matter(entry.name(), &skill_file)?;
    let mut files = vec![(SKILL_FILE, Digest::of(&skill_file), skill_file.len() as u64)];
    for file in resources {
        let bytes = read(entry, &file.path)?;
        files.push((&file.path, Digest::of(&bytes), bytes.len() as u64));
    }
    ManifestEntry::new(source, entry.name(), front_matter, files)
}

fn read<'c>(entry: &Skill<'c>, path: &str) -> Result<Cow<'c, [u8]>, String> {
    entry.read(path).map_err(|error| {
        if path.contains(char::REPLACEMENT_CHARACTER) {
            format!("the name of the file '{path}' is not UTF-8")
        } else {
            format!("{error:#}")
        }
    })
}

/// Returns the folders of a skill that hold files, sorted.
pub(crate) fn folders(entry: &Skill<'_>) -> Result<Vec<String>, Error> {
    let files = entry.files()?;
    Ok(parents(files.iter().map(|file| &*file.path)))
}

fn parents<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<String> {
    let mut folders: Vec<&str> = paths
        .flat_map(|path| {
            path.match_indices('/')
                .filter_map(|(end, _)| path.get(..end))
        })
        .collect();
    folders.sort_unstable();
    folders.dedup();
    folders.into_iter().map(str::to_owned).collect()
}

/// Returns the front matter of a file that follows the specification, as JSON.
fn strict_front_matter(name: &str, bytes: &[u8]) -> Result<String, String> {
    if !bytes.starts_with(b"---") {
        return Err("its SKILL.md does not begin with front matter".to_owned());
    }
    let file = SkillFile::read(SKILL_FILE, "", bytes);
    let invalid = "its SKILL.md is not valid; `skills check` shows what is wrong";
    let strict = file.strict().ok_or(invalid)?;
    if let Some(Ok(node)) = &file.front_matter
        && let Some(key) = repeated_key(node)
    {
        return Err(format!("its front matter has the key `{key}` twice"));
    }
    if strict.name.as_str() != name {
        let (now, listed) = (&strict.name, name);
        return Err(format!("its name is now `{now}`, and was `{listed}`"));
    }
    let long = |field: &str, most| format!("its {field} is longer than {most} characters");
    match strict.description.chars().count() {
        0 => return Err("its description is empty".to_owned()),
        length if length > MAX_DESCRIPTION => return Err(long("description", MAX_DESCRIPTION)),
        _ => {}
    }
    let compatibility = strict.fields.compatibility.as_deref().unwrap_or_default();
    if compatibility.chars().count() > MAX_COMPATIBILITY {
        return Err(long("compatibility", MAX_COMPATIBILITY));
    }
    Ok(strict.front_matter_values())
}

/// Returns a key that occurs twice in one mapping. Readers disagree about its value.
fn repeated_key(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(_) => None,
        Value::Sequence(items) => items.iter().find_map(repeated_key),
        Value::Mapping(entries) => {
            let mut seen = BTreeSet::new();
            entries.iter().find_map(|(key, value)| {
                let repeated = key.as_str().filter(|key| !seen.insert(*key));
                repeated.or_else(|| repeated_key(value))
            })
        }
    }
}

impl ManifestEntry {
    /// Makes the entry of a skill from its files, which include the `SKILL.md`.
    ///
    /// # Errors
    ///
    /// A sentence that names the limit of the extension that the skill exceeds.
    pub(crate) fn new<'f>(
        source: &str,
        name: &str,
        front_matter: String,
        files: impl IntoIterator<Item = (&'f str, Digest, u64)>,
    ) -> Result<Self, String> {
        let resources: Vec<_> = files
            .into_iter()
            .map(|(path, digest, size)| ManifestFile {
                uri: skill_uri(source, name, path),
                digest,
                size,
            })
            .collect();
        let bytes = resources.iter().map(|file| file.size).sum();
        if let Some(over) = over_limits(resources.len(), bytes) {
            return Err(over);
        }
        Ok(Self {
            uri: skill_uri(source, name, "SKILL.md"),
            front_matter,
            resources,
        })
    }
}

/// Makes the URI of a file of a skill.
///
/// The name is not escaped, because clients compare the name with the front matter. In the path, each
/// byte outside of `A–Z a–z 0–9 - . _ ~ /` is escaped.
pub(crate) fn skill_uri(source: &str, name: &str, path: &str) -> String {
    format!("skill://{source}/{name}/{}", encode_path(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::sdk_skill;
    use bundled_skills::SKILLS;
    use rmcp::model::{Skill, SkillResources, skill_name_from_uri, validate_skills};
    use skills_runtime::Catalog;

    /// The manifest of the bundled skills has the format that the MCP SDK reads, and the digests of the files.
    #[test]
    fn the_sdk_reads_it_and_finds_every_file_as_it_is() {
        let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
        let mut read = Vec::new();
        for baked in &SKILLS {
            let entry = catalog.get(baked.name()).expect("a bundled skill");
            let made = manifest(&entry).expect("a skill to serve");
            let skill: Skill = sdk_skill(&made).expect("a skill of the SDK");
            assert_eq!(skill_name_from_uri(&skill.uri), Some(baked.name()));
            assert_eq!(skill.frontmatter.name, baked.name());
            assert_eq!(skill.frontmatter.description, baked.description());
            let SkillResources::Files(files) = &skill.resources else {
                panic!("a bundle's files do not change");
            };
            let of_skill = baked.files().expect("files");
            for (listed, file) in files.iter().zip(&of_skill) {
                listed
                    .verify(&baked.read(&file.path).expect("a file"))
                    .expect("size and digest are the file's");
            }
            assert_eq!(files.len(), of_skill.len());
            read.push(skill);
        }
        validate_skills(&read).expect("the SDK finds nothing wrong");
    }

    #[test]
    fn uris() {
        assert_eq!(
            skill_uri("bundled", "a-b", "SKILL.md"),
            "skill://bundled/a-b/SKILL.md"
        );
        assert_eq!(
            skill_uri("bundled", "kód", "references/ü 1.md"),
            "skill://bundled/kód/references/%C3%BC%201.md"
        );
    }

    #[test]
    fn a_limit_is_an_error() {
        let digest = Digest([0; 32]);
        let new = |files: Vec<(&'static str, Digest, u64)>| {
            ManifestEntry::new("bundled", "a", "{}".to_owned(), files)
        };
        assert!(new(vec![("a", digest, 1); 512]).is_ok());
        let many = new(vec![("a", digest, 1); 513]);
        assert_eq!(
            many.expect_err("too many"),
            "it has 513 files, and at most 512 can be served"
        );
        assert!(new(vec![("a", digest, 16 * 1024 * 1024)]).is_ok());
        assert!(new(vec![("a", digest, 16 * 1024 * 1024), ("b", digest, 1)]).is_err());
    }
}
