//! Makes the entry with which a server offers a skill of any source over the Model Context Protocol.

use crate::bundle::manifest::{ManifestEntry, of_bundled};
use crate::catalog::entry::Entry;
use crate::error::Error;
use crate::source::SkillContent;
use skills_format::text::order::sort_by_text;

impl Entry<'_> {
    /// Makes the entry of `skills/list` for this skill, from its current files.
    ///
    /// Does not check whether the skill is enabled, trusted or eligible: the server decides that.
    ///
    /// # Errors
    ///
    /// The reason, as a sentence for a log: the skill does not follow the specification, exceeds the limits
    /// of the extension, or has the name of a nearer skill of its source; or a file cannot be read, or has
    /// changed since a person trusted the skill.
    ///
    /// # Cost
    ///
    /// A bundled skill: builds the URIs of its files. A skill of a folder: reads and hashes all its
    /// files.
    pub fn manifest(&self) -> Result<ManifestEntry, String> {
        match self.content() {
            SkillContent::Bundled(skill) => of_bundled(skill, self.source().name()),
            SkillContent::Remote(_) => Err("it is of another server".to_owned()),
            SkillContent::Folder(skill) => self.manifest_on_disk(skill),
        }
    }

    /// Lists the folders in the skill's folder, as relative paths with `/`, in the order of the paths.
    /// Folders of git and folders behind links are not listed.
    ///
    /// # Errors
    ///
    /// The errors of [`Entry::resources`].
    ///
    /// # Cost
    ///
    /// A skill of a folder: lists its folders, and reads the length of each file.
    pub fn folders(&self) -> Result<Vec<String>, Error> {
        match self.content() {
            SkillContent::Bundled(skill) => Ok(parents(skill.files().map(|file| file.path))),
            SkillContent::Remote(skill) => Ok(parents(skill.files.iter().map(|file| &*file.path))),
            SkillContent::Folder(skill) => self.open_folder(skill)?.folders(),
        }
    }

    /// Returns a sentence that names the exceeded limit of the extension. Returns `None` if the skill is
    /// within the limits.
    ///
    /// # Cost
    ///
    /// A skill of a folder: lists its folders, and reads the length of each file.
    pub fn over_limits(&self) -> Option<String> {
        let resources = self.resources().ok()?;
        let sizes = resources.iter().map(|file| file.size);
        crate::bundle::manifest::over_limits(sizes.len() + 1, sizes.sum())
    }
}

/// Returns every parent folder of these files.
fn parents<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<String> {
    let mut folders: Vec<&str> = paths
        .flat_map(|path| {
            path.match_indices('/')
                .filter_map(|(end, _)| path.get(..end))
        })
        .collect();
    sort_by_text(&mut folders, |folder| folder.as_bytes());
    folders.dedup();
    folders.into_iter().map(str::to_owned).collect()
}

mod on_disk {
    use super::{Entry, ManifestEntry};
    use crate::bundle::manifest::over_limits;
    use crate::source::folder::FolderSkill;
    use crate::source::open_skill::OpenSkill;
    use crate::source::trust::verify::check_file;
    use skills_format::text::map::TextSet;
    use skills_format::text::order::sort_by_number;
    use skills_format::yaml::{Node, Value};
    use skills_format::{Digest, MAX_COMPATIBILITY, MAX_DESCRIPTION, SKILL_FILE, SkillFile};
    use std::path::Path;

    impl Entry<'_> {
        pub(super) fn manifest_on_disk(
            &self,
            skill: &FolderSkill,
        ) -> Result<ManifestEntry, String> {
            if self.is_hidden() {
                return Err("a nearer skill of its source has the name".to_owned());
            }
            if skill.file_name != SKILL_FILE {
                let name = &skill.file_name;
                return Err(format!("its file is named `{name}`, not `{SKILL_FILE}`"));
            }
            let open = self
                .open_folder(skill)
                .map_err(|error| format!("{error:#}"))?;
            let mut paths = within_limits(&open)?;
            sort_by_number(&mut paths, |path| usize::from(path != SKILL_FILE));
            let mut files = Vec::with_capacity(paths.len());
            let mut front_matter = None;
            for path in &paths {
                let bytes = self.listed_bytes(skill, &open, path)?;
                if path == SKILL_FILE {
                    front_matter = Some(strict_front_matter(skill, &bytes)?);
                }
                let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                files.push((path.as_str(), Digest::of(&bytes), size));
            }
            let front_matter = front_matter.ok_or("its SKILL.md has gone")?;
            ManifestEntry::new(self.source().name(), self.name(), front_matter, files)
        }

        /// Returns whether a nearer skill of the same source has the URI of this skill.
        fn is_hidden(&self) -> bool {
            let nearest = self.catalog.in_source(self.source().name(), self.name());
            nearest != Some(*self)
        }

        fn listed_bytes(
            &self,
            skill: &FolderSkill,
            open: &OpenSkill<'_>,
            path: &str,
        ) -> Result<Vec<u8>, String> {
            let bytes = open.file(Path::new(path)).map_err(|error| {
                // A list of files has this character for each byte that is not UTF-8.
                if path.contains(char::REPLACEMENT_CHARACTER) {
                    format!("the name of the file '{path}' is not UTF-8")
                } else {
                    format!("{error:#}")
                }
            })?;
            let path = Path::new(path);
            if let Some(record) = self.record() {
                check_file(record, skill, path, &bytes).map_err(|error| format!("{error:#}"))?;
            }
            Ok(bytes)
        }
    }

    /// Returns the paths of the skill's files. The limits are checked before a file is read.
    fn within_limits(open: &OpenSkill<'_>) -> Result<Vec<String>, String> {
        let listed = open.list().map_err(|error| format!("{error:#}"))?;
        let bytes = listed.iter().map(|file| file.stat.len).sum();
        match over_limits(listed.len(), bytes) {
            Some(over) => Err(over),
            None => Ok(listed.into_iter().map(|file| file.path).collect()),
        }
    }

    /// Returns the front matter of a file that follows the specification, as JSON.
    fn strict_front_matter(skill: &FolderSkill, bytes: &[u8]) -> Result<String, String> {
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
        if strict.name.as_str() != &*skill.name {
            let (now, listed) = (&strict.name, &skill.name);
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
                let mut seen = TextSet::default();
                entries.iter().find_map(|(key, value)| {
                    let repeated = key.as_str().filter(|key| !seen.insert(*key));
                    repeated.or_else(|| repeated_key(value))
                })
            }
        }
    }
}
