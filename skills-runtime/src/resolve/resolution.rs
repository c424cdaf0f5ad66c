//! The resolution of a text: its mentions, the skills that may start, the notices and the task.

use crate::catalog::skill::Skill;
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
/// assert_eq!(resolution.arguments(&resolution.skills[0]), "the parser");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolution<'c> {
    /// Every mention, in the order of the text. A skill that is named twice has two mentions.
    pub mentions: Vec<Mention>,
    /// The notices for the person, in order.
    pub notices: Vec<Notice>,
    /// The message to send: the text without the leading mentions of skills that start.
    pub task: String,
    /// The skills that may start, in order of first mention. Exactly one skill has each id, and it is trusted, enabled and
    /// eligible.
    pub skills: Vec<Skill<'c>>,
    /// The skills that the task is given to.
    pub(crate) leading: Vec<Skill<'c>>,
}

impl Resolution<'_> {
    /// Returns the arguments of a skill that starts: the task, if a mention of the skill leads the text, or if the text is
    /// its command with arguments. Otherwise empty.
    pub fn arguments(&self, skill: &Skill<'_>) -> &str {
        if self.leading.contains(skill) {
            &self.task
        } else {
            ""
        }
    }
}
