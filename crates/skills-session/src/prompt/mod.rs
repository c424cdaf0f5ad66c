//! The catalog text: the list of skills that a model reads.
//!
//! [`Profile::prompt`] renders the text in one of the [formats](crate::options::Format), within a
//! [`Budget`](crate::options::Budget).
//!
//! ```
//! # use skills_runtime::{Bundle, include_skills};
//! # static SKILLS: Bundle = include_skills!("tests/bundled");
//! use skills_session::options::{Budget, Format};
//! use skills_runtime::Catalog;
//! use skills_session::Profile;
//!
//! let catalog = Catalog::builder().bundle("bundled", &SKILLS).load().catalog;
//! let mut profile = Profile::DEFAULT;
//! profile.catalog.format = Format::Bullets;
//! profile.catalog.budget = Budget::Tokens(1_000);
//! let rendered = profile.prompt(&catalog);
//! assert_eq!(
//!     rendered.text,
//!     "- code-review: Reviews a change. Use before a merge.\n\
//!      - deploy-safely: Deploys with a way back. Use when a version goes out."
//! );
//! assert!(rendered.omitted.is_empty());
//! ```

pub(crate) mod rank;

pub use rank::{Ranked, Ranker};
pub use skills_runtime::prompt::Rendered;

use crate::profile::{CatalogText, Profile};
use skills_runtime::Catalog;
use skills_runtime::prompt::ListText;

impl Profile {
    /// Renders the catalog text, which lists each skill that is enabled, trusted, eligible and open to
    /// the model, by its id, in the catalog's order.
    ///
    /// A description over 1,024 characters is always shortened to that length, the maximum of the
    /// specification. If the text exceeds the budget, descriptions are shortened first, all to the same
    /// length, at the ends of words. Then skills are omitted, from the lowest rank up. A text that omits
    /// skills ends with a line with their number. The same catalog and profile give the same bytes.
    ///
    /// # Cost
    ///
    /// About a microsecond a skill.
    pub fn prompt(&self, catalog: &Catalog) -> Rendered {
        catalog.list(&self.catalog.list(), self.mentions.plugins)
    }
}

impl CatalogText {
    pub(crate) fn list(&self) -> ListText<'_> {
        ListText {
            format: self.format,
            budget: self.budget,
            heading: &self.heading,
            intro: &self.intro,
        }
    }
}
