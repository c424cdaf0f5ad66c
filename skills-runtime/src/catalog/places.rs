//! Where a model finds a skill's files: a path, or an address that a tool reads.

use crate::catalog::entry::{Entry, EntryContent};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// What the host knows of the places of skills, and how they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Places {
    /// The home folder. Paths under it are written with `~`.
    pub home: Option<PathBuf>,
    /// Bundles that lie on disk too ([`Bundle::extract`](crate::Bundle::extract)): the name of the
    /// source, and the folder of its skills.
    pub extracted: Vec<(String, PathBuf)>,
    /// What becomes of skills that lie in the program alone.
    pub bundled: BundledPlace,
}

/// The place of a skill that lies in the program alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum BundledPlace {
    /// `skill://SOURCE/NAME`, which `read_skill_resource` reads.
    #[default]
    Address,
    /// None: this host's model reads files by path only, so that the skill is left out and told.
    Nowhere,
}

impl Places {
    /// The skill's folder: a path, or `skill://SOURCE/NAME`.
    pub fn directory(&self, entry: &Entry<'_>) -> Option<String> {
        match entry.content {
            EntryContent::Folder(skill) => Some(self.path(&skill.dir)),
            EntryContent::Bundled(skill) => {
                let source = entry.source().name();
                match self.extracted.iter().find(|(name, _)| name == source) {
                    Some((_, dir)) => Some(self.path(&dir.join(skill.name()))),
                    None if self.bundled == BundledPlace::Nowhere => None,
                    None => Some(["skill://", source, "/", skill.name()].concat()),
                }
            }
        }
    }

    /// The skill's `SKILL.md`.
    pub fn file(&self, entry: &Entry<'_>) -> Option<String> {
        let mut place = self.directory(entry)?;
        let separator = match entry.content {
            EntryContent::Folder(_) if std::path::MAIN_SEPARATOR == '\\' => '\\',
            _ => '/',
        };
        place.push(separator);
        place.push_str(match entry.content {
            EntryContent::Folder(skill) => &skill.file_name,
            EntryContent::Bundled(_) => "SKILL.md",
        });
        Some(place)
    }

    fn path(&self, path: &Path) -> String {
        let path = path.to_string_lossy();
        let below_home = self
            .home()
            .and_then(|home| path.strip_prefix(home))
            .filter(|rest| rest.is_empty() || rest.starts_with(std::path::is_separator));
        let mut written = match below_home {
            Some(rest) => ["~", rest].concat(),
            None => path.into_owned(),
        };
        if written.contains(is_unwritable) {
            written = written.replace(is_unwritable, "\u{fffd}");
        }
        written
    }

    /// The path that a written one stands for: `~` is the home folder.
    pub(crate) fn expanded<'p>(&self, written: &'p str) -> Cow<'p, str> {
        let below_home = written
            .strip_prefix('~')
            .filter(|rest| rest.starts_with(std::path::is_separator));
        match (self.home(), below_home) {
            (Some(home), Some(rest)) => [home, rest].concat().into(),
            _ => written.into(),
        }
    }

    /// The home folder as paths begin with it.
    fn home(&self) -> Option<&str> {
        let home = self.home.as_deref()?.to_str()?;
        Some(home.trim_end_matches(std::path::is_separator)).filter(|home| !home.is_empty())
    }
}

/// Such a character ends a line, or XML has no place for it. No model could ask for its path.
pub(crate) fn is_unwritable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}
