//! What a bundle serves over the Model Context Protocol: its entries of `skills/list`, from digests
//! that were computed when it was compiled.
//!
//! The shapes are those of the Skills extension (SEP-2640).

use crate::bundle::{Bundle, SkillRef};
use skills_format::Digest;
use skills_format::text::percent::encode_path;
use std::fmt::Write as _;

/// Most files of a skill that is served (Skills extension).
const MAX_FILES: usize = 512;
/// Most bytes of all files of a skill that is served (Skills extension).
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The skills of one source as they are served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Manifest {
    /// In order of names.
    pub skills: Vec<ManifestEntry>,
    /// Skills over the limits of the extension, which are not served.
    pub left_out: Vec<LeftOut>,
}

/// One entry of `skills/list`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ManifestEntry {
    /// `skill://<source>/<name>/SKILL.md`
    pub uri: String,
    /// The front matter as a JSON object, with every key.
    pub front_matter: String,
    /// Every file once, the `SKILL.md` first.
    pub resources: Vec<ManifestFile>,
}

/// One file of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ManifestFile {
    /// `skill://<source>/<name>/<path>`
    pub uri: String,
    /// SHA-256 of its bytes.
    pub digest: Digest,
    /// Bytes.
    pub size: u64,
}

/// A skill that is not served.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// Why: a sentence for a log.
    pub reason: String,
}

impl Bundle {
    /// The manifest under the name of the bundle's source, such as `bundled`. Hashes nothing.
    pub fn manifest(&'static self, source: &str) -> Manifest {
        let mut manifest = Manifest::default();
        for skill in self.iter() {
            match entry(skill, source) {
                Ok(entry) => manifest.skills.push(entry),
                Err(reason) => manifest.left_out.push(LeftOut {
                    name: skill.name().to_owned(),
                    reason,
                }),
            }
        }
        manifest
    }
}

fn entry(skill: SkillRef, source: &str) -> Result<ManifestEntry, String> {
    let files = skill
        .files()
        .map(|file| (file.path, file.digest, file.bytes.len() as u64));
    ManifestEntry::new(source, skill.name(), skill.front_matter(), files)
}

impl ManifestEntry {
    /// The entry of a skill with these files, the `SKILL.md` among them. An error says which limit
    /// of the extension it is over.
    pub fn new<'f>(
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
        let bytes: u64 = resources.iter().map(|file| file.size).sum();
        if resources.len() > MAX_FILES {
            return Err(format!(
                "it has {} files, {MAX_FILES} can be served",
                resources.len()
            ));
        }
        if bytes > MAX_BYTES {
            return Err(format!(
                "its files have {bytes} bytes, {MAX_BYTES} can be served"
            ));
        }
        Ok(Self {
            uri: skill_uri(source, name, "SKILL.md"),
            front_matter,
            resources,
        })
    }

    /// The entry as JSON text.
    pub fn to_json(&self) -> String {
        let mut json = format!(
            "{{\"uri\":\"{}\",\"frontmatter\":{},\"resources\":[",
            self.uri, self.front_matter
        );
        for (i, ManifestFile { uri, digest, size }) in self.resources.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            let _ = write!(
                json,
                "{comma}{{\"uri\":\"{uri}\",\"digest\":\"{digest}\",\"size\":{size}}}"
            );
        }
        json.push_str("]}");
        json
    }
}

/// The URI of a file of a skill. The name stands in it as it is, since clients compare it with the
/// front matter's; in the path, what is no plain character of a URI is escaped.
pub fn skill_uri(source: &str, name: &str, path: &str) -> String {
    format!("skill://{source}/{name}/{}", encode_path(path))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn limits_are_told() {
        let digest = Digest([0; 32]);
        let new = |files: Vec<(&'static str, Digest, u64)>| {
            ManifestEntry::new("bundled", "a", "{}".to_owned(), files)
        };
        assert!(new(vec![("a", digest, 1); MAX_FILES]).is_ok());
        let many = new(vec![("a", digest, 1); MAX_FILES + 1]);
        assert_eq!(
            many.expect_err("too many"),
            "it has 513 files, 512 can be served"
        );
        assert!(new(vec![("a", digest, MAX_BYTES)]).is_ok());
        assert!(new(vec![("a", digest, MAX_BYTES), ("b", digest, 1)]).is_err());
    }
}
