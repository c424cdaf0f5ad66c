//! A folder of skills to Rust tokens, manifest and lock.

mod compile;
mod emit;
mod expand;
mod folder;
mod input;
mod layout;
mod model;
mod module;
mod tell;

pub use expand::include_skills;
pub use model::{BundleModel, FileModel, SkillModel};
