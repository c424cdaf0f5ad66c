//! The resolution of a text: its mentions, the skills that may start, the notices and the task.

use crate::catalog::entry::Skill;
use crate::catalog::place::Place;
use crate::catalog::plugins::Plugins;
use crate::resolve::notice::Notice;
use crate::resolve::outcome::Mention;

/// The meaning of a text. [`Catalog::resolve`](crate::Catalog::resolve) returns this type.
///
/// ```
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::Catalog;
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load();
/// let resolution = catalog.resolve("$code-review the parser");
/// assert_eq!(resolution.skills[0].id(), "code-review");
/// assert_eq!(resolution.task, "the parser");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolution {
    /// Every mention, in the order of the text. A skill that is named twice has two mentions.
    pub mentions: Vec<Mention>,
    /// The notices for the person, in order.
    pub notices: Vec<Notice>,
    /// The message to send: the text without the leading mentions of skills that start.
    pub task: String,
    /// The skills that may start, in order of first mention.
    pub skills: Vec<SkillToStart>,
}

/// A skill that may start: exactly one skill has the id, and it was trusted, enabled and eligible when the text was read.
/// Each start checks it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillToStart {
    id: String,
    pub(crate) place: Place,
    /// True if a mention of the skill leads the text.
    pub leads: bool,
}

impl SkillToStart {
    /// Names a skill. Returns `None` if the skill is disabled, untrusted or not eligible.
    pub fn of(id: &str, entry: &Skill<'_>, plugins: Plugins) -> Option<Self> {
        entry.check_startable().is_ok().then(|| Self {
            id: id.to_owned(),
            place: entry.place(plugins),
            leads: false,
        })
    }

    /// Returns the id that the person or the model is shown.
    pub fn id(&self) -> &str {
        &self.id
    }
}
