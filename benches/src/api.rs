//! The names of the libraries that the benches use. The crates that a bench writes name their own.

pub use skills_format::{Fields, SkillFile, SkillWords, WordIndex, scan, yaml};
pub use skills_runtime::options::CommandPolicy;
pub use skills_runtime::complete::Completer;
pub use skills_runtime::options::{Budget, Format, PromptOptions};
pub use skills_runtime::prompt::Ranker;
pub use skills_runtime::source::Limits;
pub use skills_runtime::{
    ActivationOptions, Bundle, Catalog, Outcome, Policy, Profile, Surface, include_skills,
};
