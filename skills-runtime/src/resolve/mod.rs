#![doc = include_str!("../../docs/mentions.md")]

pub(crate) mod address;
pub(crate) mod by_path;
pub(crate) mod outcome;
pub(crate) mod reading;
pub(crate) mod resolver;

pub use outcome::{Mention, Notice, Outcome, Resolution, Surface};

use crate::catalog::Catalog;
use crate::catalog::skill::Skill;
use crate::resolve::resolver::Resolver;
use skills_format::mention::Slash;
use skills_format::nfc;

/// The maximum number of skills that one text can start.
const LIMIT: usize = 8;

impl Catalog {
    /// Resolves what a person typed: `/name` and the rest of the text, or `$name` anywhere in it.
    ///
    /// A command that no skill has is the host's own: the text is returned unchanged, and is not scanned. A host looks for
    /// its own commands first, since a skill can have the same name. One text can start eight skills. A pure function, as
    /// [`Catalog::mentions`].
    pub fn resolve(&self, text: &str) -> Resolution<'_> {
        let Some(slash) = Slash::parse(text).filter(Slash::is_word) else {
            return self.mentions(text, Surface::User, LIMIT);
        };
        let mut resolution = Resolution {
            task: text.to_owned(),
            ..Resolution::default()
        };
        let resolver = Resolver::new(self, Surface::User);
        let meant = resolver.resolve(&nfc(slash.name));
        if let Some(skill) = &meant.skill {
            let arguments = slash.rest.trim();
            let task = if arguments.is_empty() {
                text
            } else {
                arguments
            };
            task.trim().clone_into(&mut resolution.task);
            resolution.skills.push(*skill);
            if !arguments.is_empty() {
                resolution.leading.push(*skill);
            }
        }
        // A name that no skill has is a command of the host.
        if meant.outcome.skill().is_some() {
            resolution.notices.push(Notice {
                id: format!("/{}", slash.name),
                outcome: meant.outcome,
            });
        }
        resolution
    }

    /// Resolves the mentions of a text: each with its outcome, the skills that start, the notices for the person, and the
    /// message to send. `limit` is the maximum number of skills that the text can start.
    ///
    /// Prose can hold `$variables`: an unknown id and a vaguely near one give a notice only if they lead the text, and an
    /// unknown id of a model never does. The [outcome](Mention::outcome) of each mention says it in any case.
    ///
    /// A pure function: it prints nothing, reads no file and loads no body. A text with the form of a slash command is not
    /// scanned, unless a model wrote it.
    ///
    /// # Cost
    ///
    /// Linear in the text. A text without `$` costs a search for one byte. Each different id is looked up once. An id
    /// that no skill has is compared with all names; `limit` is also the maximum number of such ids in a text.
    pub fn mentions(&self, text: &str, surface: Surface, limit: usize) -> Resolution<'_> {
        reading::resolution(text, &Resolver::new(self, surface), limit)
    }

    /// Finds the skill that an id names and that this surface may start.
    ///
    /// The id is a name, an alias, a qualified id or a path. The look-up is that of a mention.
    ///
    /// # Errors
    ///
    /// The [`Notice`] of a mention that does not start a skill, such as [`Outcome::Unknown`],
    /// [`Outcome::Ambiguous`] or [`Outcome::Refused`].
    ///
    /// # Cost
    ///
    /// One look-up. An id that no skill has is compared with all names.
    pub fn find(&self, id: &str, surface: Surface) -> Result<Skill<'_>, Notice> {
        let resolver = Resolver::new(self, surface);
        let found = match self.of_path(id) {
            Some(skill) => resolver.checked(skill),
            None => resolver.resolve(&nfc(id)),
        };
        found.or_notice(id)
    }
}
