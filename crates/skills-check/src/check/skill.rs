//! One skill as a check sees it, and the faults that a check finds.

use crate::config::Config;
#[cfg(feature = "arguments")]
use skills_arguments::SchemaFile;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Edit, Fix};
use skills_format::skill::file::{Skill, SkillFile};
use skills_format::skill::openai::OpenAiFile;
use skills_format::text::prose::Prose;
use skills_format::text::span::Span;
use skills_format::tree::{SkillFiles, Tree, TreeFile, join};

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
    /// What writes it.
    pub fix: Option<Fix>,
}

impl Fault {
    pub(super) fn new(
        rule: RuleId,
        span: Span,
        message: impl Into<Prose>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            rule,
            span: Some(span),
            message: message.into(),
            help: help.into(),
            fix: None,
        }
    }

    /// Adds the edit that guesses what was meant.
    pub(super) fn guess(mut self, edit: Option<Edit>) -> Self {
        self.fix = edit.map(|edit| Fix::guess(vec![edit]));
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
    #[cfg(feature = "arguments")]
    pub arguments: Option<SchemaFile>,
    /// The skill, if strict reading accepts it.
    pub skill: Option<Skill>,
}

/// What a check of one skill sees of the others.
#[derive(Clone, Copy)]
pub(super) struct Bundle<'b> {
    pub(super) root: &'b str,
    pub(super) tree: &'b Tree,
    pub(super) skills: &'b [CheckedSkill<'b>],
    pub(super) config: &'b Config,
}

impl<'t> CheckedSkill<'t> {
    pub(super) fn read(root: &str, skill: &SkillFiles<'t>) -> Self {
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
        Self {
            dir,
            files,
            file,
            #[cfg(feature = "arguments")]
            arguments: schema_file(dir, files),
            skill,
        }
    }
}

/// Reads the `arguments.schema.json` of a skill.
#[cfg(feature = "arguments")]
pub fn schema_file(dir: &str, files: &[TreeFile]) -> Option<SchemaFile> {
    let path = join(dir, skills_format::ARGUMENTS_FILE);
    let file = files.iter().find(|file| file.path == path)?;
    Some(match &file.bytes {
        Some(bytes) => SchemaFile::read(bytes),
        None if file.kind != skills_format::FileKind::Regular => {
            SchemaFile::unreadable("it is not a regular file")
        }
        None if file.size > skills_format::MAX_ARGUMENTS_FILE => SchemaFile::too_large(file.size),
        None => SchemaFile::unreadable("the file cannot be read"),
    })
}
