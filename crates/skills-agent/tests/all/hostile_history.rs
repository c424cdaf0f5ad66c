//! Hostile histories: a version is restored completely inside its folder, or refused.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]
#![expect(clippy::disallowed_methods, reason = "tests run git")]

use jiff::Timestamp;
use skills_agent::improve::{RolledBack, rollback, versions};
use skills_host::files::data::DataFolder;
use skills_host::git::{Git, Quiet};
use skills_host::history::Version;
use skills_host::install::Host;
use skills_host::{Error, ErrorKind};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SKILL: &[u8] = b"---\nname: a\ndescription: Does a. Use when asked for a.\n---\n\nDo it.\n";
const FILE: &str = "100644";
const LINK: &str = "120000";
/// The mode, the name and the id of an entry of a tree.
type TreeEntry<'e> = (&'e str, &'e str, &'e str);

const TREE: &str = "40000";

/// A folder of skills with a repository made by an attacker.
struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self {
            folder: crate::folder(),
        };
        fs::create_dir_all(world.skills().join("a")).unwrap();
        fs::write(world.skills().join("a/SKILL.md"), SKILL).unwrap();
        fs::create_dir(world.outside()).unwrap();
        world.git(&["init", "-q"], b"");
        world
    }

    fn skills(&self) -> PathBuf {
        self.folder.path().join("one/two/skills")
    }

    fn outside(&self) -> PathBuf {
        self.folder.path().join("outside")
    }

    fn git(&self, arguments: &[&str], input: &[u8]) -> String {
        let mut child = Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b.example"])
            .args(arguments)
            .current_dir(self.skills())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn blob(&self, bytes: &[u8]) -> String {
        self.git(&["hash-object", "-w", "--stdin"], bytes)
    }

    /// Writes a tree unchecked, with names that `git mktree` would refuse.
    fn tree(&self, entries: &[TreeEntry<'_>]) -> String {
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend(format!("{mode} {name}\0").into_bytes());
            let digits = id.as_bytes().chunks(2);
            let byte = |two: &[u8]| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16);
            bytes.extend(digits.map(|two| byte(two).unwrap()));
        }
        let literally = ["hash-object", "-t", "tree", "-w", "--literally", "--stdin"];
        self.git(&literally, &bytes)
    }

    /// Makes a commit with the skill and further entries beside its SKILL.md.
    fn commit(&self, entries: &[TreeEntry<'_>]) -> String {
        let blob = self.blob(SKILL);
        let mut all = vec![(FILE, "SKILL.md", blob.as_str())];
        all.extend(entries);
        let skill = self.tree(&all);
        let root = self.tree(&[(TREE, "a", &skill)]);
        let commit = self.git(&["commit-tree", &root, "-m", "one"], b"");
        self.git(&["update-ref", "HEAD", &commit], b"");
        commit
    }

    fn rollback(&self, revision: &str) -> Result<RolledBack, Error> {
        let (data, git) = (self.data(), Git::default().own([self.skills()]));
        let host = host(&data, &git);
        rollback(&self.skills(), "a", Some(revision), host)
    }

    fn versions(&self) -> Result<Vec<Version>, Error> {
        let (data, git) = (self.data(), Git::default().own([self.skills()]));
        versions(&self.skills(), Some("a"), host(&data, &git))
    }

    fn data(&self) -> DataFolder {
        DataFolder::new(self.folder.path().join("data"))
    }
}

fn host<'h>(data: &'h DataFolder, git: &'h Git) -> Host<'h> {
    Host {
        data,
        git,
        clock: &Timestamp::UNIX_EPOCH,
        observer: &Quiet,
    }
}

/// Collects every file outside of the folder of skills and of the data folder.
fn strangers(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("data") || path.ends_with("skills") {
            continue;
        }
        if path.is_dir() && !path.is_symlink() {
            strangers(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn a_version_that_leaves_its_folder_is_refused() {
    let world = World::new();
    let blob = world.blob(b"harm");
    let up = world.tree(&[(FILE, "x.desktop", &blob)]);
    let up = world.tree(&[(TREE, "..", &up)]);
    let absolute = format!("{}/x", world.outside().display());
    let link = world.blob(world.outside().to_str().unwrap().as_bytes());
    let below = world.tree(&[(FILE, "x", &blob)]);
    let hook = world.tree(&[(FILE, "post-checkout", &blob)]);
    let hook = world.tree(&[(TREE, "hooks", &hook)]);
    let cases: &[(&[TreeEntry<'_>], &str)] = &[
        (&[(FILE, "../../x", &blob)], "leaves the folder"),
        (&[(TREE, "..", &up)], "leaves the folder"),
        (&[(FILE, &absolute, &blob)], "is absolute"),
        (&[(TREE, ".", &below)], "empty part"),
        (
            &[(LINK, "b", &link), (TREE, "b", &below)],
            "also the folder of",
        ),
        (
            &[(LINK, "b", &link), (FILE, "b/x", &blob)],
            "also the folder of",
        ),
        (
            &[(LINK, "b", &link), (FILE, "B/x", &blob)],
            "also the folder of",
        ),
        (
            &[(FILE, "b", &blob), (TREE, "b", &below)],
            "also the folder of",
        ),
        (&[(FILE, "skill.md", &blob)], "one file on some systems"),
        (&[(FILE, "SKILL.md ", &blob)], "one file on some systems"),
        (&[(FILE, "SKILL.md.", &blob)], "one file on some systems"),
        (
            &[(FILE, "SKILL.md::$DATA", &blob)],
            "one file on some systems",
        ),
        (
            &[(FILE, "\u{e4}", &blob), (FILE, "a\u{308}", &blob)],
            "one file on some systems",
        ),
        (&[(TREE, ".git", &hook)], "inside a `.git`"),
        (&[(TREE, ".Git", &hook)], "inside a `.git`"),
        (&[(TREE, "GIT~1", &hook)], "inside a `.git`"),
    ];
    for (entries, why) in cases {
        let revision = world.commit(entries);
        let error = world.rollback(&revision).unwrap_err();
        assert!(error.to_string().contains(why), "{entries:?}: {error}");
        assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
        let mut found = Vec::new();
        strangers(world.folder.path(), &mut found);
        assert_eq!(found, [] as [PathBuf; 0], "{entries:?}");
        let now = fs::read_dir(world.skills().join("a")).unwrap();
        assert_eq!(now.count(), 1, "{entries:?}");
    }
    let fine = world.commit(&[(LINK, "b", &link), (FILE, "Größe \"1\".txt", &blob)]);
    world.rollback(&fine).unwrap();
    assert!(world.skills().join("a/b").is_symlink());
}

#[test]
fn a_version_without_end_is_refused() {
    let world = World::new();
    // Ten folders of ten folders, and so on: once with files at the end, once without.
    for leaf in [&[(FILE, "x", world.blob(b"x"))][..], &[]] {
        let leaf: Vec<TreeEntry<'_>> = leaf
            .iter()
            .map(|(m, n, id)| (*m, *n, id.as_str()))
            .collect();
        let mut tree = world.tree(&leaf);
        for _ in 0..9 {
            let names = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
            let all: Vec<TreeEntry<'_>> = names
                .iter()
                .map(|name| (TREE, *name, tree.as_str()))
                .collect();
            tree = world.tree(&all);
        }
        let revision = world.commit(&[(TREE, "b", &tree)]);
        let error = world.rollback(&revision).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused, "{error}");
    }
    let large = world.blob(&vec![0; 1 << 20]);
    let names: Vec<String> = (0..300).map(|n| format!("{n:03}")).collect();
    let all: Vec<TreeEntry<'_>> = names.iter().map(|name| (FILE, &**name, &*large)).collect();
    let tree = world.tree(&all);
    let revision = world.commit(&[(TREE, "b", &tree)]);
    let error = world.rollback(&revision).unwrap_err();
    assert!(error.to_string().contains("bytes"), "{error}");
}

#[test]
fn no_message_imitates_a_commit() {
    let world = World::new();
    let one = world.commit(&[]);
    let two = world.commit(&[(FILE, "b", &world.blob(b"one"))]);
    let message = format!(
        "a\x1b[31m\u{202e}\x1e{one}\x1f1\x1fme\x1fsubject\x1fbody\x1f\na/SKILL.md\x1e\n\n{one}\n"
    );
    let tree = format!("{two}^{{tree}}");
    let arguments = ["commit-tree", &tree, "-p", &one, "-m", &message];
    let forged = world.git(&arguments, b"");
    world.git(&["update-ref", "HEAD", &forged], b"");
    let versions = world.versions().unwrap();
    let revisions: Vec<&str> = versions.iter().map(|version| &*version.revision).collect();
    assert_eq!(revisions, [&*forged, &*one]);
    let text = format!("{versions:?}");
    assert!(
        !text.contains("\\u{1b}") && !text.contains("\\u{202e}"),
        "{text}"
    );
}

#[test]
fn an_ignored_file_is_not_kept_through_a_link_of_an_older_version() {
    let world = World::new();
    let link = world.blob(world.outside().to_str().unwrap().as_bytes());
    let revision = world.commit(&[(LINK, "cache", &link)]);
    fs::write(world.skills().join(".gitignore"), "*.log\n").unwrap();
    fs::create_dir(world.skills().join("a/cache")).unwrap();
    fs::write(world.skills().join("a/cache/x.log"), "mine").unwrap();
    let error = world.rollback(&revision).unwrap_err();
    assert!(error.to_string().contains("also the folder of"), "{error}");
    assert_eq!(fs::read_dir(world.outside()).unwrap().count(), 0);
    assert!(world.skills().join("a/cache/x.log").is_file());
}
