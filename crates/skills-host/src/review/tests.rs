//! The changes of `tests/changes`: each hidden gain is found in one of the three parts, and harmless changes pass.

use crate::files::snapshot::FileBytes;
use crate::git::{Git, Quiet};
use crate::review::changes::{Changes, compare};
use crate::review::files::ChangedKind;
use crate::review::leads::Leads;
use crate::review::side::{ReviewedSkill, Side};
use proptest::prelude::*;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// One change of a document.
#[derive(Default)]
struct Change {
    name: String,
    /// The power that the change gains: `hosts: a.org`. The power may continue.
    gains: Option<String>,
    sides: [BTreeMap<String, FileBytes>; 2],
    links: [BTreeMap<String, Leads>; 2],
}

fn side(files: &BTreeMap<String, FileBytes>, links: &BTreeMap<String, Leads>) -> Side {
    Side {
        skills: vec![ReviewedSkill {
            folder: "x".to_owned(),
            files: files.clone(),
            links: links.clone(),
        }],
        ..Side::default()
    }
}

impl Change {
    fn compare(&self) -> Changes {
        let [old, new] = [0, 1].map(|at| side(&self.sides[at], &self.links[at]));
        compare(&old, &new)
    }
}

/// Returns what fails the gate, as `kind: text`. The paths of files are those in the skill, or from the root.
fn denied(changes: &Changes) -> Vec<String> {
    let beside = changes.beside.iter().filter(|file| file.denied);
    let beside = beside.map(|file| format!("{:?}: {}", file.kind, file.path));
    let skills = changes.skills.iter().flat_map(|skill| {
        let powers = skill.loosened.iter().chain(&skill.gained);
        let powers = powers.map(|power| format!("{}: {}", power.kind.as_str(), power.text));
        let fields = skill.fields.iter().filter(|field| field.denied);
        let files = skill.changed.iter().filter(|file| file.denied);
        powers
            .chain(fields.map(|field| format!("field: {}", field.key)))
            .chain(files.map(|file| format!("{:?}: {}", file.kind, file.path)))
            .collect::<Vec<_>>()
    });
    skills.chain(beside).collect()
}

/// Reads the changes of a document of `tests/changes`.
fn changes(name: &str) -> Vec<Change> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/changes");
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let mut all: Vec<Change> = Vec::new();
    let mut open: Option<(String, String, String)> = None;
    for line in text.lines() {
        if let Some((side, info, content)) = &mut open {
            if line == "`````" {
                let change = all.last_mut().unwrap();
                for side in sides_of(side) {
                    if let Some(path) = info.strip_suffix(" link") {
                        let target = Leads::To(content.trim_end().to_owned());
                        change.links[side].insert(path.to_owned(), target);
                    } else {
                        let (path, file) = file(info, content);
                        change.sides[side].insert(path, file);
                    }
                }
                open = None;
            } else {
                content.push_str(line);
                content.push('\n');
            }
            continue;
        }
        if let Some(name) = line.strip_prefix("## ") {
            let name = name.to_owned();
            all.push(Change {
                name,
                ..Change::default()
            });
        } else if let Some(gains) = line.strip_prefix("gains `") {
            all.last_mut().unwrap().gains = Some(gains.trim_end_matches('`').to_owned());
        } else if let Some(info) = line.strip_prefix("`````") {
            let (side, info) = info.split_once(' ').unwrap();
            open = Some((side.to_owned(), info.to_owned(), String::new()));
        }
    }
    all
}

/// `both`: a file of both versions.
fn sides_of(side: &str) -> std::ops::Range<usize> {
    match side {
        "old" => 0..1,
        "new" => 1..2,
        _ => 0..2,
    }
}

fn file(info: &str, content: &str) -> (String, FileBytes) {
    let executable = info.ends_with(" executable");
    let path = info.trim_end_matches(" executable");
    let (path, front) = match path.strip_suffix(" body") {
        Some(path) => (
            path,
            "---\nname: x\ndescription: Does x. Use for x.\n---\n\n",
        ),
        None => (path, ""),
    };
    let content = content.replace("<CR>", "\r").replace("<NUL>", "\0");
    let content = content
        .replace("<NBSP>", "\u{A0}")
        .replace("<BOM>", "\u{FEFF}");
    let text = format!(
        "{front}{}",
        content.replace("<LONG>", &"# x\n".repeat(20_000))
    );
    let bytes = match text.strip_prefix("<binary>") {
        Some(rest) => [b"\x89PNG\xFF\0", rest.as_bytes()].concat(),
        None => text.into_bytes(),
    };
    (path.to_owned(), FileBytes::new(bytes, executable))
}

/// The changes that only add words: `id_rsa` in a sentence. They are printed as changed instructions.
const ONLY_INSTRUCTIONS: usize = 1;

#[test]
fn hidden_gains_are_found() {
    let mut all = changes("gains.md");
    all.extend(changes("further-gains.md"));
    assert_eq!(all.len(), 163);
    // Windows has no permission to execute.
    all.retain(|change| {
        cfg!(unix)
            || !change
                .gains
                .as_ref()
                .is_some_and(|gains| gains.contains("executable"))
    });
    let (mut named, mut changed, mut instructions) = (0, Vec::new(), Vec::new());
    for change in &all {
        let found = change.compare();
        let (texts, lines) = found.instructions();
        let denied = denied(&found);
        let expected = change.gains.as_ref().unwrap();
        if denied.iter().any(|power| power.starts_with(expected)) {
            named += 1;
        } else if found.passes() {
            assert!(texts > 0 && lines > 0, "{} is unseen", change.name);
            instructions.push(change.name.as_str());
        } else {
            changed.push(format!("{}: {expected}: {denied:?}", change.name));
        }
    }
    let report = format!(
        "{named} named, {} as changed:\n{}\nas instructions:\n{}",
        changed.len(),
        changed.join("\n"),
        instructions.join("\n")
    );
    assert_eq!(instructions.len(), ONLY_INSTRUCTIONS, "{report}");
}

/// Nine ways to hide a gain, each with forms of its own.
#[test]
fn each_family_of_hidden_gains_fails() {
    let all = changes("families.md");
    assert!(all.len() >= 36, "{}", all.len());
    let mut wrong = Vec::new();
    for change in all {
        let found = denied(&change.compare());
        let expected = change.gains.as_ref().unwrap();
        if !found.iter().any(|item| item.starts_with(expected)) {
            wrong.push(format!("{}: {expected}: {found:?}", change.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn harmless_changes_pass() {
    let all = changes("harmless.md");
    assert!(all.len() >= 25);
    let wrong: Vec<String> = all
        .iter()
        .filter(|change| !change.compare().passes())
        .map(|change| format!("{}: {:?}", change.name, denied(&change.compare())))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Harmless for a person who reads them. The gate does not: it names what is there, and does not judge code.
#[test]
fn changes_to_look_at_are_found() {
    for change in changes("to-look-at.md") {
        let found = denied(&change.compare());
        let expected = change.gains.as_ref().unwrap();
        let is_found = found.iter().any(|item| item.starts_with(expected));
        assert!(is_found, "{}: {found:?}", change.name);
    }
}

/// Each change of a place fails between two commits, and the gate names the path.
#[test]
#[cfg(unix)]
fn each_change_of_a_place_fails() {
    let all = changes("places.md");
    // The comparisons often wait for git.
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let parts = all.chunks(all.len().div_ceil(4));
        let parts: Vec<_> = parts.map(|part| scope.spawn(|| passing(part))).collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap())
            .collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the changes that pass, or whose path the gate does not name.
#[cfg(unix)]
fn passing(changes: &[Change]) -> Vec<String> {
    let mut wrong = Vec::new();
    // One repository for all: a version takes the place of every file of the version before.
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q"]);
    for change in changes {
        let [old, new] = [0, 1].map(|at| {
            change.write(folder.path(), at);
            git(folder.path(), &["add", "-A"]);
            let identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
            git(
                folder.path(),
                &[&identity[..], &["commit", "-q", "--allow-empty", "-m", "m"]].concat(),
            );
            let of = super::of_revision(&Git::default(), folder.path(), "HEAD", &Quiet);
            of.unwrap()
        });
        let mut found = compare(&old.side, &new.side);
        let others = super::others(&Git::default(), [&old, &new], &Quiet).unwrap();
        found.beside.extend(others);
        for skill in &mut found.skills {
            for file in &mut skill.changed {
                let is_whole = matches!(file.kind, ChangedKind::Listed | ChangedKind::Moved);
                if !is_whole {
                    file.path = skills_format::join(&skill.folder, &file.path);
                }
            }
        }
        let expected = change.gains.as_ref().unwrap();
        let denied = denied(&found);
        if !denied.contains(expected) {
            wrong.push(format!("{}: {expected}: {denied:?}", change.name));
        }
    }
    wrong
}

#[cfg(unix)]
impl Change {
    /// Writes a version into a folder, in place of the version before.
    fn write(&self, folder: &Path, at: usize) {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap() {
                _ if entry.file_name() == ".git" => {}
                kind if kind.is_dir() => fs::remove_dir_all(entry.path()).unwrap(),
                _ => fs::remove_file(entry.path()).unwrap(),
            }
        }
        for (path, file) in &self.sides[at] {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &file.bytes).unwrap();
            let mode = if file.executable { 0o755 } else { 0o644 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        for (path, leads) in &self.links[at] {
            let Leads::To(target) = leads else { continue };
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            symlink(target, path).unwrap();
        }
    }
}

pub(super) fn git(folder: &Path, arguments: &[&str]) -> String {
    git_with(folder, arguments, b"")
}

#[expect(clippy::disallowed_methods, reason = "git of the test")]
pub(super) fn git_with(folder: &Path, arguments: &[&str], input: &[u8]) -> String {
    let mut git = Command::new("git");
    let git = git.current_dir(folder).args(arguments);
    let git = git.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut git = git.stderr(Stdio::piped()).spawn().unwrap();
    git.stdin.take().unwrap().write_all(input).unwrap();
    let git = git.wait_with_output().unwrap();
    assert!(git.status.success(), "{git:?}");
    String::from_utf8(git.stdout).unwrap().trim().to_owned()
}

thread_local! {
    /// The steps of comparisons in this thread.
    pub(super) static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// Asserts that the steps grow as the size does. `of` compares two sides of a size.
pub(super) fn is_linear(what: &str, of: impl Fn(usize) -> Changes) {
    let steps = |size: usize| {
        STEPS.set(0);
        let changes = of(size);
        assert!(
            !changes.skills.is_empty() || !changes.beside.is_empty(),
            "{what}"
        );
        STEPS.get()
    };
    let (few, many) = (steps(100), steps(800));
    assert!(few >= 100, "{what}: {few} steps are counted");
    // Eight times, and what the ends of a chain save.
    assert!(many <= few * 9, "{what}: {few} steps, then {many}");
}

fn text(number: usize) -> FileBytes {
    FileBytes::new(format!("Text {number}.\n").into_bytes(), false)
}

fn named(folder: &str, name: &str) -> ReviewedSkill {
    let text = format!("---\nname: {name}\ndescription: Does x.\n---\n\nOne line.\n\nAnother.\n");
    ReviewedSkill {
        folder: folder.to_owned(),
        files: [(
            "SKILL.md".to_owned(),
            FileBytes::new(text.into_bytes(), false),
        )]
        .into(),
        links: BTreeMap::new(),
    }
}

#[test]
fn steps_are_linear_in_renamed_skills_files_and_links() {
    let skills = |size: usize, of: &dyn Fn(usize) -> ReviewedSkill| Side {
        skills: (0..size).map(of).collect(),
        ..Side::default()
    };
    is_linear("folders of skills", |size| {
        let old = skills(size, &|n| named(&format!("a{n}"), &format!("x{n}")));
        compare(
            &old,
            &skills(size, &|n| named(&format!("b{n}"), &format!("x{n}"))),
        )
    });
    is_linear("folders and names of skills", |size| {
        let old = skills(size, &|n| named(&format!("a{n}"), &format!("x{n}")));
        compare(
            &old,
            &skills(size, &|n| named(&format!("b{n}"), &format!("y{n}"))),
        )
    });
    let with = |change: &dyn Fn(&mut ReviewedSkill)| {
        let mut skill = named("x", "x");
        change(&mut skill);
        of(&skill)
    };
    is_linear("files", |size| {
        let files = |begin: &str, is_same: bool| {
            with(&|skill| {
                let all = (0..size)
                    .map(|n| (format!("{begin}{n}.md"), text(if is_same { 0 } else { n })));
                skill.files.extend(all);
            })
        };
        // Of files with one text, each is a rename of another.
        let found = compare(&files("a", true), &files("b", true));
        let renamed = found.skills[0].changed.iter();
        assert_eq!(
            renamed
                .filter(|file| file.note.starts_with("renamed"))
                .count(),
            size
        );
        compare(&files("a", false), &files("b", false))
    });
    is_linear("links", |size| {
        let links = |to: &str| {
            with(&|skill| {
                let all = (0..size).map(|n| (format!("l{n}"), Leads::To(format!("../{to}{n}"))));
                skill.links.extend(all);
            })
        };
        compare(&links("a"), &links("b"))
    });
}

/// Few skills without their name are compared line by line, each with each: that ends at a bound.
#[test]
fn skills_are_compared_by_lines_up_to_a_bound() {
    for size in [60, 64, 400] {
        STEPS.set(0);
        let side = |begin: char| Side {
            skills: (0..size)
                .map(|n| named(&format!("{begin}{n}"), &format!("{begin}{n}")))
                .collect(),
            ..Side::default()
        };
        let found = compare(&side('a'), &side('b'));
        let is_paired = size * size <= 4_000;
        assert_eq!(found.skills.len(), if is_paired { size } else { 2 * size });
        assert!(STEPS.get() <= 4_000 * 14 + 20 * size, "{}", STEPS.get());
    }
}

/// A link can hold a text of any size. It is no path then, and is not read.
#[test]
fn a_link_whose_text_is_20_megabytes() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| git(folder.path(), arguments);
    let commit = |size: usize| {
        fs::write(folder.path().join("text"), vec![b'/'; size]).unwrap();
        let id = git(&["hash-object", "-w", "text"]);
        git(&[
            "update-index",
            "--add",
            "--cacheinfo",
            &format!("120000,{id},x/link"),
        ]);
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
        git(&[&identity[..], &["commit", "-q", "-m", "m"]].concat());
        git(&["rev-parse", "HEAD"])
    };
    git(&["init", "-q"]);
    fs::create_dir(folder.path().join("x")).unwrap();
    let skill = named("x", "x");
    fs::write(
        folder.path().join("x/SKILL.md"),
        &skill.files["SKILL.md"].bytes,
    )
    .unwrap();
    git(&["add", "x"]);
    let [old, new] = [20_000_000, 20_000_001].map(|size| {
        let commit = commit(size);
        super::of_revision(&Git::default(), folder.path(), &commit, &Quiet)
            .unwrap()
            .side
    });
    let found = compare(&old, &new);
    assert!(!found.passes());
    let link = &found.skills[0].changed[0];
    assert_eq!((link.kind, link.path.as_str()), (ChangedKind::Link, "link"));
    assert!(
        link.note.starts_with("a link to a text of 20000001 bytes"),
        "{}",
        link.note
    );
    assert!(link.note.len() < 200);
}

/// A skill with a file of each kind.
fn skill() -> ReviewedSkill {
    let text = "---\nname: x\ndescription: Does x. Use for x.\nallowed-tools: Read\n---\n\nRun `git tag`.\n\n```sh\nls\n```\n";
    let files = [
        ("SKILL.md", text.as_bytes()),
        ("references/a.md", b"Some text.\n\nAnd more.\n"),
        ("scripts/a.sh", b"#!/bin/sh\necho a\n"),
        ("scripts/b.py", b"print(1)\n"),
        ("data.json", b"{\"a\": 1}\n"),
        ("assets/a.png", b"\x89PNG\r\n\x1A\n\0\0"),
        ("LICENSE", b"MIT\n"),
        ("bin/tool", b"\x7FELF\xFF\0"),
    ];
    let files = files.map(|(path, bytes)| (path.to_owned(), FileBytes::new(bytes.to_vec(), false)));
    ReviewedSkill {
        folder: "x".to_owned(),
        files: files.into(),
        links: BTreeMap::new(),
    }
}

fn of(skill: &ReviewedSkill) -> Side {
    Side {
        skills: vec![skill.clone()],
        ..Side::default()
    }
}

/// Returns whether a path is among the changes of the only skill.
fn holds(changes: &Changes, path: &str) -> bool {
    let files = changes.skills.iter().flat_map(|skill| &skill.changed);
    files
        .into_iter()
        .any(|file| file.path == path || file.note == format!("renamed from {path}"))
}

proptest! {
    #[test]
    fn a_flipped_byte_is_found(file in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), bits in 1..=255_u8) {
        let old = skill();
        let mut new = old.clone();
        let paths: Vec<String> = new.files.keys().cloned().collect();
        let path = file.get(&paths);
        let mut bytes = new.files[path].bytes.to_vec();
        let at = at.index(bytes.len());
        bytes[at] ^= bits;
        new.files.insert(path.clone(), FileBytes::new(bytes, false));
        for (old, new) in [(&old, &new), (&new, &old)] {
            let found = compare(&of(old), &of(new));
            prop_assert!(holds(&found, path));
            let is_text = [ChangedKind::Instructions, ChangedKind::Media];
            let texts = found.skills[0].changed.iter().all(|file| is_text.contains(&file.kind));
            prop_assert!(texts || !found.passes());
        }
    }

    #[test]
    fn a_file_that_comes_goes_links_or_runs_is_found(file in any::<prop::sample::Index>(), name in "[a-z]{1,8}(\\.(md|sh|py|json|png|txt|weird))?", bytes in prop::collection::vec(any::<u8>(), 0..40)) {
        let old = skill();
        let paths: Vec<String> = old.files.keys().cloned().collect();
        let path = file.get(&paths);
        let mut with = old.clone();
        with.files.insert(name.clone(), FileBytes::new(bytes, false));
        prop_assert!(holds(&compare(&of(&old), &of(&with)), &name));
        prop_assert!(holds(&compare(&of(&with), &of(&old)), &name));
        let mut without = old.clone();
        without.files.remove(path);
        prop_assert!(holds(&compare(&of(&old), &of(&without)), path));
        let mut linked = without.clone();
        linked.links.insert(path.clone(), Leads::To("../y".to_owned()));
        let found = compare(&of(&old), &of(&linked));
        prop_assert!(holds(&found, path) && !found.passes());
        if cfg!(unix) {
            let mut running = old.clone();
            running.files.get_mut(path).unwrap().executable = true;
            let found = compare(&of(&old), &of(&running));
            prop_assert!(holds(&found, path) && !found.passes());
            prop_assert!(holds(&compare(&of(&running), &of(&old)), path));
        }
    }
}

#[test]
fn a_skill_that_moves_to_another_folder_is_not_passed() {
    let old = skill();
    let moved = |folder: &str| {
        let folder = folder.to_owned();
        compare(
            &of(&old),
            &of(&ReviewedSkill {
                folder,
                ..old.clone()
            }),
        )
        .passes()
    };
    assert!(moved("y"));
    assert!(!moved(".claude/skills/x"));
}

#[test]
fn bytes_that_git_rewrites_are_not_instructions() {
    let old = skill();
    let mut new = old.clone();
    new.files.insert(
        "references/a.md".to_owned(),
        FileBytes::new(b"Other.\n".to_vec(), false),
    );
    let attributes = |text: &str| {
        let mut new = of(&new);
        let file = FileBytes::new(text.as_bytes().to_vec(), false);
        new.beside.insert(".gitattributes".to_owned(), file.clone());
        let mut old = of(&old);
        old.beside.insert(".gitattributes".to_owned(), file);
        compare(&old, &new).passes()
    };
    assert!(attributes("*.md -text\n*.png filter=lfs\n"));
    assert!(!attributes("*.md working-tree-encoding=UTF-16\n"));
}
