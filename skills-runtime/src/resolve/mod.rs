#![doc = include_str!("../../docs/mentions.md")]

pub(crate) mod address;
pub(crate) mod by_path;
pub(crate) mod leading;
pub(crate) mod memo;
pub(crate) mod notice;
pub(crate) mod outcome;
pub(crate) mod reading;
pub(crate) mod resolution;
pub(crate) mod resolver;
pub(crate) mod surface;

pub use notice::Notice;
pub use outcome::{Mention, Outcome};
pub use resolution::Resolution;
pub use surface::Surface;

use crate::catalog::Catalog;
use crate::catalog::skill::Skill;
use crate::resolve::resolver::Resolver;
use crate::settings::Settings;
use skills_format::mention::Slash;
use skills_format::nfc;

impl Catalog {
    /// Resolves what a person typed: `/name` and the rest of the text, or `$name` anywhere in it.
    ///
    /// A command that no skill has, or that [`Settings::reserved`](crate::Settings) names, is the host's own: the text is
    /// returned unchanged, and is not scanned. A pure function, as [`Catalog::mentions`].
    pub fn resolve(&self, text: &str) -> Resolution<'_> {
        let settings = self.settings();
        let Some(slash) = Slash::parse(text).filter(Slash::is_word) else {
            return self.mentions(text, Surface::User, settings);
        };
        let mut resolution = Resolution {
            task: text.to_owned(),
            ..Resolution::default()
        };
        if settings.reserved.iter().any(|name| name == slash.name) {
            return resolution;
        }
        let resolver = Resolver::new(self, Surface::User);
        let meant = resolver.resolve(&nfc(slash.name));
        if let Some(entry) = &meant.entry {
            let arguments = slash.rest.trim();
            let task = if arguments.is_empty() {
                text
            } else {
                arguments
            };
            task.trim().clone_into(&mut resolution.task);
            resolution.skills.push(*entry);
            if !arguments.is_empty() {
                resolution.leading.push(*entry);
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
    /// message to send.
    ///
    /// A pure function: it prints nothing, reads no file and loads no body. A text with the form of a slash command is not
    /// scanned, unless a model wrote it.
    ///
    /// # Cost
    ///
    /// Linear in the text. A text without `$` costs a search for one byte. Each different id is looked up once. An id
    /// that no skill has is compared with all names; [`Settings::limit`] is the maximum number of such ids in a text.
    pub fn mentions<'c>(
        &'c self,
        text: &str,
        surface: Surface,
        settings: &Settings,
    ) -> Resolution<'c> {
        reading::resolution(text, &Resolver::new(self, surface), settings)
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
            Some(entry) => resolver.checked(entry),
            None => resolver.resolve(&nfc(id)),
        };
        found.or_notice(id)
    }
}
