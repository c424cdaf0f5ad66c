//! The rules of a strict check, one file each, and what asks them.
//!
//! A rule is a constant that holds what it says of itself and its check. A new rule is one file
//! and one line of [`RULES`].

mod bundle;
mod engine;
mod example;
mod links;
mod page;
mod view;

mod alias_collision;
mod allowed_tools_form;
mod ambiguous_scalar;
mod backslash_path;
mod body_empty;
mod body_length;
mod bundle_empty;
mod catalog_budget;
mod command_collision;
mod compatibility_length;
mod config_form;
mod confusable_name;
mod description_length;
mod description_markup;
mod description_missing;
mod description_trigger;
mod dispatch_form;
mod duplicate_key;
mod duplicate_name;
mod field_type;
mod field_typo;
mod file_too_large;
mod file_unused;
mod frontmatter_missing;
mod frontmatter_unterminated;
mod hidden_text;
mod home_path;
mod interactive_script;
mod link_broken;
mod link_case;
mod link_depth;
mod link_escape;
mod link_sibling;
mod lock_stale;
mod metadata_value;
mod name_form;
mod name_mismatch;
mod name_missing;
mod nested_skill;
mod not_utf8;
mod package_loss;
mod path_case_collision;
mod path_form;
mod positional_placeholder;
mod remote_exec;
mod reserved_name;
mod secret;
mod similar_description;
mod skill_file_name;
mod skill_too_large;
mod symlink;
mod text_form;
mod too_large;
mod unfinished;
mod unknown_field;
mod unknown_mention;
mod unknown_tool;
mod unpinned_command;
mod unreachable;
mod unreadable;
mod yaml_syntax;

use crate::config::{Config, Level};
use crate::diagnostic::{Diagnostic, Severity};
pub(crate) use bundle::BundleView;
pub(crate) use engine::{Read, check, look_into_files};
pub use example::{Content, Example};
pub use page::{explain, page};
pub(crate) use view::{SkillView, TreeView};

/// Every rule, by group.
pub const RULES: &[Rule] = &[
    frontmatter_missing::RULE,
    frontmatter_unterminated::RULE,
    yaml_syntax::RULE,
    duplicate_key::RULE,
    not_utf8::RULE,
    too_large::RULE,
    text_form::RULE,
    hidden_text::RULE,
    skill_file_name::RULE,
    unreadable::RULE,
    name_missing::RULE,
    name_form::RULE,
    name_mismatch::RULE,
    description_missing::RULE,
    description_length::RULE,
    field_type::RULE,
    compatibility_length::RULE,
    metadata_value::RULE,
    field_typo::RULE,
    unknown_field::RULE,
    allowed_tools_form::RULE,
    dispatch_form::RULE,
    unknown_tool::RULE,
    description_markup::RULE,
    unreachable::RULE,
    reserved_name::RULE,
    confusable_name::RULE,
    body_empty::RULE,
    body_length::RULE,
    positional_placeholder::RULE,
    unknown_mention::RULE,
    unfinished::RULE,
    home_path::RULE,
    backslash_path::RULE,
    unpinned_command::RULE,
    interactive_script::RULE,
    remote_exec::RULE,
    secret::RULE,
    link_broken::RULE,
    link_escape::RULE,
    link_sibling::RULE,
    link_depth::RULE,
    link_case::RULE,
    file_unused::RULE,
    file_too_large::RULE,
    skill_too_large::RULE,
    path_case_collision::RULE,
    path_form::RULE,
    symlink::RULE,
    bundle_empty::RULE,
    duplicate_name::RULE,
    alias_collision::RULE,
    command_collision::RULE,
    similar_description::RULE,
    catalog_budget::RULE,
    lock_stale::RULE,
    config_form::RULE,
    description_trigger::RULE,
    ambiguous_scalar::RULE,
    nested_skill::RULE,
    package_loss::RULE,
];

/// A rule: what it says of itself, and its check.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Rule {
    /// Its id: `name-form`.
    pub id: &'static str,
    /// What its findings count as where nothing else is configured.
    pub level: Level,
    /// What it looks at.
    pub group: Group,
    /// What must hold, in one line.
    pub summary: &'static str,
    /// Why it must.
    pub why: &'static str,
    /// Files in which it finds something, and nothing else is found.
    pub bad: Example,
    /// What its first finding in `bad` underlines; empty for a whole file or folder.
    pub marks: &'static str,
    /// Files in which nothing is found.
    pub good: Example,
    /// Whether it can mend what it finds.
    pub mends: Mends,
    /// How it is asked.
    pub(crate) check: Check,
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Group {
    /// The `SKILL.md` as a file.
    File,
    /// The front matter's keys and values.
    Fields,
    /// The instructions.
    Body,
    /// Links, and the files beside the `SKILL.md`.
    Links,
    /// The skills of a folder together.
    Bundle,
    /// Advice.
    Other,
}

impl Group {
    /// `file`, `fields`, `body`, `links`, `bundle` or `other`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Fields => "fields",
            Self::Body => "body",
            Self::Links => "links",
            Self::Bundle => "bundle",
            Self::Other => "other",
        }
    }
}

/// Whether a rule can mend what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mends {
    /// It cannot.
    No,
    /// It can, and keeps the meaning.
    Safely,
    /// It can guess.
    Guessing,
}

/// How a rule is asked. Findings are told without rule and severity: the engine knows both.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// About one `SKILL.md`.
    Skill(fn(&SkillView<'_>) -> Vec<Diagnostic>),
    /// About the files of one skill: their names and lengths.
    Files(fn(&SkillView<'_>) -> Vec<Diagnostic>),
    /// The same, and about what stands beside the skills.
    Tree {
        files: fn(&SkillView<'_>) -> Vec<Diagnostic>,
        above: fn(&BundleView<'_>) -> Vec<Diagnostic>,
    },
    /// About what is in the files of one skill.
    Contents(fn(&SkillView<'_>) -> Vec<Diagnostic>),
    /// About one `SKILL.md` and what the other skills answer to.
    Siblings {
        /// Whether there is something to ask, seen from the `SKILL.md` alone.
        concerns: fn(&SkillView<'_>) -> bool,
        check: fn(&SkillView<'_>, &BundleView<'_>) -> Vec<Diagnostic>,
    },
    /// About the skills of a tree together.
    Bundle(fn(&BundleView<'_>) -> Vec<Diagnostic>),
    /// The same, with their descriptions at hand.
    Descriptions(fn(&BundleView<'_>) -> Vec<Diagnostic>),
    /// Another part of the project asks it.
    Elsewhere,
}

/// A rule by its id.
pub fn find(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id)
}

impl Rule {
    /// Whether a check of a folder never asks it: another part of the project does.
    pub const fn is_asked_elsewhere(&self) -> bool {
        matches!(self.check, Check::Elsewhere)
    }

    /// The severity of its findings; `None` when they are not told.
    pub fn severity(&self, config: &Config) -> Option<Severity> {
        match config.levels.get(self.id).unwrap_or(&self.level) {
            Level::Deny => Some(Severity::Error),
            Level::Warn => Some(Severity::Warning),
            Level::Allow => None,
        }
    }
}
