//! Checks [Agent Skills](https://agentskills.io): the rules, their findings and their fixes.
//!
//! - [`check()`] runs every active rule on a folder of skills, which a [`Tree`](skills_format::Tree) holds as data.
//! - [`fix()`] applies fixes.
//! - [`Config`] holds `skills.toml`: the level of each rule, limits, and excluded paths.
//! - [`powers()`] reads what a skill may do.
//! - [`rules`] lists the rules; [`render`] renders their findings.
//!
//! Internal, no stability: the checks of the program `skills` and of the macro; a build script checks its skills with
//! `skills-compiler`.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod check;
mod client;
#[cfg(feature = "json")]
mod config_schema;
mod powers;
pub mod render;
pub mod rules;
#[cfg(feature = "json")]
mod schema;
mod view;

pub use check::fix::{FixLevel, FixedText, FixedTree, apply, fix};
pub use check::{Found, MAX_FILE, check, check_bundle};
pub use client::{
    ALL_CLIENTS, Client, Clients, Condition, DropReason, Fact, Loss, Reading, Reads, SkillText,
    enumerated,
};
pub use powers::{
    MAX_POWER_BYTES, MAX_POWER_FILE, PowerFile, is_binary_media, is_lfs_pointer, powers,
    powers_and_calls, powers_of_files,
};
pub use rules::portability::losses::has_repeats;
pub use skills_check::check::files::{empty_help, hides};
pub use skills_check::check::{allow::NEVER_SUPPRESSED, links::joined};
pub use skills_check::{
    CONFIG_FILE, Config, Level, Override, Place, Sealed, UnknownRule, misnamed, unclosed,
};
pub use view::markdown::{Places, named_places};
#[doc(hidden)]
pub use view::openai::codex_reads_over;
pub use view::scope::{LinkEnd, Scope, Surroundings};
pub use view::tree::limits_in_repository;

#[cfg(feature = "json")]
pub use config_schema::config_schema;
#[cfg(feature = "json")]
pub use schema::{field_about, json_schema};
