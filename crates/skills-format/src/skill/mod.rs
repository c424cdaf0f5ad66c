//! One `SKILL.md`: its parts, its fields, and the skill that is read from them.

pub mod allowed_tools;
pub mod document;
pub mod fields;
pub mod file;
pub(crate) mod front_matter;
pub mod known_fields;
pub mod limits;
pub mod openai;
pub mod parsed;
pub mod paths;
pub mod restraint;
pub mod spelling;
