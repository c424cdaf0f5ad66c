//! A summary of every skill in a tree, for rules that compare skills.

use crate::view::CheckedSkill;
use crate::view::finding::Finding;
use crate::view::skill::SkillView;
use crate::view::tree::TreeView;
use skills_check::check::files::aliases;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::diagnostic::{Diagnostic, Related, Severity};
use skills_format::name::{SkillName, nfc};
use skills_format::text::prose::Prose;
use skills_format::text::span::{Lines, Span};
use skills_format::text::tokens::estimate_quarter_tokens;
use skills_format::tree::TreeFault;
use skills_format::yaml::node::Node;

/// A function that reads the skill at an index in order of folders, calls a function with the skill, and returns
/// the faults of reading.
pub(crate) type Read<'r> =
    dyn Fn(usize, &mut dyn FnMut(&CheckedSkill<'_>)) -> Vec<TreeFault> + Sync + 'r;

/// The skills of a tree together.
pub(crate) struct BundleView<'a> {
    pub(crate) tree: &'a TreeView<'a>,
    read: &'a Read<'a>,
    /// The skills, in order of folders.
    pub(crate) skills: &'a [Gist],
    /// The parts of the tree that could not be read.
    pub(crate) faults: &'a [TreeFault],
    /// The valid names and the skills that have them, in order of names, then of folders.
    pub(crate) names: Vec<(&'a str, usize)>,
    /// Every valid name and alias, sorted.
    answers: Vec<&'a str>,
}

/// The facts of a skill that are kept while other skills are read.
#[derive(Clone, Default)]
pub(crate) struct Gist {
    /// The valid name and its place.
    pub(crate) name: Option<(String, Span)>,
    pub(crate) aliases: Vec<(String, Span)>,
    /// True if a person may start the skill by a slash command.
    pub(crate) is_command: bool,
    /// True if the model may not start the skill.
    pub(crate) is_closed: bool,
    /// The size of the skill's line in the catalog text, if the skill has a line.
    pub(crate) line: Option<Size>,
    /// True if the skill is checked. Otherwise only its name counts.
    pub(crate) is_asked: bool,
    /// The bytes that the skill adds to its bundle.
    pub(crate) bytes: u64,
}

/// The length of a text.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) characters: usize,
    pub(crate) quarter_tokens: usize,
}

impl<'a> BundleView<'a> {
    pub(crate) fn new(
        tree: &'a TreeView<'a>,
        read: &'a Read<'a>,
        skills: &'a [Gist],
        faults: &'a [TreeFault],
    ) -> Self {
        let all = skills.iter().enumerate();
        let mut names: Vec<(&str, usize)> = all
            .filter_map(|(index, skill)| Some((skill.name.as_ref()?.0.as_str(), index)))
            .collect();
        names.sort_by_key(|(name, _)| *name);
        let aliases = skills.iter().flat_map(|skill| &skill.aliases);
        let mut answers: Vec<&str> = aliases
            .map(|(alias, _)| alias.as_str())
            .chain(names.iter().map(|(name, _)| *name))
            .collect();
        answers.sort_unstable();
        answers.dedup();
        Self {
            tree,
            read,
            skills,
            faults,
            names,
            answers,
        }
    }

    /// Returns the skills of a name, in order of folders.
    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = usize> {
        let start = self.names.partition_point(|(known, _)| *known < name);
        let rest = self.names.get(start..).unwrap_or_default();
        let same = rest.iter().take_while(move |(known, _)| *known == name);
        same.map(|(_, index)| *index)
    }

    /// Returns the place of the name of a skill.
    pub(crate) fn place_of_name(&self, skill: usize) -> Option<Span> {
        Some(self.skills.get(skill)?.name.as_ref()?.1)
    }

    /// Returns whether a skill has this name or alias.
    pub(crate) fn answers_to(&self, id: &str) -> bool {
        self.answers.binary_search(&id).is_ok()
    }

    /// Returns whether two skills have the same files with the same bytes. Reads both skills again.
    pub(crate) fn are_equal(&self, first: usize, second: usize) -> bool {
        let files = |skill: usize| {
            let mut files: Vec<(String, Option<Vec<u8>>)> = Vec::new();
            let _ = (self.read)(skill, &mut |read| {
                files = read
                    .files
                    .iter()
                    .map(|file| {
                        let path = file.path.strip_prefix(read.dir).unwrap_or(&file.path);
                        (path.to_owned(), file.bytes.clone())
                    })
                    .collect();
            });
            files
        };
        let first = files(first);
        // A file whose bytes are not known can differ.
        !first.is_empty()
            && first.iter().all(|(_, bytes)| bytes.is_some())
            && first == files(second)
    }

    /// Returns whether a finding is about a checked skill, or about no skill.
    pub(crate) fn is_asked(&self, finding: &Finding) -> bool {
        match self.tree.skill_at(&finding.path) {
            Some(skill) => (self.tree.scope.asked)(skill.dir),
            None => true,
        }
    }

    /// Returns the path of a skill's `SKILL.md` for findings.
    pub(crate) fn path(&self, skill: usize) -> String {
        self.tree.shown(self.entry(skill))
    }

    fn entry(&self, skill: usize) -> &str {
        let skill = self.tree.skills.get(skill);
        skill.map_or("", |skill| skill.file.path.as_str())
    }

    /// Creates a finding at a place of a `SKILL.md`.
    pub(crate) fn at(
        &self,
        rule: RuleId,
        skill: usize,
        span: Span,
        message: impl Into<Prose>,
    ) -> Finding {
        Finding::new(rule, self.entry(skill), message).at(span)
    }

    /// Turns a finding into a diagnostic. A `SKILL.md` is read again for its line numbers.
    pub(crate) fn placed(&self, finding: &Finding, severity: Severity) -> Diagnostic {
        let path = self.tree.shown(&finding.path);
        let mut placed = finding.clone().placed(path.clone(), severity, None);
        let skills = &self.tree.skills;
        let skill = skills.iter().position(|it| it.file.path == finding.path);
        if let Some(skill) = skill.filter(|_| finding.span.is_some()) {
            (self.read)(skill, &mut |read| {
                let lines = Lines::new(read.file.bytes);
                placed = finding.clone().placed(path.clone(), severity, Some(&lines));
            });
        }
        placed.related = finding.beside.map(|(other, span)| {
            let path = self.tree.shown(self.entry(other));
            Box::new(Related::new(path, span))
        });
        placed
    }
}

impl Gist {
    pub(crate) fn of(view: &SkillView<'_>) -> Self {
        let skill = view.skill;
        let fields = match &skill.file.front_matter {
            Some(Ok(fields)) => Some(fields),
            _ => None,
        };
        let is_closed = view
            .closed_by()
            .iter()
            .any(|spelling| spelling.is_for_model());
        let is_command = view
            .closed_by()
            .iter()
            .all(|spelling| spelling.is_for_model());
        let name = fields.and_then(name);
        let line = |fields: &Node| {
            let description = fields.get("description")?.as_str()?.trim();
            Size::of_line(fields.get("name")?.as_str()?, description)
        };
        Self {
            is_asked: (view.tree.scope.asked)(skill.dir),
            is_command,
            is_closed,
            line: fields.filter(|_| !is_closed).and_then(line),
            aliases: fields.map(aliases).unwrap_or_default(),
            bytes: view.tree.limits.counted(skill.files),
            name,
        }
    }
}

impl Size {
    /// Returns the length of `- name: description` and its line end, if the name is valid.
    fn of_line(name: &str, description: &str) -> Option<Self> {
        let name = SkillName::new(name).ok()?;
        let around = "- : \n".len();
        Some(Self {
            characters: around + name.as_str().chars().count() + description.chars().count(),
            quarter_tokens: around
                + estimate_quarter_tokens(name.as_str())
                + estimate_quarter_tokens(description),
        })
    }
}

fn name(fields: &Node) -> Option<(String, Span)> {
    let node = fields.get("name")?;
    let name = SkillName::new(&nfc(node.as_str()?)).ok()?;
    Some((name.into_string(), node.span))
}
