//! What makes a folder of skills wrong to ship: the errors of a build.
//!
//! `include_skills!` and build scripts stop at these errors, each at its file and place, all in one build. `skills check`
//! reports them too, and adds advice. A check here never guesses: what it reports, no level of advice changes.

pub mod allow;
pub mod fields;
pub mod files;
pub mod links;

use skills_format::arguments::{ARGUMENTS_FILE, MAX_ARGUMENTS_FILE, SchemaFile};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Severity};
use skills_format::skill::file::{Skill, SkillFile};
use skills_format::skill::openai::OpenAiFile;
use skills_format::text::prose::Prose;
use skills_format::text::span::Span;
use skills_format::tree::{FileKind, SKILL_FILE, SkillFiles, Tree, TreeFile, join};

use crate::check::allow::Suppressions;
use crate::check::fields::{FrontMatterView, fields};
use crate::config::Config;
use crate::config::level::Level;

/// One fault of a text: its place, the fact, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The id of the finding.
    pub rule: RuleId,
    /// The bytes of the file. `None`: the whole file.
    pub span: Option<Span>,
    /// The fact.
    pub message: Prose,
    /// What to write instead.
    pub help: String,
    /// The new value of the field, if the help names one.
    pub instead: Option<String>,
}

impl Fault {
    fn new(rule: RuleId, span: Span, message: impl Into<Prose>, help: impl Into<String>) -> Self {
        Self {
            rule,
            span: Some(span),
            message: message.into(),
            help: help.into(),
            instead: None,
        }
    }

    /// Adds the new value of the field.
    fn write(mut self, value: impl Into<String>) -> Self {
        self.instead = Some(value.into());
        self
    }
}

/// One skill of a checked folder.
#[derive(Clone, Debug)]
pub struct CheckedSkill<'t> {
    /// The folder of the skill, relative to the tree's root; empty if the root is the skill.
    pub dir: &'t str,
    /// All files of the skill, the `SKILL.md` included.
    pub files: &'t [TreeFile],
    /// The `SKILL.md`, as far as it can be read.
    pub file: SkillFile<'t>,
    /// The `arguments.schema.json`; `None` if the skill has no such file.
    pub arguments: Option<SchemaFile>,
    /// The skill, if strict reading accepts it.
    pub skill: Option<Skill>,
}

/// The result of [`check`].
#[derive(Clone, Debug)]
pub struct Checked<'t> {
    /// Every skill of the tree, valid or not, in order of folders.
    pub skills: Vec<CheckedSkill<'t>>,
    /// The errors, in the order of [`Diagnostic::sort`].
    pub diagnostics: Vec<Diagnostic>,
}

/// What a check of one skill sees of the others.
#[derive(Clone, Copy)]
struct Bundle<'b> {
    root: &'b str,
    tree: &'b Tree,
    skills: &'b [CheckedSkill<'b>],
    config: &'b Config,
}

/// Checks a tree that holds the bytes of its files. `root` is the path before every path of the tree for display, such as
/// `skills`. If the root itself is a skill, the last part of `root` is the name of the skill's folder.
///
/// A finding whose rule has another level than `deny` in the options is not reported, except that two skills have one name.
///
/// # Cost
///
/// Parses every `SKILL.md` once, and follows the links of its body. Performs no I/O.
pub fn check<'t>(root: &str, tree: &'t Tree, config: &Config) -> Checked<'t> {
    let limits = config.limits;
    let skills: Vec<_> = tree
        .skills()
        .iter()
        .map(|files| read(root, files))
        .collect();
    let mut found = files::of_tree(root, tree, limits, &skills);
    let bundle = Bundle {
        root,
        tree,
        skills: &skills,
        config,
    };
    for skill in skills.iter().filter(|skill| limits.hold(skill.files)) {
        let entry = join(skill.dir, SKILL_FILE);
        let faults = of_skill(skill)
            .into_iter()
            .chain(links::faults(&bundle, skill));
        found.extend(faults.map(|fault| placed(root, tree, &entry, fault)));
        let schema = join(skill.dir, ARGUMENTS_FILE);
        for fault in skill.arguments.iter().flat_map(|file| &file.faults) {
            let fault = Fault {
                rule: fault.rule,
                span: fault.span,
                message: fault.message.clone().into(),
                help: fault.help.clone(),
                instead: None,
            };
            found.push(placed(root, tree, &schema, fault));
        }
    }
    if config.honours_comments {
        suppress(root, &skills, &mut found);
    }
    let default = |_: RuleId| Some(Level::Deny);
    let is_kept = |found: &Diagnostic| {
        found.is(RuleId::DuplicateName)
            || config.severity(&(found.rule, Level::Deny)) == Some(Severity::Error)
    };
    found.retain(is_kept);
    config.refine(&mut found, &default);
    found.retain(|found| found.severity == Severity::Error);
    Diagnostic::sort(&mut found);
    Checked {
        skills,
        diagnostics: found,
    }
}

/// Removes the findings that a comment of their `SKILL.md` allows.
fn suppress(root: &str, skills: &[CheckedSkill<'_>], found: &mut Vec<Diagnostic>) {
    for skill in skills {
        let Some(Ok(document)) = &skill.file.document else {
            continue;
        };
        let comments = Suppressions::read(document.text, document.body);
        let entry = join(root, &join(skill.dir, SKILL_FILE));
        found.retain(|found| found.path != entry || !comments.hold(found));
    }
}

/// Returns the faults of a `SKILL.md`, without those of its links.
fn of_skill(skill: &CheckedSkill<'_>) -> Vec<Fault> {
    let Some(entry) = skill.files.iter().find(|file| is_entry(file, skill.dir)) else {
        return Vec::new();
    };
    // `files` reports what is not a file, and what was not read.
    if entry.kind != FileKind::Regular || entry.bytes.is_none() {
        return Vec::new();
    }
    let mut found = fields::text(&skill.file);
    if let Some(view) = FrontMatterView::of(&skill.file) {
        found.extend(view.syntax());
        found.extend(fields(&view));
    }
    found
}

fn is_entry(file: &TreeFile, dir: &str) -> bool {
    file.path == join(dir, SKILL_FILE)
}

/// Makes the diagnostic of a fault in a file of the tree.
fn placed(root: &str, tree: &Tree, path: &str, fault: Fault) -> Diagnostic {
    let found = Diagnostic::new(fault.rule, Severity::Error, join(root, path), fault.message);
    let found = found.help(fault.help);
    let bytes = tree.get(path).and_then(|file| file.bytes.as_deref());
    match (fault.span, bytes) {
        (Some(span), Some(bytes)) => found.at(bytes, span),
        _ => found,
    }
}

fn read<'t>(root: &str, skill: &SkillFiles<'t>) -> CheckedSkill<'t> {
    let SkillFiles {
        dir, file, files, ..
    } = *skill;
    let path = join(root, &file.path);
    let folder = match dir.rsplit('/').next() {
        None | Some("") => path.rsplit('/').nth(1).unwrap_or(root).to_owned(),
        Some(folder) => folder.to_owned(),
    };
    let bytes = file.bytes.as_deref().unwrap_or_default();
    let openai = OpenAiFile::of_tree(root, dir, files);
    let file = SkillFile::read(path, folder, bytes).with_openai(openai);
    let skill = file.strict();
    let schema = files
        .iter()
        .find(|file| file.path == join(dir, ARGUMENTS_FILE));
    let arguments = schema.map(|file| match &file.bytes {
        Some(bytes) => SchemaFile::read(bytes),
        None if file.kind != FileKind::Regular => {
            SchemaFile::unreadable("it is not a regular file")
        }
        None if file.size > MAX_ARGUMENTS_FILE => SchemaFile::too_large(file.size),
        None => SchemaFile::unreadable("the file cannot be read"),
    });
    CheckedSkill {
        dir,
        files,
        file,
        arguments,
        skill,
    }
}
