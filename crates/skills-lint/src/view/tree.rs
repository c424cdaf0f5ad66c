//! The data of the checked tree that rules see.

use crate::client::Behaviours;
use crate::view::finding::Finding;
use crate::view::scope::Scope;
use skills_check::Config;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::prose::Prose;
use skills_format::tree::limits::Limits;
use skills_format::tree::{SkillFiles, Tree, TreeFault, TreeFile, folders_above, join, place};

/// The maximum number of files of a skill that the check of a repository reads.
const MAX_FILES_READ: usize = 10_000;

/// Returns the limits within which the check of a repository reads a skill. More files than a build takes are a warning
/// there, and a warning must not leave the rest of the skill unchecked.
pub fn limits_in_repository(limits: Limits) -> Limits {
    Limits {
        skill_files: limits.skill_files.max(MAX_FILES_READ),
        skill_bytes: limits.skill_bytes.max(Limits::default().bundle_bytes),
        ..limits
    }
}

/// The checked tree, and its skills.
pub(crate) struct TreeView<'a> {
    pub(crate) root: &'a str,
    /// The maximum length of the catalog text, in characters.
    pub(crate) budget: Option<usize>,
    /// The tools of the host, if they are listed.
    pub(crate) tools: Option<&'a [String]>,
    /// The size limits of a skill and of all skills together.
    pub(crate) limits: Limits,
    /// The part of the tree that is checked.
    pub(crate) scope: Scope<'a>,
    /// The options of the bundle.
    pub(crate) options: &'a Config,
    tree: &'a Tree,
    /// What the asked clients do with a skill whose folder is no client's. Most skills lie in such a folder.
    pub(crate) behaviours: Behaviours<'a>,
    /// The skills, in order of their folders.
    pub(crate) skills: Vec<SkillFiles<'a>>,
}

impl<'a> TreeView<'a> {
    pub(crate) fn new(
        root: &'a str,
        tree: &'a Tree,
        skills: Vec<SkillFiles<'a>>,
        scope: Scope<'a>,
        options: &'a Config,
    ) -> Self {
        Self {
            options,
            root,
            budget: options.budget,
            tools: options.tools.as_deref(),
            limits: options.limits,
            scope,
            tree,
            behaviours: scope.clients.about(""),
            skills,
        }
    }

    /// Returns the limits within which a skill is read.
    pub(crate) fn limits_of_reading(&self) -> Limits {
        match self.scope.around {
            Some(_) => limits_in_repository(self.limits),
            None => self.limits,
        }
    }

    /// Returns every file, in order of paths.
    pub(crate) fn files(&self) -> &'a [TreeFile] {
        &self.tree.files
    }

    /// Returns the parts that could not be read when the tree was listed.
    pub(crate) fn faults(&self) -> &'a [TreeFault] {
        &self.tree.faults
    }

    /// Returns a file by its path.
    pub(crate) fn get(&self, path: &str) -> Option<&'a TreeFile> {
        self.tree.get(path)
    }

    /// Returns the path in the tree of a finding's path.
    pub(crate) fn inside<'p>(&self, path: &'p str) -> &'p str {
        match self.root.trim_end_matches('/') {
            "" | "." => path,
            root => path
                .strip_prefix(root)
                .map_or(path, |path| path.trim_start_matches('/')),
        }
    }

    /// Returns the skill whose folder holds a path of the tree.
    pub(crate) fn skill_at(&self, path: &str) -> Option<SkillFiles<'a>> {
        let index = folders_above(path)
            .chain([path])
            .find_map(|dir| place(&self.skills, dir).ok())?;
        self.skills.get(index).copied()
    }

    /// Returns a path of the tree in the form for findings.
    pub(crate) fn shown(&self, path: &str) -> String {
        match join(self.root, path) {
            path if path.is_empty() => ".".to_owned(),
            path => path,
        }
    }

    /// Creates a finding about the bundle.
    pub(crate) fn about_bundle(&self, rule: RuleId, message: impl Into<Prose>) -> Finding {
        Finding::new(rule, self.scope.dir, message)
    }
}
