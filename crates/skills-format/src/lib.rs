//! Reads [Agent Skills](https://agentskills.io): folders with a `SKILL.md`.
//!
//! - [`SkillFile`] reads one `SKILL.md`, strictly or leniently.
//! - [`Tree`] holds a folder of skills as data.
//! - [`disk`] opens folders and files so that no link leads out of them, and writes files whole.
//! - [`scan`] finds mentions, such as `$code-review`, in text.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod diagnostic;
pub mod digest;
pub mod disk;
pub mod foreign;
pub mod lenient;
pub mod mention;
pub mod name;
pub mod plugin;
pub mod skill;
pub mod text;
pub mod tree;
pub mod yaml;

pub use diagnostic::rule_id::RuleId;
pub use diagnostic::{Diagnostic, Edit, Fix, Related, Severity};
pub use digest::Digest;
pub use lenient::LenientOptions;
pub use mention::mask::Mask;
pub use mention::neutralize::neutralize;
pub use mention::{Candidate, CandidateKind, Link, scan};
pub use name::{MAX_NAME, MissingName, NameError, SkillName, command_base, nfc};
pub use plugin::{
    MAX_PLUGIN_FILE, PLUGIN_FILE, PLUGIN_SCHEMA, PluginFault, PluginManifest, is_plugin_name,
};
pub use skill::allowed_tools::{ToolFault, ToolRule};
pub use skill::document::{Document, FormKind, NoFrontMatter, TextForm};
pub use skill::fields::{Fields, Requires, Text};
pub use skill::file::{Skill, SkillFile};
pub use skill::front_matter::{FrontMatter, insert_description, plain_front_matter};
pub use skill::limits::{MAX_COMPATIBILITY, MAX_DESCRIPTION, MAX_FRONT_MATTER, MAX_SKILL_FILE};
pub use skill::openai::{MAX_OPENAI_FILE, OPENAI_FILE, OpenAiFault, OpenAiFile};
pub use skill::parsed::Invalid;
pub use skill::spelling::Spelling;
pub use text::command::command;
pub use text::control::picture;
pub use text::prose::Prose;
pub use text::span::{Lines, Position, Span};
pub use text::tokens::{estimate_quarter_tokens, estimate_tokens};
pub use tree::contents::Contents;
pub use tree::left_out::{TRIGGERS_FILE, is_litter, is_no_part, left_out};
pub use tree::limits::Limits;
pub use tree::read::{Guide, Nearby};
pub use tree::{
    ARGUMENTS_FILE, FileKind, MAX_ARGUMENTS_FILE, SKILL_FILE, SkillFiles, Tree, TreeFault,
    TreeFile, is_skill_file, join,
};
