//! The skills that a source has and does not offer.

use crate::outcome::Failure;
use crate::output::{Ctx, counted, one_line};
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
        self.report_left_out(cx);
        self.report_not_offered(cx);
    }

    fn report_left_out(&self, cx: &mut Ctx) {
        let folders = &self.left_out;
        let shown = folders.get(..3).unwrap_or(folders).join(", ");
        let more = match folders.len().saturating_sub(3) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (are, them) = match folders.len() {
            0 => return,
            1 => ("1 skill is".to_owned(), "it"),
            count => (format!("{count} skills are"), "them"),
        };
        cx.note(format!(
            "{are} not offered (hidden, internal, of tests, in dist, or inside the skill of the root); name {them} to install \
             {them}: {shown}{more}"
        ));
    }

    /// Reports the skills that cannot be installed from where they lie, each with its reason.
    fn report_not_offered(&self, cx: &mut Ctx) {
        const MOST: usize = 5;
        for skill in self.not_offered.iter().take(MOST) {
            let (path, reason) = (one_line(&skill.path), one_line(&skill.reason));
            cx.warning(format_args!("{path} is not offered: {reason}"));
        }
        if let more @ 1.. = self.not_offered.len().saturating_sub(MOST) {
            cx.warning(format_args!("{} more not offered", counted(more, "skill")));
        }
    }
}
