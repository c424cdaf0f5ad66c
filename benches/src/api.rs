//! The names of the libraries that the benches use. The crates that a bench writes name their own.

pub use skills_format::{Fields, SkillFile, scan, yaml};
pub use skills_profiles::Profile;
pub use skills_rank::{SkillWords, WordIndex};
pub use skills_runtime::{Bundle, Catalog, Outcome, Surface, include_skills};
pub use skills_session::complete::Completer;
pub use skills_session::options::{Budget, Format};
pub use skills_session::options::{CatalogText, Options};
pub use skills_session::prompt::Ranker;
