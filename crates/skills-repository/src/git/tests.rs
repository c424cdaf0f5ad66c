//! Compares our reading of ignored files with the answers of git itself.

#![allow(
    clippy::disallowed_methods,
    reason = "a test writes files and runs git"
)]

use crate::git::index::{Index, TrackedSkills};
use crate::git::repository::GitRepository;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs git without this machine's configuration, and returns its output.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .current_dir(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args(arguments)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", folder.join("none"));
    let output = command.output().expect("git is installed");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
}

const FILES: [(&str, &str); 12] = [
    (".gitignore", "*.log\n/out/\n!keep.log\nbuild\n"),
    ("a/.gitignore", "!b.log\n/c\n"),
    ("a/b.log", ""),
    ("a/c/d", ""),
    ("a/keep.log", ""),
    ("a/x.log", ""),
    ("build/x", ""),
    ("local", ""),
    ("out/keep.log", ""),
    ("out/tracked", ""),
    ("out/new", ""),
    ("plain", ""),
];

/// Returns the files that [`GitRepository`] ignores.
fn ignored(root: &Path) -> Vec<&'static str> {
    let mut repository = GitRepository::at(root);
    let mut ignored = Vec::new();
    for (path, _) in FILES {
        repository.enter_above(path);
        if repository.ignores(path, false) {
            ignored.push(path);
        }
    }
    assert!(repository.skipped().is_empty());
    ignored
}

/// Returns the files that git ignores.
fn ignored_by_git(root: &Path) -> Vec<String> {
    let listed = git(
        root,
        &["ls-files", "--others", "--ignored", "--exclude-standard"],
    );
    listed.lines().map(str::to_owned).collect()
}

#[test]
fn as_git_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("main");
    write(&root, &FILES);
    git(&root, &["init", "-q"]);
    write(&root, &[(".git/info/exclude", "/local\n")]);
    git(&root, &["add", "-f", "out/tracked"]);
    assert_eq!(ignored(&root), ignored_by_git(&root));
    assert!(ignored(&root).contains(&"local") && !ignored(&root).contains(&"out/tracked"));
}

#[test]
#[cfg_attr(
    windows,
    ignore = "under Wine, git is that of another system, and writes its paths"
)]
fn a_worktree_has_the_excludes_of_its_repository_and_an_index_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("main");
    let tree = folder.path().join("tree");
    write(&root, &[("plain", "")]);
    git(&root, &["init", "-q"]);
    git(&root, &["commit", "-q", "--allow-empty", "-m", "a"]);
    write(&root, &[(".git/info/exclude", "/local\n")]);
    git(&root, &["worktree", "add", "-q", "../tree"]);
    write(&tree, &FILES);
    git(&tree, &["add", "-f", "out/tracked"]);
    assert_eq!(ignored(&tree), ignored_by_git(&tree));
    assert!(ignored(&tree).contains(&"local") && !ignored(&tree).contains(&"out/tracked"));
}

#[test]
fn what_is_named_is_not_ignored() {
    let folder = tempfile::tempdir().expect("a folder");
    write(
        folder.path(),
        &[(".git/HEAD", ""), (".gitignore", "out\n*.log\n")],
    );
    let mut repository = GitRepository::at(folder.path());
    repository.enter_above("out/a/x");
    assert!(repository.ignores("out/a/x", false));
    let mut repository = GitRepository::at(folder.path());
    repository.name("out/a");
    repository.enter_above("out/a/x");
    assert!(!repository.ignores("out/a/x", false));
    assert!(repository.ignores("out/a/x.log", false));
}

/// A pipe is not waited for, and a link in the place of git's own files is not followed. Both are reported.
#[cfg(unix)]
#[test]
fn the_index_and_the_excludes_are_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write(
        root,
        &[
            (".git/HEAD", ""),
            (".gitignore", "*.log\n"),
            (".git/info/x", "a\n"),
        ],
    );
    let made = Command::new("mkfifo").arg(root.join(".git/index")).status();
    assert!(made.expect("mkfifo").success());
    std::os::unix::fs::symlink("/dev/zero", root.join(".git/info/exclude")).expect("a link");
    let mut repository = GitRepository::at(root);
    repository.enter_above("x.log");
    assert!(repository.ignores("x.log", false));
    let skipped = repository.skipped();
    let files: Vec<_> = skipped.iter().map(|(file, _)| file.clone()).collect();
    assert_eq!(
        files,
        [root.join(".git/info/exclude"), root.join(".git/index")]
    );
}

/// Each file with `true` if git starts it, by our reader and by git. A file that git does not track is left out.
fn indexed(root: &Path, files: &[String]) -> [Vec<(String, bool)>; 2] {
    let index = Index::read(root).expect("an index");
    let ours = files.iter().filter_map(|file| {
        let is_runnable = index.is_runnable(file)?;
        Some((file.clone(), is_runnable))
    });
    let listed = git(root, &["ls-files", "--stage"]);
    let gits = listed.lines().map(|line| {
        let (mode, path) = line.split_once('\t').expect("a path");
        (path.to_owned(), mode.starts_with("100755"))
    });
    [ours.collect(), gits.collect()]
}

#[test]
fn an_index_is_read_as_git_reads_it() {
    for version in ["2", "3", "4"] {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        git(root, &["init", "-q"]);
        git(root, &["config", "index.version", version]);
        let mut files: Vec<String> = (0..300).map(|at| format!("a{at:03}/{at}.md")).collect();
        files.push("b/target/x/SKILL.md".to_owned());
        for file in &files {
            write(root, &[(file, file)]);
        }
        git(root, &["add", "."]);
        // Such an entry has more flags.
        git(root, &["rm", "-q", "--cached", "a007/7.md"]);
        git(root, &["add", "--intent-to-add", "a007/7.md"]);
        git(
            root,
            &["update-index", "--chmod=+x", &files[1], &files[299]],
        );
        let [ours, gits] = indexed(root, &files);
        assert_eq!(ours, gits, "{version}");
        assert_eq!(ours.iter().filter(|(_, runs)| *runs).count(), 2);
        assert_eq!(ours.len(), 301);
        let tracked = TrackedSkills::of(&root.join("b"));
        assert!(tracked.holds("target") && !tracked.holds("a001"));
    }
}

#[test]
fn the_form_of_other_indexes_is_unknown() {
    for (format, split) in [("sha1", true), ("sha256", false)] {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        git(root, &["init", "-q", &format!("--object-format={format}")]);
        write(root, &[("target/x/SKILL.md", "")]);
        git(root, &["add", "."]);
        if split {
            git(root, &["update-index", "--split-index"]);
        }
        let (path, error) = Index::read(root).expect_err(format);
        assert_eq!(path, root.join(".git/index"));
        assert_eq!(error.to_string(), "its form is unknown");
        let tracked = TrackedSkills::of(root);
        assert!(!tracked.holds("target") && tracked.fault().is_some());
    }
}
