//! The document of one profile.

use serde::Serialize;
use skills_host::improve::Mode;
use skills_runtime::Profile;

/// `inspect profile show --format json`
#[derive(Serialize)]
pub(super) struct ProfileShowDocument {
    schema: u32,
    #[serde(flatten)]
    pub(super) profile: &'static Profile,
    /// The mode of `skills improve`.
    improvement: Mode,
}

impl ProfileShowDocument {
    pub(super) fn new(profile: &'static Profile) -> Self {
        Self {
            schema: 1,
            profile,
            improvement: Mode::of(profile),
        }
    }
}
