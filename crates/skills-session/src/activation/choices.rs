//! The choices that an activation's text depends on.

use crate::options::allowed_tools::AllowedTools;
use crate::options::envelope::Envelope;
use crate::profile::Profile;
use skills_format::Fields;
use skills_permit::Tools;
use skills_runtime::activation::Placeholders;
use skills_runtime::catalog::Plugins;
use std::collections::BTreeMap;

/// The variables of a host that sets none.
pub(crate) const NO_VARIABLES: &BTreeMap<String, String> = &BTreeMap::new();

/// The tools of a host that names none.
pub(crate) const NO_TOOLS: &Tools = &Tools::NONE;

/// The choices of an activation: the profile, and the values of the host's variables. Borrowed, so that a start
/// copies no table of the profile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices<'a> {
    pub(crate) profile: &'a Profile,
    /// The values by name without `$`.
    pub(crate) variables: &'a BTreeMap<String, String>,
    /// The host's tools: the text ends with a table of those that the skill names otherwise.
    pub(crate) tools: &'a Tools,
    /// A session starts the skill, and notes the digest of what it gives.
    pub(crate) is_session: bool,
}

impl<'a> Choices<'a> {
    /// Makes the choices of a host without variables.
    pub(crate) const fn of(profile: &'a Profile) -> Self {
        Self {
            profile,
            variables: NO_VARIABLES,
            tools: NO_TOOLS,
            is_session: false,
        }
    }

    /// Returns the ids that a plugin's skills answer to.
    pub(crate) const fn plugins(self) -> Plugins {
        self.profile.mentions.plugins
    }

    /// Returns whether the arguments of a skill can stand in its text.
    pub(crate) fn takes_arguments(self) -> bool {
        match &self.profile.envelope {
            Envelope::Template(template) => {
                !template.arguments.is_empty() || self.profile.placeholders != Placeholders::None
            }
            _ => true,
        }
    }

    /// Returns whether the skill of these fields limits the tools.
    pub(crate) fn limits(self, fields: &Fields) -> bool {
        let narrows = self.profile.allowed_tools == AllowedTools::Narrows;
        narrows && !fields.allowed_tools.is_empty() || !fields.disallowed_tools.is_empty()
    }
}
