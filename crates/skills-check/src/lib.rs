//! What makes a bundle of [Agent Skills](https://agentskills.io) wrong to ship: the errors of a build.
//!
//! - [`check()`] finds the errors of a folder of skills, which a [`Tree`](skills_format::Tree) holds as data.
//! - [`Config`] holds `skills.toml`: the level of each rule, limits, and excluded paths.
//! - [`render`] renders findings as rustc prints its errors.
//!
//! Internal, no stability: the errors that `include_skills!`, build scripts and the program `skills` share. The rules with
//! their advice are in `skills-lint`.

pub mod check;
mod config;
pub mod render;
pub mod toml;

pub use check::{Checked, CheckedSkill, check};
pub use config::{
    CONFIG_FILE, CONFIG_KEYS, Config, Level, Leveled, Override, Place, Sealed, TOOL_KINDS,
    UnknownRule, misnamed, unclosed,
};
