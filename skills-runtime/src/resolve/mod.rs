#![doc = include_str!("../../docs/mentions.md")]

pub(crate) mod address;
pub mod arguments;
pub(crate) mod by_path;
pub(crate) mod command;
#[cfg(feature = "serde")]
mod command_json;
pub(crate) mod dispatch;
pub(crate) mod invocation;
#[cfg(feature = "serde")]
mod json;
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
pub(crate) mod scheduled;
pub(crate) mod slash;
pub(crate) mod surface;
pub(crate) mod whole_text;

pub use dispatch::{AllowedCall, Dispatch, DispatchRefused, Verdict};
pub use invocation::Request;
pub use notice::Notice;
pub use outcome::{Mention, Outcome};
pub use resolution::{Effect, Resolution};
pub use skills_format::{Span, neutralize};
pub use surface::Surface;

// Hidden: only the packages of this repository use these items.
#[doc(hidden)]
pub use notice::{EndedBy, Reload};
// Hidden: only the packages of this repository use these items.
#[doc(hidden)]
pub use listed::did_you_mean;
// Hidden: only the packages of this repository use these items.
#[doc(hidden)]
pub use outcome::NearKind;

use crate::catalog::Catalog;
use crate::catalog::entry::Entry;
use crate::options::plugins::Plugins;
use crate::options::policy::Policy;
use crate::profile::Profile;

impl Catalog {
    /// Resolves a text under a profile: a slash command, or a text with mentions. Returns each mention with its
    /// outcome, the skills to activate, the notices for the person, and the message to send.
    ///
    /// A pure function: it prints nothing, reads no file and loads no body.
    ///
    /// White space before the `/` of a command is ignored. The command's name ends at the first white space, and the
    /// rest of the text, across all lines, is its arguments. A name is looked up as the name of a command first, then
    /// as a skill's own name. `/skill` and `/skills` are case-insensitive, and `/skill:ID` means `/skill ID`.
    ///
    /// A slash command is not scanned for mentions, nor is a command of the host, such as `/compact with
    /// $demo`. Any other text is scanned. If the profile
    /// gives commands names of their own, `$name` also finds the skill of the command. A model's text is never a slash
    /// command.
    ///
    /// # Cost
    ///
    /// Linear in the text. A text without `$` costs a search for one byte. Each different id is looked up once. An id
    /// that no skill has is compared with all names; [`Policy::limit`](crate::options::Policy::limit) is the maximum
    /// number of such ids in a text.
    ///
    /// A slash command costs two look-ups. The first command computes the names of all commands, about a microsecond a
    /// skill. The catalog keeps the names for the first profile. The names for another profile are computed at each
    /// call, so a host with two profiles gives each profile a catalog of its own: [`Catalog::with_state`] copies no
    /// skill.
    pub fn resolve(&self, text: &str, surface: Surface, profile: &Profile) -> Resolution {
        whole_text::resolve(self, text, surface, profile)
    }

    /// Resolves only the mentions of a text, and no slash command.
    ///
    /// Hidden, for the benches and property tests of this repository, which measure this part of
    /// [`Catalog::resolve`] alone.
    #[doc(hidden)]
    pub fn mentions(&self, text: &str, surface: Surface, policy: &Policy) -> Resolution {
        reading::mentions(self, text, surface, policy)
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
    // Hidden: only the packages of this repository use it.
    #[doc(hidden)]
    pub fn find(&self, id: &str, surface: Surface, plugins: Plugins) -> Result<Entry<'_>, Notice> {
        resolver::find(self, id, surface, plugins)
    }
}

#[cfg(all(test, feature = "session"))]
mod properties;
