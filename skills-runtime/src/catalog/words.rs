//! The words of the skills that the model may start, with the places of these skills in the catalog.

use crate::catalog::index::Spot;
#[cfg(feature = "tool")]
use crate::options::plugins::Plugins;
use skills_format::WordIndex;

/// An index of skills by their words.
#[derive(Debug)]
pub(crate) struct SkillTable {
    pub(crate) words: WordIndex,
    /// The id and the place of each skill of the index.
    pub(crate) skills: Vec<(String, Spot)>,
    /// The policy that the ids follow.
    #[cfg(feature = "tool")]
    pub(crate) plugins: Plugins,
}
