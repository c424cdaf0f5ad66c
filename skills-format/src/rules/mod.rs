//! The rules of a strict check, one file each, and what asks them.
//!
//! A rule is a constant that holds what it says of itself and its check. A new rule is one file
//! and one line of [`RULES`].

mod bundle;
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

use crate::check::CheckedSkill;
use crate::config::{Config, Level};
use crate::diagnostic::{Diagnostic, Severity};
use crate::parallel;
use crate::tree::TreeFault;
pub(crate) use bundle::BundleView;
use bundle::{Gist, Keep};
pub use example::{Content, Example};
pub use page::{explain, page};
pub(crate) use view::{SkillView, TreeView};

/// Most findings of one rule in one skill that are told; the last of them counts the rest.
const MAX_FINDINGS: usize = 100;

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

/// How the engine comes by a skill, the one at an index in order of folders: reads it, calls, and
/// says what it could not read.
pub(crate) type Read<'r> =
    dyn Fn(usize, &mut dyn FnMut(&CheckedSkill<'_>)) -> Vec<TreeFault> + Sync + 'r;

/// Asks every rule that is not allowed about every skill, and about all of them together.
///
/// One skill is read at a time. What others must know of it is kept; where a rule still has to see
/// the skill when all are known, it is read again.
pub(crate) fn check(tree: &TreeView<'_>, read: &Read<'_>) -> Vec<Diagnostic> {
    let engine = Engine {
        asked: asked(tree.config).collect(),
        tree,
        read,
    };
    let (gists, faults, again, mut told) = engine.alone();
    let bundle = BundleView::new(tree, read, &gists, &faults);
    told.extend(engine.among_siblings(&bundle, &again));
    told.extend(engine.together(&bundle));
    Diagnostic::sort(&mut told);
    told
}

/// Whether a rule that is asked looks into the files beside the `SKILL.md`.
pub(crate) fn look_into_files(config: &Config) -> bool {
    asked(config).any(|(rule, _)| matches!(rule.check, Check::Contents(_)))
}

fn asked(config: &Config) -> impl Iterator<Item = (&'static Rule, Severity)> {
    RULES
        .iter()
        .filter_map(|rule| Some((rule, rule.severity(config)?)))
}

struct Engine<'e> {
    asked: Vec<(&'static Rule, Severity)>,
    tree: &'e TreeView<'e>,
    read: &'e Read<'e>,
}

/// What is known of a skill when it was read alone.
#[derive(Default)]
struct Alone {
    gist: Gist,
    told: Vec<Diagnostic>,
    faults: Vec<TreeFault>,
    is_asked_again: bool,
}

impl Engine<'_> {
    /// Asks about each skill by itself. Gives what is kept of each, what could not be read, the
    /// skills to be asked about again, and the findings.
    fn alone(&self) -> (Vec<Gist>, Vec<TreeFault>, Vec<usize>, Vec<Diagnostic>) {
        let compares = |(rule, _): &(&Rule, _)| rule.id == similar_description::RULE.id;
        let keep = if self.asked.iter().any(compares) {
            Keep::Descriptions
        } else {
            Keep::Nothing
        };
        let indices: Vec<usize> = (0..self.tree.skills.len()).collect();
        let skills = parallel::map(&indices, |index| self.skill(*index, keep));
        let (mut gists, mut again, mut told) = (Vec::new(), Vec::new(), Vec::new());
        let mut faults = self.tree.faults().to_vec();
        gists.reserve_exact(skills.len());
        for (index, skill) in skills.into_iter().enumerate() {
            gists.push(skill.gist);
            again.extend(skill.is_asked_again.then_some(index));
            told.extend(skill.told);
            faults.extend(skill.faults);
        }
        (gists, faults, again, told)
    }

    fn skill(&self, index: usize, keep: Keep) -> Alone {
        let mut alone = Alone::default();
        alone.faults = (self.read)(index, &mut |skill| {
            let view = SkillView::new(skill, self.tree);
            for (rule, severity) in &self.asked {
                let found = match rule.check {
                    Check::Skill(check) if view.is_readable() => check(&view),
                    Check::Files(check)
                    | Check::Contents(check)
                    | Check::Tree { files: check, .. } => check(&view),
                    Check::Siblings { concerns, .. } => {
                        alone.is_asked_again |= view.is_readable() && concerns(&view);
                        continue;
                    }
                    _ => continue,
                };
                tell(&view, found, rule, *severity, &mut alone.told);
            }
            alone.gist = Gist::of(&view, keep);
        });
        alone
    }

    /// Asks about skills again, now that the others are known.
    fn among_siblings(&self, bundle: &BundleView<'_>, again: &[usize]) -> Vec<Diagnostic> {
        let told = parallel::map(again, |index| {
            let mut told = Vec::new();
            (self.read)(*index, &mut |skill| {
                let view = SkillView::new(skill, self.tree);
                for (rule, severity) in &self.asked {
                    if let Check::Siblings { concerns, check } = rule.check
                        && concerns(&view)
                    {
                        tell(&view, check(&view, bundle), rule, *severity, &mut told);
                    }
                }
            });
            told
        });
        told.into_iter().flatten().collect()
    }

    /// Asks about all skills together.
    fn together(&self, bundle: &BundleView<'_>) -> Vec<Diagnostic> {
        let mut told = Vec::new();
        for (rule, severity) in &self.asked {
            if let Check::Bundle(check) | Check::Tree { above: check, .. } = rule.check {
                told.extend(stamped(check(bundle), rule, *severity));
            }
        }
        told
    }
}

/// Adds what a rule found in a skill.
fn tell(
    view: &SkillView<'_>,
    found: Vec<Diagnostic>,
    rule: &'static Rule,
    severity: Severity,
    told: &mut Vec<Diagnostic>,
) {
    for mut finding in stamped(found, rule, severity) {
        if rule.group != Group::File {
            view.without_guesswork(&mut finding);
        }
        told.push(view.placed(finding));
    }
}

fn stamped(mut found: Vec<Diagnostic>, rule: &Rule, severity: Severity) -> Vec<Diagnostic> {
    let rest = found.len().saturating_sub(MAX_FINDINGS);
    if rest > 0 && !matches!(rule.check, Check::Bundle(_)) {
        found.sort_by_key(|finding| finding.start.offset);
        found.truncate(MAX_FINDINGS);
        if let Some(last) = found.last_mut() {
            last.message = format!("{}, and {rest} more like it", last.message);
        }
    }
    for finding in &mut found {
        finding.rule = rule.id;
        finding.severity = severity;
    }
    found
}
