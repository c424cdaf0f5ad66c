//! Reads the skills of files that the host handed over: for a host without a disk, such as a web page.

use crate::source::diagnostics::reading::{self, RootFile};
use crate::source::folder::{FolderSkill, FolderSkills, SkillFilePath};
use crate::source::memory::MemoryFiles;
use crate::source::schema_file;
use crate::source::skill_file::parse;
use skills_format::text::path::PathText as _;
use skills_format::{
    ARGUMENTS_FILE, Diagnostic, MissingName, OPENAI_FILE, OpenAiFile, RuleId, SkillFiles, Tree,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads the skills of a source. `root` is the folder that the host names for it; nothing is read there.
pub(crate) fn read(
    root: &Path,
    tree: &Arc<Tree>,
    missing_name: MissingName,
    diagnostics: &mut Vec<Diagnostic>,
) -> FolderSkills {
    let mut found = FolderSkills::default();
    let skills = tree.skills_of_any_case();
    // A skill at the root of the tree is the only one that the tree names.
    let inner = match skills.as_slice() {
        [only] if only.dir.is_empty() => tree.skills_below(),
        _ => Vec::new(),
    };
    let folders: Vec<PathBuf> = inner.iter().map(|files| files.dir.into()).collect();
    for files in skills.into_iter().chain(inner) {
        let own_inner = if files.dir.is_empty() {
            folders.clone()
        } else {
            Vec::new()
        };
        let is_above = !own_inner.is_empty();
        let (mut skill, findings) = read_skill(root, tree, files, own_inner, missing_name);
        if is_above {
            let fate = match &skill {
                None => RootFile::Faulty,
                Some(_) if findings.iter().any(|it| it.is(RuleId::NameMissing)) => {
                    RootFile::Unnamed
                }
                Some(_) => RootFile::Loaded,
            };
            if matches!(fate, RootFile::Unnamed) {
                skill = None;
            }
            let path = root.join(&files.file.path);
            diagnostics.push(reading::skill_above(&path, fate, &folders));
        }
        diagnostics.extend(findings);
        found.skills.extend(skill.map(Arc::new));
    }
    found.sort();
    found
}

fn read_skill(
    root: &Path,
    tree: &Arc<Tree>,
    files: SkillFiles<'_>,
    inner: Vec<PathBuf>,
    missing_name: MissingName,
) -> (Option<FolderSkill>, Vec<Diagnostic>) {
    let memory = MemoryFiles::new(tree, files, inner);
    let dir = match files.dir {
        "" => root.to_owned(),
        below => root.join(below),
    };
    let path = dir.join(memory.file_name());
    let bytes = files.file.bytes.as_deref().unwrap_or_default();
    let openai = memory.bytes(OPENAI_FILE);
    let openai = openai.map(|bytes| OpenAiFile::read(&dir.join(OPENAI_FILE).shown(), bytes));
    let (skill, mut findings) = parse(&path, &dir, bytes, missing_name, openai);
    if skill.is_some()
        && let Some(bytes) = memory.bytes(ARGUMENTS_FILE)
    {
        findings.extend(schema_file::faults(&dir.join(ARGUMENTS_FILE), bytes));
    }
    let skill = skill.map(|skill| {
        let path = SkillFilePath {
            dir: &dir,
            file_name: memory.file_name(),
            root: 0,
        };
        FolderSkill::new(path, skill, None, findings.clone()).in_memory(memory.clone())
    });
    (skill, findings)
}

#[cfg(test)]
mod tests {
    use crate::error::ErrorKind;
    use crate::{Catalog, Loaded};
    use skills_format::{FileKind, Tree, TreeFile};
    use std::sync::Arc;

    const GREET: &str =
        "---\nname: greet\ndescription: Greets. Use when someone arrives.\n---\nSay good day.\n";

    /// Makes a tree of files, whose paths are sorted.
    fn files(files: &[(&str, &str)]) -> Arc<Tree> {
        let files = files.iter().map(|(path, text)| TreeFile {
            path: (*path).to_owned(),
            utf8: true,
            kind: FileKind::Regular,
            size: text.len() as u64,
            bytes: Some(text.as_bytes().to_vec()),
        });
        Arc::new(Tree {
            files: files.collect(),
            ..Tree::default()
        })
    }

    fn catalog(given: &[(&str, &str)]) -> Loaded {
        Catalog::builder()
            .memory("project", "/p/skills", files(given))
            .load()
    }

    #[test]
    fn a_skill_without_a_disk_is_a_skill() {
        let loaded = catalog(&[
            ("group/README.md", "Not a skill."),
            ("group/greet/SKILL.md", GREET),
            ("group/greet/notes/a.md", "A."),
            ("group/greet/triggers.yaml", "- x"),
        ]);
        assert!(loaded.diagnostics.is_empty());
        let greet = loaded.catalog.get("greet").unwrap();
        assert_eq!(greet.body().unwrap(), "Say good day.");
        assert_eq!(greet.folder(), Some("/p/skills/group/greet".as_ref()));
        let resources = greet.resources().unwrap();
        assert_eq!(resources.len(), 1);
        assert_eq!(greet.read("notes/a.md").unwrap(), b"A.".as_slice());
        assert_eq!(greet.read("skill.md").unwrap(), GREET.as_bytes());
        for path in ["../README.md", "notes", "no.md"] {
            let error = greet.read(path).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotFound, "{path}");
        }
    }

    #[test]
    fn the_root_can_be_the_skill_and_what_is_no_skill_is_reported() {
        let loaded = catalog(&[("SKILL.md", GREET)]);
        let greet = loaded.catalog.get("greet").unwrap();
        assert_eq!(greet.folder(), Some("/p/skills".as_ref()));
        let loaded = catalog(&[("a/SKILL.md", "no front matter"), ("b/SKILL.md", GREET)]);
        assert_eq!(loaded.catalog.len(), 1);
        assert!(!loaded.diagnostics.is_empty());
    }

    #[test]
    fn a_skill_at_the_root_hides_nothing() {
        let loaded = catalog(&[
            (".hidden/SKILL.md", GREET),
            (
                "SKILL.md",
                "---\nname: skills\ndescription: Holds all.\n---\nAll.\n",
            ),
            ("group/greet/SKILL.md", GREET),
            ("group/greet/inner/SKILL.md", GREET),
            ("group/greet/notes.md", "N."),
            ("notes/a.md", "A."),
        ]);
        let ids: Vec<&str> = loaded.catalog.iter().map(|it| it.name()).collect();
        assert_eq!(ids, ["greet", "skills"]);
        let all = loaded.catalog.get("skills").unwrap();
        let resources: Vec<String> = all
            .resources()
            .unwrap()
            .into_iter()
            .map(|it| it.path)
            .collect();
        assert_eq!(resources, [".hidden/SKILL.md", "notes/a.md"]);
        assert!(all.read("group/greet/notes.md").is_err());
        let found: Vec<String> = loaded.diagnostics.iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "/p/skills/SKILL.md:1:1: warning[nested-skill]: it is loaded as a skill; the skills in its folder are read too: `group/greet`"
            ]
        );
        let loaded = catalog(&[("SKILL.md", "no front matter"), ("greet/SKILL.md", GREET)]);
        let ids: Vec<&str> = loaded.catalog.iter().map(|it| it.name()).collect();
        assert_eq!(ids, ["greet"]);
    }

    #[test]
    fn a_restraint_beside_the_skill_counts() {
        let policy = "policy:\n  allow_implicit_invocation: false\n";
        let loaded = catalog(&[
            ("greet/SKILL.md", GREET),
            ("greet/agents/openai.yaml", policy),
        ]);
        let greet = loaded.catalog.get("greet").unwrap();
        assert!(!greet.is_model_invocable());
        assert!(greet.body().is_ok());
    }

    #[test]
    fn a_fault_of_a_schema_has_its_place() {
        let loaded = catalog(&[
            ("greet/SKILL.md", GREET),
            ("greet/arguments.schema.json", "{\n\"type\": \"list\"}"),
        ]);
        assert!(loaded.catalog.get("greet").is_some());
        let told: Vec<String> = loaded
            .diagnostics
            .iter()
            .map(|it| format!("{it:#}"))
            .collect();
        assert_eq!(
            told,
            [
                "/p/skills/greet/arguments.schema.json:1:1: warning[schema-form]: the schema has no `properties`; the skill \
                 does not start\n help: write `\"properties\": {\"NAME\": {\"type\": \"string\"}}`",
                "/p/skills/greet/arguments.schema.json:2:9: warning[schema-form]: the schema is not of an object\n \
                 help: write `\"type\": \"object\"`",
            ]
        );
    }

    /// A folder of the same path on a disk is never read in place of the files.
    #[test]
    fn the_disk_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("greet")).unwrap();
        std::fs::write(dir.path().join("greet/SKILL.md"), GREET).unwrap();
        std::fs::write(dir.path().join("greet/more.md"), "M").unwrap();
        let given = files(&[("greet/SKILL.md", GREET)]);
        let loaded = Catalog::builder()
            .memory("project", dir.path(), given)
            .load();
        let greet = loaded.catalog.get("greet").unwrap();
        assert!(greet.resources().unwrap().is_empty());
        assert!(greet.read("more.md").is_err());
    }
}
