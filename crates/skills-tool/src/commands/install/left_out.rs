//! The skills that a source has and does not offer.

use crate::outcome::Failure;
use crate::output::{Ctx, counted, one_line, some_of};
use serde::Serialize;
use skills_host::install::{NotOffered, Offer};

/// The skills that a source has and that are not installed, since nothing names them. Empty if the person named the wanted
/// skills.
#[derive(Default, Serialize)]
pub(crate) struct LeftOutSkills {
    /// The skills that cannot be installed from where they lie.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_offered: Vec<NotOffered>,
    /// The folders of the skills that a name installs: hidden, internal, of tests, in dist, or inside the skill of the root.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
}

impl LeftOutSkills {
    /// Finds the skills that a source does not offer.
    pub(super) fn of(offer: &Offer<'_>) -> Result<Self, Failure> {
        let left_out = offer.left_out()?;
        Ok(Self {
            not_offered: offer.not_offered(),
            left_out: left_out.into_iter().map(str::to_owned).collect(),
        })
    }

    pub(super) fn report(&self, cx: &mut Ctx) {
        const MOST: usize = 5;
        if !self.left_out.is_empty() {
            cx.note(format!(
                "{} not offered (hidden, internal, in tests or dist, or inside the root skill); install by name: {}",
                counted(self.left_out.len(), "skill"),
                some_of(&self.left_out, MOST)
            ));
        }
        // Each with its reason: these cannot be installed from where they lie.
        for skill in self.not_offered.iter().take(MOST) {
            let (path, reason) = (one_line(&skill.path), one_line(&skill.reason));
            cx.warning(format_args!("{path} is not offered: {reason}"));
        }
        if self.not_offered.len() > MOST {
            let more = counted(self.not_offered.len() - MOST, "more skill");
            cx.warning(format_args!("{more} not offered"));
        }
    }
}
