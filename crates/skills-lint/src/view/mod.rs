//! The data that rules see: one skill, the tree around it, all skills together.

pub(crate) mod address;
pub(crate) mod bundle;
pub(crate) mod finding;
pub(crate) mod form;
pub(crate) mod loss;
pub(crate) mod made;
pub(crate) mod markdown;
pub(crate) mod openai;
pub(crate) mod page;
pub(crate) mod parser_input;
pub(crate) mod references;
pub(crate) mod scope;
pub(crate) mod search;
pub(crate) mod secrets;
pub(crate) mod skill;
pub(crate) mod target;
pub(crate) mod tree;

use crate::view::tree::TreeView;
use skills_arguments::SchemaFile;
use skills_check::check::skill::schema_file;
use skills_format::OpenAiFile;
use skills_format::skill::file::SkillFile;
use skills_format::tree::{SkillFiles, TreeFile, join};

/// One skill of a checked tree.
#[derive(Clone, Debug)]
pub(crate) struct CheckedSkill<'t> {
    /// The folder of the skill, relative to the tree's root.
    pub(crate) dir: &'t str,
    /// The path of the `SKILL.md`, relative to the tree's root.
    pub(crate) entry: &'t str,
    /// The `SKILL.md`, as far as it can be read.
    pub(crate) file: SkillFile<'t>,
    /// The `arguments.schema.json`; `None` if the skill has no such file.
    pub(crate) arguments: Option<SchemaFile>,
    /// All files of the skill, the `SKILL.md` included.
    pub(crate) files: &'t [TreeFile],
}

/// The folder and the `SKILL.md` of a skill, relative to the tree's root.
#[derive(Clone, Copy)]
pub(crate) struct SkillPath<'t> {
    dir: &'t str,
    entry: &'t str,
}

impl<'t> From<&SkillFiles<'t>> for SkillPath<'t> {
    fn from(skill: &SkillFiles<'t>) -> Self {
        Self {
            dir: skill.dir,
            entry: &skill.file.path,
        }
    }
}

impl<'t> From<&CheckedSkill<'t>> for SkillPath<'t> {
    fn from(skill: &CheckedSkill<'t>) -> Self {
        Self {
            dir: skill.dir,
            entry: skill.entry,
        }
    }
}

impl<'t> CheckedSkill<'t> {
    pub(crate) fn new(
        tree: &TreeView<'_>,
        SkillPath { dir, entry }: SkillPath<'t>,
        files: &'t [TreeFile],
    ) -> Self {
        let (root, root_name) = (tree.root, tree.scope.root_name);
        let path = join(root, entry);
        let folder = match dir.rsplit('/').next() {
            None | Some("") if root_name.is_empty() => path.rsplit('/').nth(1).unwrap_or(root),
            None | Some("") => root_name,
            Some(folder) => folder,
        };
        let folder = folder.to_owned();
        let bytes = files.iter().find(|file| file.path == entry);
        let bytes = bytes.map(|file| &file.bytes);
        let bytes = bytes.and_then(Option::as_deref).unwrap_or_default();
        Self {
            dir,
            entry,
            file: SkillFile::read(path, folder, bytes)
                .with_openai(OpenAiFile::of_tree(root, dir, files)),
            arguments: schema_file(dir, files),
            files,
        }
    }
}
