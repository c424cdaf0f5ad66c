//! Reads, checks and explains [Agent Skills](https://agentskills.io): folders with a `SKILL.md`.
//!
//! - [`SkillFile`] reads one `SKILL.md`, strictly or leniently.
//! - [`Tree`] holds a folder of skills as data; [`check`] asks every rule about it, and [`fix`]
//!   applies fixes.
//! - [`disk`] opens folders and files so that no link leads out of them, and writes files whole.
//! - [`rules`] lists the rules of a check; [`render`] prints their findings.
//! - [`scan`] finds mentions, such as `$code-review`, in text.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(feature = "json"),
    allow(
        rustdoc::broken_intra_doc_links,
        reason = "the pages link to the items of every feature"
    )
)]

#[cfg(feature = "clients")]
pub mod client;
mod diagnostic;
mod digest;
#[cfg(feature = "disk")]
pub mod disk;
mod markdown;
mod mention;
mod name;
mod skill;
pub mod text;
mod tree;

#[cfg(feature = "yaml")]
mod lenient;
#[cfg(feature = "yaml")]
mod triggers;
#[cfg(feature = "yaml")]
pub mod yaml;

#[cfg(feature = "rank")]
mod rank;

#[cfg(feature = "rules")]
mod check;
#[cfg(feature = "rules")]
mod config;
#[cfg(feature = "rules")]
pub mod rules;
#[cfg(feature = "rules")]
mod view;

#[cfg(feature = "render")]
pub mod render;

pub use diagnostic::rule_id::RuleId;
pub use diagnostic::{Diagnostic, Edit, Fix, Severity};
pub use digest::Digest;
pub use mention::mask::place::Mask;
pub use mention::neutralize::neutralize;
pub use mention::{Candidate, CandidateKind, Link, scan};
pub use name::{MAX_NAME, MissingName, NameError, SkillName, command_base, nfc};
pub use skill::allowed_tools::ToolRule;
pub use skill::document::{Document, Head, NoFrontMatter, TextForm};
pub use skill::fields::{Fields, Requires, Text};
pub use skill::front_matter::{FrontMatter, cut_description, insert_description};
pub use skill::limits::{MAX_COMPATIBILITY, MAX_DESCRIPTION, MAX_FRONT_MATTER, MAX_SKILL_FILE};
pub use text::control::picture;
pub use text::number::{number_texts, number_values};
pub use text::span::{Lines, Position, Span};
pub use text::tokens::{estimate_quarter_tokens, estimate_tokens};
pub use tree::{
    FileKind, SKILL_FILE, SkillFiles, TRIGGERS_FILE, Tree, TreeFault, TreeFile, is_litter,
    is_no_part, is_skill_file, join,
};

#[cfg(feature = "yaml")]
pub use skill::file::{Skill, SkillFile};
#[cfg(feature = "yaml")]
pub use triggers::{TRIGGER_FILES, Trigger, Triggers, read_triggers};

#[cfg(feature = "rank")]
pub use rank::index::{Hit, WordIndex};
#[cfg(feature = "rank")]
pub use rank::overlap::differing::{Differing, DistinctWords};
#[cfg(feature = "rank")]
pub use rank::overlap::{Overlap, Pair, Relation, overlaps};
#[cfg(feature = "rank")]
pub use rank::{SkillWords, margin};

#[cfg(feature = "rules")]
pub use check::fix::{FixLevel, FixedText, FixedTree, apply, fix, fix_bundle};
#[cfg(feature = "rules")]
pub use check::{Checked, Found, MAX_FILE, check, check_bundle, check_bytes, check_folder};
#[cfg(feature = "rules")]
pub use config::{CONFIG_FILE, Config, Override, Place, Sealed, UnknownRule};
#[cfg(feature = "rules")]
pub use rules::rule::Level;
#[cfg(feature = "rules")]
pub use tree::contents::Contents;
#[cfg(feature = "rules")]
pub use tree::limits::Limits;
#[cfg(feature = "rules")]
pub use tree::read::Guide;
#[cfg(feature = "rules")]
pub use view::CheckedSkill;
#[cfg(feature = "rules")]
pub use view::markdown::named_places;
#[cfg(feature = "rules")]
pub use view::references::joined;
#[cfg(feature = "rules")]
pub use view::scope::{Scope, Surroundings};

#[cfg(feature = "json")]
pub use config::config_schema;
#[cfg(feature = "json")]
pub use skill::schema::json_schema;
#[cfg(feature = "json")]
pub use triggers::schema::triggers_schema;
