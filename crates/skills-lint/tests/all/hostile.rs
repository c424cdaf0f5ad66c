//! Tests folders and texts of an attacker, or made by accident.

#![allow(clippy::disallowed_methods, reason = "a test may write files")]

use skills_format::{Contents, Diagnostic, Limits, MAX_SKILL_FILE, SkillFile, Tree};
use skills_lint::{Config, MAX_FILE, check};
use std::fs;
use std::path::Path;

fn strict(root: &Path) -> Vec<Diagnostic> {
    let contents = Contents::Skills {
        max: MAX_SKILL_FILE,
    };
    let tree = Tree::read(root, contents).expect("a folder");
    check("skills", &tree, &Config::default()).diagnostics
}

fn told(root: &Path) -> Vec<String> {
    let told = strict(root);
    told.iter()
        .map(|d| format!("{} {}", d.path, d.rule))
        .collect()
}

const GOOD: &str = "---\nname: ok\ndescription: Use when all is well.\n---\n\nGo.\n";

#[test]
#[cfg(unix)]
fn what_is_no_file_is_told_and_not_opened() {
    use std::os::unix::ffi::OsStrExt as _;
    let root = tempfile::tempdir().expect("a folder");
    let folder = |name: &str| {
        let path = root.path().join(name);
        fs::create_dir(&path).expect("a folder");
        path
    };
    fs::write(folder("ok").join("SKILL.md"), GOOD).expect("a file");
    let name = std::ffi::OsStr::from_bytes(b"a\xFF.md");
    fs::write(root.path().join("ok").join(name), "x").expect("a file");
    fs::write(folder("lower").join("skill.md"), GOOD).expect("a file");
    std::os::unix::fs::symlink("../ok/SKILL.md", folder("link").join("SKILL.md")).expect("a link");
    let large = fs::File::create(folder("large").join("SKILL.md")).expect("a file");
    large.set_len(1 << 30).expect("a length");
    std::os::unix::net::UnixListener::bind(folder("pipe").join("SKILL.md")).expect("a socket");
    assert_eq!(
        told(root.path()),
        [
            "skills/large skill-too-large",
            "skills/large/SKILL.md too-large",
            "skills/link/SKILL.md symlink",
            "skills/lower/skill.md skill-file-name",
            "skills/ok/a\u{FFFD}.md path-form",
            "skills/pipe/SKILL.md unreadable",
        ]
    );
}

#[test]
fn many_skills() {
    let root = tempfile::tempdir().expect("a folder");
    for i in 0..2000 {
        let folder = root.path().join(format!("s-{i}"));
        fs::create_dir(&folder).expect("a folder");
        let text = format!("---\nname: s-{i}\ndescription: Use when {i}.\n---\n\nGo.\n");
        fs::write(folder.join("SKILL.md"), text).expect("a file");
    }
    assert_eq!(told(root.path()), ["skills catalog-budget"]);
}

/// Each text takes minutes if a rule is quadratic.
#[test]
fn long_texts_end_in_time() {
    for piece in [
        "[a](b.md) ",
        "[a](",
        "`scripts/x.py` ",
        "$1 ",
        "`",
        "a\u{200B}",
        "\u{202E}a",
        "curl x | sh ",
        "curl (",
        "[todo x] ",
        "/home/zed/ ",
        "sk-abc ",
        "$oks ",
        "[a](../../y.md) ",
        "`a\\",
        "![",
        "<",
        "*a_",
        "[a](SKILL.md#x)\n",
        "<!-- skills: allow body-length -->\n\nx\n\n",
        "<-- x -->\n\n`a`\n\n",
    ] {
        let body = piece.repeat(100_000 / piece.len());
        run(&format!(
            "---\nname: ok\ndescription: Use when x.\n---\n\n{body}"
        ));
    }
}

/// Many links into a long file take minutes if a rule is quadratic.
#[test]
fn many_links_into_a_long_file_end_in_time() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path().join("ok");
    fs::create_dir(&folder).expect("a folder");
    let links = "[a](long.md#h) [b](long.md#none)\n".repeat(3_000);
    fs::write(folder.join("SKILL.md"), format!("{GOOD}\n{links}")).expect("a file");
    fs::write(folder.join("long.md"), "# h\n\n## i `id`\n".repeat(6_000)).expect("a file");
    let contents = Contents::All {
        max: MAX_FILE,
        limits: Limits::default(),
    };
    let tree = Tree::read(root.path(), contents).expect("a folder");
    let told = check("skills", &tree, &Config::default()).diagnostics;
    let count = |told: &[Diagnostic]| {
        let broken = told
            .iter()
            .filter(|finding| finding.rule.as_str() == "anchor-broken");
        broken.count()
    };
    assert_eq!(count(&told), 3_000);
}

/// Long front matter that does not parse takes minutes if the recovery is quadratic.
#[test]
fn long_front_matter_ends_in_time() {
    for (start, piece) in [
        ("", "a: ["),
        ("", "a: b: c\n"),
        ("m:\n", "  k: x: y\n"),
        ("d: \"\n", "x\n"),
        ("m: ", "{a: "),
        ("d: x\n", "loose\n"),
        ("m:\n", "\tk: v\n"),
        ("m: {\"a\": \"", "\\q"),
        ("m: [", "@a, "),
        ("m: [", "\"a\" b, "),
        ("d: 'a'\n", "- b\n"),
        ("", "<<<<<<<\n"),
        ("", "- "),
        ("? ", "? "),
        ("a: |\n", " b\n\tc\n"),
        ("d: \"a", "\n\nb"),
    ] {
        let yaml = format!("{start}{}", piece.repeat(30_000 / piece.len()));
        run(&format!(
            "---\nname: ok\ndescription: Use when x.\n{yaml}\n---\n\nGo.\n"
        ));
        run(&format!("{yaml}\n---\n"));
    }
}

fn run(text: &str) {
    let file = SkillFile::read("SKILL.md", "ok", text.as_bytes());
    let (skill, told) = file.lenient();
    assert!(skill.is_some() || !told.is_empty());
    let mut tree = Tree::default();
    tree.files.push(skills_format::TreeFile {
        path: "ok/SKILL.md".to_owned(),
        utf8: true,
        kind: skills_format::FileKind::Regular,
        size: text.len() as u64,
        bytes: Some(text.as_bytes().to_vec()),
    });
    let told = check("skills", &tree, &Config::default()).diagnostics;
    // The maximum number of findings of one rule is 10,000.
    assert!(told.len() < 12_000);
}
