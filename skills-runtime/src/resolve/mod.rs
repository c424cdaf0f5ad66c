#![doc = include_str!("../../docs/mentions.md")]

pub(crate) mod address;
pub(crate) mod by_path;
pub(crate) mod leading;
pub(crate) mod listed;
pub(crate) mod memo;
pub(crate) mod near;
pub(crate) mod notice;
pub(crate) mod notices;
pub(crate) mod outcome;
pub(crate) mod reading;
pub(crate) mod resolution;
pub(crate) mod resolver;
pub(crate) mod slash;
pub(crate) mod surface;

pub use listed::{did_you_mean, listed};
pub use near::{Near, Nearness, word_starts};
pub use notice::{EndedBy, Notice, Reload};
pub use notices::Notices;
pub use outcome::{Mention, NearKind, Outcome};
pub use reading::MentionPolicy;
pub use resolution::{Resolution, SkillToStart};
pub use skills_format::{Span, neutralize};
pub use slash::{Slash, is_of_host};
pub use surface::Surface;

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::catalog::plugins::Plugins;

impl Catalog {
    /// Resolves what a person typed: `/name` and the rest of the text, or `$name` anywhere in it.
    ///
    /// A command that no skill has, or that [`Settings::reserved`](crate::Settings) names, is the host's own: the text is
    /// returned unchanged, and is not scanned. A pure function, as [`Catalog::mentions`].
    pub fn resolve(&self, text: &str) -> Resolution {
        let settings = self.settings();
        if let Some(slash) = Slash::parse(text).filter(Slash::is_word) {
            let reserved = settings.reserved.iter().any(|name| name == slash.name);
            return match self.find(slash.name, Surface::User, Plugins::Merged) {
                Ok(entry) if !reserved => Resolution::of_command(&entry, &slash, text),
                Err(
                    notice @ (Notice::Disabled { .. }
                    | Notice::Untrusted { .. }
                    | Notice::Ineligible { .. }
                    | Notice::NotInvocable { .. }),
                ) if !reserved => Resolution::plain(text, vec![notice]),
                _ => Resolution::plain(text, Vec::new()),
            };
        }
        let policy = MentionPolicy {
            notices: if settings.quiet {
                Notices::SilentUnknown
            } else {
                Notices::Leading
            },
            limit: settings.limit,
            ..MentionPolicy::DEFAULT
        };
        self.mentions(text, Surface::User, &policy)
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
    /// that no skill has is compared with all names; [`MentionPolicy::limit`] is the maximum number of such ids in a text.
    pub fn mentions(&self, text: &str, surface: Surface, policy: &MentionPolicy) -> Resolution {
        let resolver = resolver::Resolver::new(self, surface, policy.plugins);
        reading::resolution(text, &resolver, policy)
    }

    /// Does the same as [`Catalog::mentions`], and asks `also` for the skill of an id that no skill and no alias has.
    pub fn mentions_or<'c>(
        &'c self,
        text: &str,
        surface: Surface,
        policy: &MentionPolicy,
        also: &'c dyn Fn(&str) -> Option<Entry<'c>>,
    ) -> Resolution {
        let mut resolver = resolver::Resolver::new(self, surface, policy.plugins);
        resolver.also = Some(also);
        reading::resolution(text, &resolver, policy)
    }

    /// Finds the skill that an id names and that this surface may start.
    ///
    /// The id is a name, an alias, a qualified id or a path. The look-up is that of a mention.
    ///
    /// # Errors
    ///
    /// The [`Notice`] of a mention that does not start a skill, such as [`Notice::Unknown`],
    /// [`Notice::Ambiguous`] or [`Notice::Disabled`].
    ///
    /// # Cost
    ///
    /// One look-up. An id that no skill has is compared with all names.
    pub fn find(&self, id: &str, surface: Surface, plugins: Plugins) -> Result<Entry<'_>, Notice> {
        resolver::find(self, id, surface, plugins)
    }

    /// Finds the skill that a text named, and checks again whether the surface may start it. In another catalog than that
    /// in which it was found, its id decides.
    ///
    /// # Errors
    ///
    /// Those of [`Catalog::find`].
    pub fn skill_at(
        &self,
        skill: &SkillToStart,
        surface: Surface,
        plugins: Plugins,
    ) -> Result<Entry<'_>, Notice> {
        resolver::find_at(self, skill, surface, plugins)
    }
}
