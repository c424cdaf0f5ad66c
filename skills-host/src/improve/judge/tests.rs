//! Each bound of a result, broken once.

use super::*;
use crate::files::relative_path::RelativePath;

const HEAD: &str = "---\nname: find\ndescription: Finds code. Use when asked to find.\nlicense: MIT\nallowed-tools: Read Bash(git:*) AskUserQuestion\n---\n";

fn files<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Snapshot {
    let file = |(path, text): (&str, &str)| {
        let executable = false;
        let bytes = text.as_bytes().to_vec();
        (
            RelativePath::new(path).unwrap(),
            FileBytes { bytes, executable },
        )
    };
    Snapshot::of(files.into_iter().map(file))
}

fn base() -> Snapshot {
    let text = format!("{HEAD}\nCall FileSearch. See [more](more.md).\n");
    files([("SKILL.md", text.as_str()), ("more.md", "More.\n")])
}

fn judged(result: &Snapshot) -> Result<Vec<String>, String> {
    let tools = ToolNames::new([("AskUserQuestion", "ask_user")]).unwrap();
    let verdict = judge("find", &base(), result, &tools);
    verdict
        .map(|verdict| verdict.cautions)
        .map_err(|reason| reason.why)
}

/// The base with one text of its SKILL.md replaced.
fn with(old: &str, new: &str) -> Snapshot {
    let mut result = base();
    if let Some(Entry::File(file)) = result.entries.get_mut("SKILL.md") {
        let text = String::from_utf8(file.bytes.clone()).unwrap();
        assert!(text.contains(old), "{old}");
        file.bytes = text.replace(old, new).into_bytes();
    }
    result
}

fn and(path: &str, text: &str) -> Snapshot {
    let mut result = base();
    let more = files([(path, text)]);
    result.entries.extend(more.entries);
    result
}

#[test]
fn repairs_pass() {
    for (old, new) in [
        ("FileSearch", "Grep"),
        ("Finds code.", "Finds code quickly."),
        ("Read Bash(git:*) AskUserQuestion", "Read"),
        ("AskUserQuestion", "ask_user"),
    ] {
        assert_eq!(judged(&with(old, new)), Ok(Vec::new()), "{new}");
    }
}

#[test]
fn what_breaks_a_bound_is_refused() {
    let cases = [
        (with("name: find", "name: other"), "its name is another"),
        (
            with("license: MIT", "license: GPL"),
            "the field `license` is another",
        ),
        (with("license: MIT\n", ""), "the field `license` is another"),
        (
            with("license: MIT", "license: MIT\nhooks: {a: b}"),
            "the field `hooks` is another",
        ),
        (
            with("Read Bash", "Read Write Bash"),
            "`allowed-tools` allows Write now",
        ),
        (
            with("Bash(git:*)", "Bash"),
            "`allowed-tools` allows Bash now",
        ),
        (
            with("Bash(git:*)", "Bash(rm:*)"),
            "`allowed-tools` allows Bash(rm:*) now",
        ),
        (
            with("allowed-tools: Read Bash(git:*) AskUserQuestion\n", ""),
            "`allowed-tools` was removed",
        ),
        (
            and("SKILL.md", ""),
            "its SKILL.md is gone, empty, or not a skill any more",
        ),
        (
            and("SKILL.md", HEAD),
            "its SKILL.md has no instructions any more",
        ),
        (and("more.md", " \n"), "more.md is empty"),
        (
            and("more.md", "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n"),
            "more.md holds the marks of a conflict",
        ),
    ];
    for (result, why) in cases {
        assert_eq!(judged(&result), Err(why.to_owned()));
    }
    for (result, rule) in [
        (with("(more.md)", "(../../other/SKILL.md)"), "[link-escape]"),
        (with("(more.md)", "(gone.md)"), "[link-broken]"),
        (with("Call", "Call\u{202e}"), "[hidden-text]"),
        (with("Finds code.", &"long ".repeat(300)), "description"),
    ] {
        let why = judged(&result).unwrap_err();
        let is_it = why.starts_with("a check finds more: ") && why.contains(rule);
        assert!(is_it, "{why}");
    }
    let mut result = base();
    let link = Entry::Link("/etc/passwd".into());
    let path = RelativePath::new("link").unwrap();
    result.entries.insert(path, link);
    assert_eq!(judged(&result), Err("link is a new link".to_owned()));
    result = base();
    result.entries.remove("SKILL.md");
    assert!(judged(&result).is_err());
}

#[test]
fn what_a_person_looks_at() {
    for (result, caution) in [
        (
            and("scripts/a.sh", "echo a\n"),
            "scripts/a.sh is a new script",
        ),
        (
            with("Call", "See https://evil.example/x. Call"),
            "https://evil.example/x is a new address",
        ),
    ] {
        let cautions = judged(&result).unwrap();
        assert!(cautions.contains(&caution.to_owned()), "{cautions:?}");
    }
    let mut result = base();
    if let Some(Entry::File(file)) = result.entries.get_mut("more.md") {
        file.executable = true;
    }
    assert_eq!(judged(&result).unwrap()[0], "more.md may be run now");
}
