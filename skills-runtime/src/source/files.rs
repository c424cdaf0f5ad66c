//! Reads the skills of files that the host handed over as bytes.

use crate::source::diagnostics::reading::{self, RootFile};
use crate::source::folder::{FolderSkill, FolderSkills};
use crate::source::memory::MemoryFiles;
use crate::source::options::How;
use crate::source::schema_file;
use crate::source::skill_file::parse;
use skills_format::text::path::PathText as _;
use skills_format::{
    ARGUMENTS_FILE, Diagnostic, FileKind, OPENAI_FILE, OpenAiFile, SkillFiles, Tree, TreeFile,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Sorts the files of a source. A path that is not inside of the source, and a second file of a path, are left out with an
/// error.
pub(crate) fn tree(
    root: &Path,
    files: &[(String, Vec<u8>)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Arc<Tree> {
    let mut tree = Tree::default();
    for (path, bytes) in files {
        let is_part = |part: &str| !matches!(part, "" | "." | "..");
        if !path.split('/').all(is_part) || path.contains(['\\', '\0']) {
            let message = "the path does not lead to a file of the source";
            diagnostics.push(reading::left_out(root, path, message));
            continue;
        }
        tree.files.push(TreeFile {
            path: path.clone(),
            utf8: true,
            kind: FileKind::Regular,
            size: bytes.len() as u64,
            bytes: Some(bytes.clone()),
        });
    }
    tree.files.sort_by(|a, b| a.path.cmp(&b.path));
    tree.files.dedup_by(|later, first| {
        let is_second = later.path == first.path;
        if is_second {
            let message = "two files have this path";
            diagnostics.push(reading::left_out(root, &later.path, message));
        }
        is_second
    });
    Arc::new(tree)
}

/// Reads the skills of a source. `root` is the folder or the address that the host names for it; nothing is read there.
pub(crate) fn read(
    root: &Path,
    is_address: bool,
    tree: &Arc<Tree>,
    how: How,
    diagnostics: &mut Vec<Diagnostic>,
) -> FolderSkills {
    let mut found = FolderSkills::default();
    let skills = tree.skills_of_any_case();
    // A skill at the root of the tree is the only one that the tree names.
    let below = match skills.as_slice() {
        [only] if only.dir.is_empty() => tree.skills_below(),
        _ => Vec::new(),
    };
    let folders: Vec<PathBuf> = below.iter().map(|files| files.dir.into()).collect();
    for files in skills.into_iter().chain(below) {
        let is_above = files.dir.is_empty() && !folders.is_empty();
        let path = &files.file.path;
        let memory = MemoryFiles {
            tree: Arc::clone(tree),
            dir: files.dir.into(),
            file_name: path.rsplit('/').next().unwrap_or(path).into(),
            inner: if is_above {
                folders.clone()
            } else {
                Vec::new()
            },
            is_address,
        };
        let (mut skill, findings) = read_skill(root, files, memory, how);
        if is_above {
            let fate = RootFile::of(skill.as_ref().map(|_| &*findings));
            if matches!(fate, RootFile::Unnamed) {
                skill = None;
            }
            diagnostics.push(reading::skill_above(&root.join(path), fate, &folders));
        }
        diagnostics.extend(findings);
        found.skills.extend(skill.map(Arc::new));
    }
    found.sort();
    found
}

fn read_skill(
    root: &Path,
    files: SkillFiles<'_>,
    memory: MemoryFiles,
    how: How,
) -> (Option<FolderSkill>, Vec<Diagnostic>) {
    let dir = match files.dir {
        "" => root.to_owned(),
        below => root.join(below),
    };
    let path = dir.join(&*memory.file_name);
    let bytes = files.file.bytes.as_deref().unwrap_or_default();
    let openai = memory.bytes(OPENAI_FILE);
    let openai = openai.map(|bytes| OpenAiFile::read(&dir.join(OPENAI_FILE).shown(), bytes));
    let (skill, mut findings) = parse(&path, &dir, bytes, true, how, openai);
    let Some(skill) = skill else {
        return (None, findings);
    };
    if let Some(bytes) = memory.bytes(ARGUMENTS_FILE) {
        findings.extend(schema_file::faults(&dir.join(ARGUMENTS_FILE), bytes));
    }
    let file_name = memory.file_name.clone();
    let mut skill = FolderSkill::new(&dir, &file_name, skill, None, findings.clone());
    skill.memory = Some(Box::new(memory));
    (Some(skill), findings)
}

#[cfg(test)]
mod tests {
    use crate::Catalog;
    use crate::error::ErrorKind;

    const GREET: &str =
        "---\nname: greet\ndescription: Greets. Use when someone arrives.\n---\nSay good day.\n";

    fn catalog(given: &[(&str, &str)]) -> Catalog {
        Catalog::builder()
            .files("project", given.iter().copied())
            .extracted("project", "/p/skills")
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
        assert!(loaded.diagnostics().is_empty());
        let greet = loaded.get("greet").unwrap();
        assert_eq!(greet.body().unwrap(), "Say good day.");
        assert_eq!(greet.folder(), Some("/p/skills/group/greet".as_ref()));
        assert_eq!(greet.files().unwrap().len(), 2);
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
        let greet = loaded.get("greet").unwrap();
        assert_eq!(greet.folder(), Some("/p/skills".as_ref()));
        let loaded = catalog(&[("a/SKILL.md", "no front matter"), ("b/SKILL.md", GREET)]);
        assert_eq!(loaded.iter().count(), 1);
        assert!(!loaded.diagnostics().is_empty());
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
        let ids: Vec<&str> = loaded.iter().map(|it| it.name()).collect();
        assert_eq!(ids, ["greet", "skills"]);
        let all = loaded.get("skills").unwrap();
        let resources: Vec<String> = all
            .files()
            .unwrap()
            .into_iter()
            .map(|it| it.path.into_owned())
            .collect();
        assert_eq!(resources, ["SKILL.md", ".hidden/SKILL.md", "notes/a.md"]);
        assert!(all.read("group/greet/notes.md").is_err());
        let found: Vec<String> = loaded
            .diagnostics()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            found,
            [
                "/p/skills/SKILL.md:1:1: warning[nested-skill]: it is loaded as a skill; the skills in its folder are read too: `group/greet`"
            ]
        );
        let loaded = catalog(&[("SKILL.md", "no front matter"), ("greet/SKILL.md", GREET)]);
        let ids: Vec<&str> = loaded.iter().map(|it| it.name()).collect();
        assert_eq!(ids, ["greet"]);
    }

    #[test]
    fn a_restraint_beside_the_skill_counts() {
        let policy = "policy:\n  allow_implicit_invocation: false\n";
        let loaded = catalog(&[
            ("greet/SKILL.md", GREET),
            ("greet/agents/openai.yaml", policy),
        ]);
        let greet = loaded.get("greet").unwrap();
        assert!(greet.fields().disable_model_invocation);
        assert!(greet.body().is_ok());
    }

    #[test]
    #[cfg(feature = "arguments")]
    fn a_fault_of_a_schema_has_its_place() {
        let loaded = catalog(&[
            ("greet/SKILL.md", GREET),
            ("greet/arguments.schema.json", "{\n\"type\": \"list\"}"),
        ]);
        assert!(loaded.get("greet").is_some());
        let told: Vec<String> = loaded
            .diagnostics()
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
        let loaded = Catalog::builder()
            .files("project", [("greet/SKILL.md", GREET)])
            .extracted("project", dir.path())
            .load();
        let greet = loaded.get("greet").unwrap();
        assert_eq!(greet.files().unwrap().len(), 1);
        assert!(greet.read("more.md").is_err());
    }

    #[test]
    fn a_source_without_a_folder_has_addresses() {
        let files = [("a/greet/SKILL.md", GREET), ("a/greet/x.md", "X")];
        let catalog = Catalog::builder().files("tenant", files).load();
        let greet = catalog.get("greet").unwrap();
        assert_eq!(greet.folder(), None);
        let place = greet.place();
        assert_eq!(place, "skill://tenant/greet/SKILL.md");
        assert!(greet.is_trusted());
    }

    #[test]
    fn paths_are_checked() {
        let odd = [
            "/a/SKILL.md",
            "../SKILL.md",
            "a/../b/SKILL.md",
            "a\\SKILL.md",
            "a//SKILL.md",
            "./SKILL.md",
            "",
        ];
        let files = odd.iter().map(|path| (*path, GREET));
        let files = files.chain([("greet/SKILL.md", GREET), ("greet/SKILL.md", "other")]);
        let loaded = Catalog::builder().files("tenant", files).load();
        assert_eq!(loaded.iter().count(), 1);
        assert_eq!(loaded.diagnostics().len(), odd.len() + 1);
        assert_eq!(
            loaded.get("greet").unwrap().body().unwrap(),
            "Say good day."
        );
    }

    #[test]
    fn untrusted_files_start_after_a_person_trusted_every_byte() {
        let files = |more: &str| {
            [
                ("greet/SKILL.md", GREET.to_owned()),
                ("greet/run.sh", more.to_owned()),
            ]
        };
        let load = |more: &str, records: Vec<crate::source::TrustRecord>| {
            let builder = Catalog::builder().files("mcp:acme", files(more));
            builder.namespaced().trusted(records).load()
        };
        let before = load("echo 1", Vec::new());
        assert!(before.get("greet").is_none());
        let greet = before.get("mcp:acme:greet").unwrap();
        assert_eq!(greet.activate("").unwrap_err().kind(), ErrorKind::Untrusted);
        let record = greet.trust_record().unwrap();
        let trusted = |more: &str| {
            let catalog = load(more, vec![record.clone()]);
            let greet = catalog.get("mcp:acme:greet").unwrap();
            (
                greet.is_trusted(),
                greet.has_changed(),
                greet.activate("").is_ok(),
            )
        };
        assert_eq!(trusted("echo 1"), (true, false, true));
        assert_eq!(trusted("echo 2"), (false, true, false));
    }
}
