//! What rules see of the tree that is checked.

use crate::view::finding::Finding;
use crate::view::scope::Scope;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::text::prose::Prose;
use skills_format::tree::limits::Limits;
use skills_format::tree::{SkillFiles, Tree, TreeFault, TreeFile, folders_above, join, place};

/// The tree that is checked, and where its skills stand.
pub(crate) struct TreeView<'a> {
    pub(crate) root: &'a str,
    /// Characters that the catalog text may have.
    pub(crate) budget: Option<usize>,
    /// The tools of the host, if they are listed.
    pub(crate) tools: Option<&'a [String]>,
    /// How large a skill and all skills may be.
    pub(crate) limits: Limits,
    /// What of the tree is checked.
    pub(crate) scope: Scope<'a>,
    tree: &'a Tree,
    /// In order of their folders.
    pub(crate) skills: Vec<SkillFiles<'a>>,
}

impl<'a> TreeView<'a> {
    pub(crate) fn new(
        root: &'a str,
        tree: &'a Tree,
        skills: Vec<SkillFiles<'a>>,
        budget: Option<usize>,
        tools: Option<&'a [String]>,
        limits: Limits,
        scope: Scope<'a>,
    ) -> Self {
        Self {
            root,
            budget,
            tools,
            limits,
            scope,
            tree,
            skills,
        }
    }

    /// Every file, in order of paths.
    pub(crate) fn files(&self) -> &'a [TreeFile] {
        &self.tree.files
    }

    /// What could not be read when the tree was.
    pub(crate) fn faults(&self) -> &'a [TreeFault] {
        &self.tree.faults
    }

    /// A file by its path.
    pub(crate) fn get(&self, path: &str) -> Option<&'a TreeFile> {
        self.tree.get(path)
    }

    /// The path in the tree of a path that is shown.
    pub(crate) fn inside<'p>(&self, path: &'p str) -> &'p str {
        match self.root.trim_end_matches('/') {
            "" | "." => path,
            root => path
                .strip_prefix(root)
                .map_or(path, |path| path.trim_start_matches('/')),
        }
    }

    /// The skill in whose folder a path of the tree lies.
    pub(crate) fn skill_at(&self, path: &str) -> Option<SkillFiles<'a>> {
        let index = folders_above(path)
            .chain([path])
            .find_map(|dir| place(&self.skills, dir).ok())?;
        self.skills.get(index).copied()
    }

    /// A path of the tree, as findings show it.
    pub(crate) fn shown(&self, path: &str) -> String {
        match join(self.root, path) {
            path if path.is_empty() => ".".to_owned(),
            path => path,
        }
    }

    /// A finding about the bundle.
    pub(crate) fn about_bundle(&self, rule: RuleId, message: impl Into<Prose>) -> Finding {
        Finding::new(rule, self.scope.dir, message)
    }
}
