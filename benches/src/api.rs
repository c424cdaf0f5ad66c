//! The names of the libraries that the benches use. The crates that a bench writes name their own.

pub use skills_format::{scan, yaml};
pub use skills_runtime::{
    ActivationOptions, Budget, Bundle, Catalog, Completer, Format, Limits, Outcome, Policy,
    Profile, PromptOptions, Surface, Tools, include_skills,
};
