//! The playground finds what the program finds: no rule is written twice.

use skills_format::Diagnostic;
use skills_play::{NOT_CHECKED, Playground};
use skills_repository::check;
use skills_repository::repository::{Repository, Settings, Start, check_text};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A finding as both show it.
type Shown = (String, &'static str, usize, usize, String, bool);

fn shown(found: &Diagnostic) -> Shown {
    let fix = found.fix.as_ref();
    (
        found.path.clone(),
        found.rule.as_str(),
        found.start.line,
        found.start.column,
        found.message.to_string(),
        fix.is_some_and(|fix| fix.safe),
    )
}

/// Leaves out the rules that need a disk.
fn compared(found: &[Diagnostic]) -> BTreeSet<Shown> {
    let is_compared = |it: &&Diagnostic| !NOT_CHECKED.iter().any(|rule| it.is(*rule));
    found.iter().filter(is_compared).map(shown).collect()
}

/// Returns the findings of the program about a folder that is not a repository of git.
fn of_program(root: &Path) -> BTreeSet<Shown> {
    let start = Start::new(Path::new("."), Some(root)).unwrap();
    let repository = Repository::open(start, &Settings::default()).unwrap();
    let checked = check::check(&repository, &[], root);
    let bundles = checked.bundles.into_iter();
    let mut found: Vec<Diagnostic> = bundles.flat_map(|found| found.diagnostics).collect();
    found.extend(checked.others);
    compared(&found)
}

/// Opens a folder as the page does.
fn opened(root: &Path) -> Playground {
    let name = root.file_name().unwrap().to_string_lossy();
    let mut playground = Playground::of_folder(&name);
    let mut files = Vec::new();
    read(root, "", &mut files);
    for (path, bytes) in files {
        playground.put(&path, Some(bytes), 0);
    }
    playground
}

fn read(folder: &Path, below: &str, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = skills_format::join(below, &entry.file_name().to_string_lossy());
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            read(&entry.path(), &path, files);
        } else if kind.is_file() {
            files.push((path, fs::read(entry.path()).unwrap()));
        }
    }
}

fn of_page(root: &Path) -> BTreeSet<Shown> {
    let mut playground = opened(root);
    playground.check();
    compared(playground.diagnostics())
}

/// Compares the findings in a folder. Returns their number, or the differences.
fn is_same(root: &Path) -> Result<usize, String> {
    let (page, program) = (of_page(root), of_program(root));
    let only_page: Vec<_> = page.difference(&program).collect();
    let only_program: Vec<_> = program.difference(&page).collect();
    if only_page.is_empty() && only_program.is_empty() {
        return Ok(program.len());
    }
    let root = root.display();
    Err(format!(
        "{root}: page {only_page:#?}, program {only_program:#?}"
    ))
}

fn are_same(roots: &[PathBuf]) -> usize {
    let (same, other): (Vec<_>, Vec<_>) = roots
        .iter()
        .map(|root| is_same(root))
        .partition(Result::is_ok);
    let other: Vec<String> = other.into_iter().filter_map(Result::err).collect();
    assert!(other.is_empty(), "{}", other.join("\n"));
    same.into_iter().flatten().sum()
}

/// The examples of the rules, each as a folder of skills.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot hold every example")]
fn the_findings_in_a_folder_are_those_of_the_program() {
    let examples = tempfile::tempdir().unwrap();
    let mut roots = Vec::new();
    for rule in skills_lint::rules::RULES {
        for (name, example) in [("bad", &rule.bad), ("good", &rule.good)] {
            let root = examples.path().join(format!("{}-{name}", rule.id));
            for file in example.tree().files {
                // A page sees no links.
                let Some(bytes) = file.bytes else { continue };
                let path = root.join("skills").join(&file.path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
            if root.is_dir() {
                fs::write(root.join("skills/skills.toml"), example.config()).unwrap();
                roots.extend([root.join("skills"), root]);
            }
        }
    }
    let compared = are_same(&roots);
    // The examples hold some 150 findings: far fewer would mean that most were not compared.
    assert!(compared > 120, "{compared}");
}

/// The examples of the rules and, with `SKILLS_CORPUS`, every real `SKILL.md`, each as a pasted text.
#[test]
fn the_findings_in_a_text_are_those_of_the_program() {
    let mut texts: Vec<Vec<u8>> = Vec::new();
    for rule in skills_lint::rules::RULES {
        for example in [&rule.bad, &rule.good] {
            let files = example.tree().files.into_iter();
            texts.extend(
                files
                    .filter(|it| it.path.ends_with("SKILL.md"))
                    .filter_map(|it| it.bytes),
            );
        }
    }
    for part in corpus(PARTS) {
        let mut files = Vec::new();
        read(&part, "", &mut files);
        let entries = files
            .into_iter()
            .filter(|(path, _)| path.ends_with("SKILL.md"));
        texts.extend(entries.map(|(_, bytes)| bytes));
    }
    let mut compared = 0;
    for bytes in texts {
        let mut playground = Playground::of_text("");
        playground.put("SKILL.md", Some(bytes.clone()), 0);
        playground.check();
        let of_page: Vec<Shown> = playground.diagnostics().iter().map(shown).collect();
        let program = check_text(Path::new("SKILL.md"), &bytes, &Settings::default());
        let of_program: Vec<Shown> = program.diagnostics.iter().map(shown).collect();
        assert_eq!(of_page, of_program);
        compared += of_program.len();
    }
    assert!(compared > 40, "{compared}");
}

/// The folders in parts of `SKILLS_CORPUS`; none without the variable.
fn corpus(parts: &[&str]) -> Vec<PathBuf> {
    let Some(corpus) = std::env::var_os("SKILLS_CORPUS") else {
        return Vec::new();
    };
    let parts = parts.iter();
    parts
        .flat_map(|part| fs::read_dir(Path::new(&corpus).join(part)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect()
}

const PARTS: &[&str] = &["sample", "nasty", "faults"];

/// In whole repositories, the page also checks copies of skills and what git ignores, and misses nothing.
#[test]
fn the_page_finds_what_the_program_finds_in_repositories() {
    for root in corpus(&["repositories"]) {
        let (page, program) = (of_page(&root), of_program(&root));
        let only_program: Vec<_> = program.difference(&page).collect();
        assert!(
            only_program.is_empty(),
            "{}: {only_program:#?}",
            root.display()
        );
    }
}

/// Each folder of real skills. A folder without links and plugins has the findings of the program.
#[test]
fn the_findings_in_real_folders_are_those_of_the_program() {
    let roots = corpus(PARTS);
    let compared = are_same(&roots);
    assert!(roots.is_empty() || compared > 100, "{compared}");
}

/// Fixing everything writes what `skills check --fix` writes.
#[test]
fn the_fixes_are_those_of_the_program() {
    let mut fixed = 0;
    for rule in skills_lint::rules::RULES {
        let mut tree = rule.bad.tree();
        if tree.files.iter().any(|file| file.bytes.is_none()) {
            continue;
        }
        let mut playground = Playground::of_folder("skills");
        for file in &tree.files {
            playground.put(&file.path, file.bytes.clone(), 0);
        }
        playground.check();
        let answer: serde_json::Value = serde_json::from_str(&playground.fix_all(true)).unwrap();
        let config = skills_lint::Config::default();
        let scope = skills_lint::Scope {
            clients: skills_lint::Clients::new(skills_clients::check::clients(), &[]),
            root_name: "skills",
            ..skills_lint::Scope::default()
        };
        let level = skills_lint::FixLevel::All;
        skills_lint::fix("", &mut tree, level, &|tree| {
            skills_lint::check_bundle(None, "", tree, &config, scope).diagnostics
        });
        for changed in answer["changed"].as_array().unwrap() {
            let path = changed["path"].as_str().unwrap();
            let bytes = tree.get(path).unwrap().bytes.as_deref();
            assert_eq!(changed["text"].as_str().map(str::as_bytes), bytes, "{path}");
            fixed += 1;
        }
    }
    assert!(fixed > 15, "{fixed}");
}
