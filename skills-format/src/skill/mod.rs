//! One `SKILL.md`: its parts, its fields, and the skill that they make.

pub(crate) mod allowed_tools;
pub(crate) mod document;
pub(crate) mod fields;
#[cfg(feature = "yaml")]
pub(crate) mod file;
pub(crate) mod front_matter;
#[cfg(feature = "yaml")]
pub(crate) mod known_fields;
pub(crate) mod limits;
#[cfg(feature = "yaml")]
pub(crate) mod restraint;
#[cfg(feature = "yaml")]
#[cfg(feature = "json")]
pub(crate) mod schema;
