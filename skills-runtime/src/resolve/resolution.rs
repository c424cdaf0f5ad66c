//! The resolution of a text: its mentions, the skills that may start, the notices and the task.

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::catalog::place::Place;
use crate::catalog::plugins::Plugins;
use crate::resolve::notice::Notice;
use crate::resolve::outcome::Mention;
use crate::resolve::slash::Slash;

/// The meaning of the mentions of a text. [`Catalog::mentions`] returns this type.
///
/// ```
/// # use skills_runtime::{Bundle, include_skills};
/// # static SKILLS: Bundle = include_skills!("tests/bundled");
/// use skills_runtime::resolve::MentionPolicy;
/// use skills_runtime::{Catalog, Surface};
///
/// let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
/// let text = "$code-review the parser";
/// let resolution = catalog.mentions(text, Surface::User, &MentionPolicy::DEFAULT);
/// assert_eq!(resolution.activated(), ["code-review"]);
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

/// A skill that may start: it was found, enabled, trusted and eligible when the text was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillToStart {
    /// The id that the person or the model is shown.
    pub id: String,
    /// True if a mention of the skill leads the text.
    pub leads: bool,
    /// `None`: the skill is found again by its id.
    pub(crate) place: Option<Place>,
}

impl SkillToStart {
    /// Names a skill of the catalog. [`Catalog::at`](crate::Catalog::skill_at) looks at it again.
    pub fn of(id: &str, entry: &Entry<'_>, plugins: Plugins) -> Self {
        Self {
            id: id.to_owned(),
            leads: false,
            place: Some(entry.place(plugins)),
        }
    }

    /// Names a skill by its id alone.
    pub fn named(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            leads: false,
            place: None,
        }
    }

    /// Returns the skill in a catalog that is the one in which the skill was found, without a check.
    pub fn entry<'c>(&self, catalog: &'c Catalog, plugins: Plugins) -> Option<Entry<'c>> {
        let place = self.place.as_ref();
        let entry = place.and_then(|place| catalog.at(place, plugins));
        entry.or_else(|| catalog.get(&self.id))
    }
}

impl Resolution {
    pub(crate) fn plain(text: &str, notices: Vec<Notice>) -> Self {
        Self {
            notices,
            task: text.to_owned(),
            ..Self::default()
        }
    }

    /// A slash command of a skill. Without arguments, the command itself is the message.
    pub(crate) fn of_command(entry: &Entry<'_>, slash: &Slash<'_>, text: &str) -> Self {
        let id = entry.id().into_owned();
        let arguments = slash.rest.trim();
        Self {
            notices: vec![Notice::Using { skill: id.clone() }],
            task: match arguments {
                "" => text.trim().to_owned(),
                arguments => arguments.to_owned(),
            },
            skills: vec![SkillToStart {
                leads: !arguments.is_empty(),
                ..SkillToStart::of(&id, entry, Plugins::Merged)
            }],
            ..Self::default()
        }
    }

    /// Returns the ids of the skills that start, in order of first mention.
    pub fn activated(&self) -> Vec<&str> {
        self.skills.iter().map(|skill| &*skill.id).collect()
    }
}
