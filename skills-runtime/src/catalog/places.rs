//! The places of skills as a model sees them: a path, or an address that a tool reads.

use skills_format::text::path::PathText as _;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// How a host writes the places of skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Places {
    /// The home folder. Paths below it are written with `~`.
    pub home: Option<PathBuf>,
    /// Bundles that were extracted to disk ([`Bundle::extract`](crate::Bundle::extract)): the name of the
    /// source, and the folder of its skills.
    pub extracted: Vec<(String, PathBuf)>,
    /// The place of skills that are only in the program.
    pub bundled: BundledPlace,
}

/// The place of a skill that is only in the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum BundledPlace {
    /// `skill://SOURCE/NAME`, which `read_skill_resource` reads.
    #[default]
    Address,
    /// No place: the model of this host reads files only by path. The skill is left out and reported.
    Nowhere,
}

impl Places {
    /// Writes a path as the model sees it.
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

    /// Reads a path that is written in this way: `~` is the home folder.
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

/// Returns whether a character ends a line, or cannot be written in XML. A model cannot write a path
/// with it.
pub(crate) fn is_unwritable(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}
