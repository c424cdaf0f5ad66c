//! The entries of `skills/list`, the answer with which a server offers skills over the Model Context
//! Protocol.
//!
//! The shapes follow the Skills extension (SEP-2640). The digests of a bundle were computed at compile
//! time.

use crate::bundle::SkillRef;
use skills_format::Digest;
use skills_format::text::percent::encode_path;
use std::fmt::Write as _;

/// The maximum number of files in a served skill (Skills extension).
const MAX_FILES: usize = 512;
/// The maximum number of bytes in all files of a served skill (Skills extension).
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// One entry of `skills/list`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ManifestEntry {
    /// `skill://<source>/<name>/SKILL.md`
    pub uri: String,
    /// The front matter as a JSON object with all keys. Numbers have the values of YAML 1.2's core
    /// schema, because hosts compare the numbers with their own reading of the file.
    pub front_matter: String,
    /// Every file, with the `SKILL.md` first.
    pub resources: Vec<ManifestFile>,
}

/// One file of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ManifestFile {
    /// `skill://<source>/<name>/<path>`
    pub uri: String,
    /// SHA-256 of the bytes.
    pub digest: Digest,
    /// Length in bytes.
    pub size: u64,
}

/// Makes the entry of a bundled skill from the digests of the bundle.
pub(crate) fn of_bundled(skill: SkillRef, source: &str) -> Result<ManifestEntry, String> {
    let files = skill
        .files()
        .map(|file| (file.path, file.digest, file.bytes.len() as u64));
    ManifestEntry::new(source, skill.name(), skill.front_matter_values(), files)
}

impl ManifestEntry {
    /// Makes the entry of a skill from its files, which include the `SKILL.md`.
    ///
    /// # Errors
    ///
    /// A sentence that names the limit of the extension that the skill exceeds.
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

    /// Writes the entry as JSON.
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

/// Returns a sentence that names the exceeded limit of the extension. Returns `None` if the number of
/// files and bytes is within the limits.
pub(crate) fn over_limits(files: usize, bytes: u64) -> Option<String> {
    if files > MAX_FILES {
        return Some(format!(
            "it has {files} files, and at most {MAX_FILES} can be served"
        ));
    }
    (bytes > MAX_BYTES)
        .then(|| format!("its files have {bytes} bytes, and at most {MAX_BYTES} can be served"))
}

/// Makes the URI of a file of a skill.
///
/// The name is not escaped, because clients compare the name with the front matter. In the path, each
/// byte outside of `A–Z a–z 0–9 - . _ ~ /` is escaped.
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
    fn a_limit_is_an_error() {
        let digest = Digest([0; 32]);
        let new = |files: Vec<(&'static str, Digest, u64)>| {
            ManifestEntry::new("bundled", "a", "{}".to_owned(), files)
        };
        assert!(new(vec![("a", digest, 1); MAX_FILES]).is_ok());
        let many = new(vec![("a", digest, 1); MAX_FILES + 1]);
        assert_eq!(
            many.expect_err("too many"),
            "it has 513 files, and at most 512 can be served"
        );
        assert!(new(vec![("a", digest, MAX_BYTES)]).is_ok());
        assert!(new(vec![("a", digest, MAX_BYTES), ("b", digest, 1)]).is_err());
    }
}
