//! Writes the places of skills for a model: a path, or an address that a tool reads.

use skills_format::text::path::PathText as _;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The form in which a host writes the places of skills.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// The home folder. Paths below it are written with `~`.
    pub(crate) home: Option<PathBuf>,
    /// The bundles that were extracted to disk ([`Bundle::extract`](crate::Bundle::extract)): the name
    /// of the source, and the folder of its skills.
    pub(crate) extracted: Vec<(String, PathBuf)>,
}

impl Places {
    /// Writes a path for the model. A path below the home folder begins with `~`.
    pub(crate) fn path(&self, path: &Path) -> String {
        let path = path.shown();
        let below_home = self
            .home()
            .and_then(|home| path.strip_prefix(&*home))
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

    /// Returns the folder that stands for a source without one.
    pub(crate) fn folder_of(&self, source: &str) -> Option<&Path> {
        let (_, folder) = self.extracted.iter().find(|(name, _)| name == source)?;
        Some(folder)
    }

    /// Expands a written path: `~` is the home folder.
    pub(crate) fn expanded<'p>(&self, written: &'p str) -> Cow<'p, str> {
        let below_home = written
            .strip_prefix('~')
            .filter(|rest| rest.starts_with(std::path::is_separator));
        match (self.home(), below_home) {
            (Some(home), Some(rest)) => [&*home, rest].concat().into(),
            _ => written.into(),
        }
    }

    /// Returns the home folder, without a separator at its end.
    fn home(&self) -> Option<Cow<'_, str>> {
        let home = match Path::new(self.home.as_deref()?.to_str()?).shown() {
            Cow::Borrowed(home) => Cow::Borrowed(home.trim_end_matches('/')),
            Cow::Owned(home) => Cow::Owned(home.trim_end_matches('/').to_owned()),
        };
        Some(home).filter(|home| !home.is_empty())
    }
}

/// Returns whether a character ends a line, or is not allowed in XML. A model cannot write a path with
/// such a character.
pub(crate) fn is_unwritable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}
