//! Reads, checks and explains [Agent Skills](https://agentskills.io): folders with a `SKILL.md`.

#[cfg(feature = "rules")]
mod check;
mod command;
#[cfg(feature = "rules")]
mod config;
mod diagnostic;
mod digest;
mod document;
pub mod escape;
mod fields;
#[cfg(feature = "rules")]
mod fix;
mod front_matter;
#[cfg(feature = "yaml")]
mod known;
#[cfg(feature = "yaml")]
#[cfg(feature = "yaml")]
mod lenient;
mod line;
mod litter;
#[cfg(feature = "rules")]
mod markdown;
mod mask;
#[cfg(feature = "yaml")]
mod mend;
mod mention;
mod name;
#[cfg(feature = "yaml")]
mod near;
mod neutralize;
#[cfg(feature = "rules")]
mod parallel;
#[cfg(feature = "yaml")]
mod patch;
#[cfg(feature = "rules")]
mod read;
#[cfg(feature = "yaml")]
mod recover;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "yaml")]
mod restraint;
#[cfg(feature = "rules")]
pub mod rules;
#[cfg(feature = "yaml")]
mod salvage;
#[cfg(feature = "yaml")]
mod schema;
#[cfg(feature = "yaml")]
mod skill;
mod span;
mod tokens;
mod tools;
#[cfg(feature = "rules")]
mod tree;
#[cfg(feature = "yaml")]
pub mod yaml;

#[cfg(feature = "rules")]
pub use check::{Checked, CheckedSkill, MAX_FILE, check, check_folder, join};
pub use command::command_base;
#[cfg(feature = "rules")]
pub use config::{CONFIG_FILE, Config, Level, Sealed, UnknownRule};
pub use diagnostic::{Diagnostic, Edit, Fix, Severity};
pub use digest::Digest;
pub use document::{Document, Head, NoFrontMatter, TextForm};
pub use fields::{Fields, Requires, Text};
#[cfg(feature = "rules")]
pub use fix::{Fixed, Fixes, Mended, apply, fix};
pub use front_matter::{cut_description, insert_description};
pub use line::picture;
pub use litter::is_litter;
pub use mention::{Candidate, CandidateKind, Link, Mask, scan};
pub use name::{MAX_NAME, NameError, SkillName, nfc};
pub use neutralize::neutralize;
#[cfg(feature = "rules")]
pub use read::{Contents, read_text};
#[cfg(feature = "yaml")]
pub use schema::json_schema;
#[cfg(feature = "yaml")]
pub use skill::{
    MAX_COMPATIBILITY, MAX_DESCRIPTION, MAX_FRONT_MATTER, MAX_SKILL_FILE, Skill, SkillFile,
};
pub use span::{Lines, Position, Span};
pub use tokens::{estimate_quarter_tokens, estimate_tokens};
pub use tools::ToolRule;
#[cfg(feature = "rules")]
pub use tree::{FileKind, SkillFiles, Tree, TreeFault, TreeFile, is_skill_file};
