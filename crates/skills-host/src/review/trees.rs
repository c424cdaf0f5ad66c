//! Whole trees: what is changed anywhere is found, and the steps grow as the tree does.

use crate::files::snapshot::FileBytes;
use crate::git::{Git, Quiet};
use crate::review::changes::{Changes, compare};
use crate::review::files::ChangedKind;
use crate::review::item::{Item, ItemKind};
use crate::review::leads::Leads;
use crate::review::outside::{Entries, Entry, Tree};
use crate::review::side::{Files, Side};
use crate::review::tests::{STEPS, git_with, is_linear};
use crate::review::{Revision, of_revision, others};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use skills_format::join;
use skills_store::Error;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::Path;

/// A tree in memory. What is listed costs a step a file, as elsewhere.
#[derive(Default)]
struct Memory {
    files: Files,
    links: BTreeMap<String, String>,
    entries: OnceCell<Entries>,
}

impl Tree for Memory {
    fn is_file(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    fn entry(&self, folder: &str, name: &str) -> Option<Entry> {
        let items = || {
            let files = self.files.keys().map(|path| (path.clone(), None));
            let links = self.links.iter();
            files.chain(links.map(|(path, to)| (path.clone(), Some(to.clone()))))
        };
        let entries = self.entries.get_or_init(|| Entries::of(items()));
        entries.find(folder, name, Vec::new)
    }

    fn below(&self, folder: &str) -> Result<Vec<String>, Error> {
        let below = match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        let files = self.files.range(below.clone()..).map(|(path, _)| path);
        let files = files.take_while(|path| path.starts_with(&below));
        let files = files.inspect(|_| super::step(1));
        Ok(files.cloned().collect())
    }

    fn read(&self, paths: &[Vec<u8>]) -> Result<Vec<FileBytes>, Error> {
        super::step(paths.len());
        let file = |path: &Vec<u8>| self.files[std::str::from_utf8(path).unwrap()].clone();
        Ok(paths.iter().map(file).collect())
    }
}

impl Memory {
    fn file(&mut self, path: &str, text: &str) {
        let file = FileBytes::new(text.as_bytes().to_vec(), false);
        self.files.insert(path.to_owned(), file);
    }

    fn side(&self) -> Side {
        self.read_side().unwrap()
    }

    fn read_side(&self) -> Result<Side, Error> {
        let item = |path: &String, kind| Item {
            path: path.clone().into_bytes(),
            kind,
        };
        let executable = false;
        let files = self.files.keys();
        let files = files.map(|path| item(path, ItemKind::File { executable }));
        let links = self.links.keys().map(|path| item(path, ItemKind::Link));
        let items: Vec<Item> = files.chain(links).collect();
        let leads = self.links.iter();
        let leads = leads.map(|(path, to)| (path.clone(), Leads::To(to.clone())));
        Side::of_items(&items, leads.collect(), self, "", Files::new(), &|_| false)
    }
}

/// Asserts that the steps grow as the tree does. `fill` makes a tree of a size, and a version.
fn grows(what: &str, fill: impl Fn(&mut Memory, usize, &str)) {
    is_linear(what, |size| {
        let [old, new] = ["old", "new"].map(|version| {
            let mut tree = Memory::default();
            let front = "---\nname: x\ndescription: Does x.\n---\n\n";
            tree.file("x/SKILL.md", &format!("{front}{version}.\n"));
            fill(&mut tree, size, version);
            tree.side()
        });
        compare(&old, &new)
    });
}

#[test]
fn steps_are_linear_in_trees() {
    grows("files that a skill names", |tree, size, version| {
        let names: Vec<String> = (0..size).map(|n| format!("../f{n}.sh\n")).collect();
        tree.file("x/a.md", &names.concat());
        for n in 0..size {
            tree.file(&format!("f{n}.sh"), version);
        }
    });
    grows("texts that AGENTS.md names", |tree, size, version| {
        let names: Vec<String> = (0..size).map(|n| format!("docs/{n}.md\n")).collect();
        tree.file("AGENTS.md", &names.concat());
        for n in 0..size {
            tree.file(&format!("docs/{n}.md"), version);
        }
    });
    grows("a chain of imports", |tree, size, version| {
        let first: Vec<String> = (0..size).step_by(50).map(|n| format!("@{n}.md ")).collect();
        tree.file("CLAUDE.md", &first.concat());
        for n in 0..size {
            tree.file(&format!("{n}.md"), &format!("{version} @{}.md", n + 1));
        }
    });
    grows("a chain of hooks", |tree, size, version| {
        let first = (0..size).step_by(50).map(|n| format!("./{n}.sh "));
        tree.file("hooks/hooks.json", &first.collect::<String>());
        let next = |n: usize| format!("{version}\n./{}.sh", n + 1);
        for n in 0..size {
            tree.file(&format!("{n}.sh"), &next(n));
        }
    });
    grows("links of a client", |tree, size, version| {
        for n in 0..size {
            let link = format!(".claude/commands/{n}.md");
            tree.links.insert(link, format!("../../c/{n}.md"));
            tree.file(&format!("c/{n}.md"), version);
        }
    });
    grows("links to one folder", |tree, size, version| {
        for n in 0..size {
            tree.links
                .insert(format!(".claude/l{n}"), "../c".to_owned());
            tree.file(&format!("c/{n}.md"), version);
        }
    });
    grows("a chain of links", |tree, size, version| {
        for n in 0..size {
            tree.links.insert(format!("x/{n}"), (n + 1).to_string());
        }
        tree.file(&format!("x/{size}"), version);
    });
    grows("plugins", |tree, size, version| {
        for n in 0..size {
            tree.file(&format!("p{n}/.claude-plugin/plugin.json"), "{}");
            tree.file(&format!("p{n}/README.md"), version);
        }
    });
    grows("skills of a lock", |tree, size, version| {
        let digest = "0".repeat(64);
        let mut lock = "version = 4\nkind = \"bundle\"\n".to_owned();
        for n in 0..size {
            let text = format!("---\nname: s{n}\ndescription: Does it.\n---\n");
            tree.file(&format!("s{n}/SKILL.md"), &text);
            if version == "old" {
                let entry = format!("name = \"s{n}\"\ndigest = \"sha256:{digest}\"\nsize = 1\n");
                lock.extend(["\n[[skill]]\n", &entry]);
            }
        }
        tree.file("skills.lock", &lock);
    });
}

#[test]
fn a_long_chain_of_files_is_refused() {
    let mut tree = Memory::default();
    tree.file("CLAUDE.md", "@0.md");
    for n in 0..300 {
        tree.file(&format!("{n}.md"), &format!("@{}.md", n + 1));
    }
    let error = tree.read_side().unwrap_err();
    assert!(
        error.to_string().starts_with("249.md: too many files"),
        "{error}"
    );
}

/// Most words of a text name nothing: each costs a look at a listed folder, and none at the disk.
#[test]
fn words_that_name_nothing_cost_a_step_in_each_folder() {
    let dir = tempfile::tempdir().unwrap();
    let line = |n: usize, at: usize| format!("w{n}.x{at} y/z{at}\n\"a b{at}.c\"\n");
    let words = |n: usize| (0..100).map(|at| line(n, at)).collect::<Vec<_>>().concat();
    for n in 0..20 {
        let folder = dir.path().join(format!("p{n}/hooks/deep"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("h.sh"), words(n)).unwrap();
    }
    STEPS.set(0);
    let side = Side::of_folder(dir.path()).unwrap();
    assert_eq!(side.beside.len(), 20);
    let steps = STEPS.get();
    assert!(steps <= 160_000, "{steps} steps for {} words", 20 * 100 * 3);
}

/// A repository with a file of each kind, and whether it is a text or a file that nothing reads.
const FILES: [(&str, &str, bool); 37] = [
    (
        ".claude-plugin/marketplace.json",
        r#"{"plugins": [{"source": "./p"}]}"#,
        false,
    ),
    (".claude/agents/a.md", "---\nname: a\n---\nDo it.\n", false),
    (".claude/commands/go.md", "Go.\n", false),
    (".claude/hooks/guard.sh", "exit 0\n", false),
    (".claude/rules/r.md", "Be kind.\n", false),
    (
        ".claude/settings.json",
        r#"{"hooks": {"Stop": [{"command": "tools/stop.sh"}]}}"#,
        false,
    ),
    (
        ".claude/skills/z/SKILL.md",
        "---\nname: z\ndescription: Does z.\n---\n\nDo z.\n",
        true,
    ),
    (".claude/skills/z/z.py", "print(1)\n", false),
    (".codex/config.toml", "model = \"a\"\n", false),
    (".codex/rules/default.rules", "a\n", false),
    (".gitattributes", "*.bin -text\n", false),
    (".github/CODEOWNERS", "* @a\n", false),
    (".github/copilot-instructions.md", "Be kind.\n", false),
    (".github/workflows/ci.yml", "on: push\n", false),
    (".gitmodules", "# none\n", false),
    (".husky/pre-commit", "exit 0\n", false),
    (".mcp.json", "{}\n", false),
    ("CLAUDE.md", "See @docs/a.md.\n", true),
    ("Makefile", "all:\n", true),
    ("README.md", "Hi.\n", true),
    ("docs/a.md", "A.\n", true),
    ("hooks/run", "exit 0\n", false),
    ("p/.claude-plugin/plugin.json", r#"{"name": "p"}"#, false),
    ("p/README.md", "Hi.\n", true),
    ("p/agents/a.md", "Do it.\n", false),
    ("p/bin/tool", "exit 0\n", false),
    ("p/commands/c.md", "Do it.\n", false),
    ("p/data.bin", "\u{1}\u{2}", false),
    ("p/hooks/hooks.json", "{}\n", false),
    ("p/hooks/run.sh", "exit 0\n", false),
    (
        "p/skills/y/SKILL.md",
        "---\nname: y\ndescription: Does y.\n---\n\nDo y.\n",
        true,
    ),
    ("skills.toml", "# none\n", false),
    (
        "skills/x/SKILL.md",
        "---\nname: x\ndescription: Does x.\n---\n\nRun `sh tools/x.sh`.\n",
        true,
    ),
    ("skills/x/references/a.md", "A.\n", true),
    ("skills/x/scripts/a.sh", "exit 0\n", false),
    ("tools/stop.sh", "exit 0\n", false),
    ("tools/x.sh", "exit 0\n", false),
];

/// Writes a commit without a working folder, and returns its files.
fn commit(folder: &Path, name: &str, files: &BTreeMap<String, (&str, Vec<u8>)>) -> Revision {
    let head = format!("commit refs/heads/{name}\ncommitter a <a@b.c> 1 +0000\ndata 0\n");
    let mut input = head.into_bytes();
    for (path, (mode, bytes)) in files {
        let head = format!("M {mode} inline {path}\ndata {}\n", bytes.len());
        input.extend([head.as_bytes(), bytes, b"\n"].concat());
    }
    git_with(folder, &["fast-import", "--quiet", "--force"], &input);
    of_revision(&Git::default(), folder, name, &Quiet).unwrap()
}

/// Returns what two revisions differ in, everywhere.
fn between(old: &Revision, new: &Revision) -> Changes {
    let mut found = compare(&old.side, &new.side);
    found
        .beside
        .extend(others(&Git::default(), [old, new], &Quiet).unwrap());
    found
}

/// Returns what a path is among changes.
fn kinds(found: &Changes, path: &str) -> Vec<ChangedKind> {
    let skills = found.skills.iter().flat_map(|skill| {
        let files = skill.changed.iter();
        files.map(|file| (join(&skill.folder, &file.path), file.kind))
    });
    let beside = found
        .beside
        .iter()
        .map(|file| (file.path.clone(), file.kind));
    let all = skills.chain(beside).filter(|(one, _)| one == path);
    all.map(|(_, kind)| kind).collect()
}

/// One byte, one file, one link or one mode, anywhere in a repository with plugins and clients: it is in one of the three parts
/// between the two commits, in both directions, and fails the gate unless the file is a text or one that nothing reads.
#[test]
#[cfg(unix)]
fn a_change_anywhere_in_a_repository_is_found() {
    let folder = tempfile::tempdir().unwrap();
    crate::review::tests::git(folder.path(), &["init", "-q"]);
    let base: BTreeMap<String, (&str, Vec<u8>)> = FILES
        .iter()
        .map(|(path, text, _)| ((*path).to_owned(), ("100644", text.as_bytes().to_vec())))
        .collect();
    let old = commit(folder.path(), "base", &base);
    // Of no folder here.
    let names = "n[a-z]{1,8}(\\.(md|sh|py|json|png|txt|weird))?";
    let index = any::<prop::sample::Index>;
    let change = (0..FILES.len(), 0..5_u8, index(), 1..=255_u8, names);
    let mut runner = TestRunner::new(Config::with_cases(60));
    let found = runner.run(&change, |(file, what, at, bits, name)| {
        let (path, _, is_text) = FILES[file];
        let mut files = base.clone();
        let mut changed = path.to_owned();
        let (mode, bytes) = files.get_mut(path).unwrap();
        match what {
            0 => {
                let at = at.index(bytes.len());
                bytes[at] ^= bits;
            }
            1 => *mode = "100755",
            2 => (*mode, *bytes) = ("120000", b"elsewhere".to_vec()),
            3 => drop(files.remove(path)),
            _ => {
                let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                changed = join(folder, &name);
                files.insert(changed.clone(), ("100644", vec![bits]));
            }
        }
        let new = commit(folder.path(), "changed", &files);
        for (old, new) in [(&old, &new), (&new, &old)] {
            let found = between(old, new);
            let kinds = kinds(&found, &changed);
            prop_assert!(!kinds.is_empty(), "{changed} is unseen: {found:?}");
            // A file that loses its run bit was denied when it got it.
            let fails = what == 2 || what < 4 && !is_text && !(what == 1 && new.commit == "base");
            let is_mode = kinds.contains(&ChangedKind::Mode);
            prop_assert!(!fails || is_mode || !found.passes(), "{changed}: {kinds:?}");
        }
        Ok(())
    });
    found.unwrap();
}
