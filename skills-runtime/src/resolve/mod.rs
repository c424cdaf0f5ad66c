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
        let resolver = Resolver {
            catalog: self,
            surface: Surface::User,
        };
        let name = nfc(slash.name);
        let meant = resolver
            .exact(&name)
            .unwrap_or_else(|| resolver.near(&name));
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
        let resolver = Resolver {
            catalog: self,
            surface,
        };
        let found = match (self.of_path(id), nfc(id)) {
            (Some(skill), _) => resolver.checked(skill),
            (None, id) => resolver.exact(&id).unwrap_or_else(|| resolver.near(&id)),
        };
        let outcome = found.outcome;
        found.skill.ok_or_else(|| Notice {
            id: id.to_owned(),
            outcome,
        })
    }
}
