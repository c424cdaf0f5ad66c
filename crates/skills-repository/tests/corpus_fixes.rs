//! Applies fixes to the published repositories in the folder `SKILLS_CORPUS`; skipped without the variable.
//!
//! The fixes of each rule are applied alone to a copy, which is then read and checked again.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may read and write files, and say that it was skipped"
)]

use serde_yaml::Value;
use skills_format::{Diagnostic, Document, Tree};
use skills_lint::FixLevel;
use skills_lint::Level;
use skills_lint::rules::{FixKind, RULES};
use skills_repository::repository::{Repository, Settings, Start};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn fixes_do_no_harm() {
    let Some(corpus) = std::env::var_os("SKILLS_CORPUS") else {
        println!("skipped: SKILLS_CORPUS names no folder");
        return;
    };
    let mut harm = Vec::new();
    let mut applied = BTreeMap::new();
    for part in ["repositories", "sample", "faults", "nasty"] {
        for source in folders(&Path::new(&corpus).join(part)) {
            let folder = tempfile::tempdir().expect("a folder");
            let root = folder.path().join("copy");
            copy(&source, &root);
            fs::create_dir_all(root.join(".git")).expect("a folder");
            Copy { source, root }.fix_each_rule(&mut applied, &mut harm);
        }
    }
    println!("fixed files by rule: {applied:?}");
    assert!(harm.is_empty(), "{}", harm.join("\n"));
    assert!(applied.len() > 5, "the corpus has few faults: {applied:?}");
}

/// A copy of a published repository.
struct Copy {
    source: PathBuf,
    root: PathBuf,
}

impl Copy {
    fn fix_each_rule(&self, applied: &mut BTreeMap<&'static str, usize>, harm: &mut Vec<String>) {
        let before = self.findings();
        for rule in RULES.iter().filter(|rule| rule.fix != FixKind::No) {
            let id = rule.id.as_str();
            let fixes = before.iter().filter(|finding| finding.rule.as_str() == id);
            let is_safe: BTreeSet<bool> = fixes
                .filter_map(|finding| Some(finding.fix.as_ref()?.safe))
                .collect();
            // If no fix of the rule is a guess, both levels apply the same fixes.
            let safe = is_safe.contains(&true).then_some(FixLevel::Safe);
            let all = is_safe.contains(&false).then_some(FixLevel::All);
            for level in safe.into_iter().chain(all) {
                *applied.entry(id).or_default() += self.fix_rule(id, level, &before, harm);
            }
        }
    }

    /// Applies the fixes of one rule, checks the result, and reverts the fixes. Returns the number of changed
    /// files.
    fn fix_rule(
        &self,
        id: &str,
        level: FixLevel,
        before: &[Diagnostic],
        harm: &mut Vec<String>,
    ) -> usize {
        let name = self.source.display();
        let mut complain = |what: String| harm.push(format!("{name}: {id} {level:?}: {what}"));
        let texts = self.fix(id, level);
        for (path, (old, new)) in &texts {
            if let Some(old) = old
                && let Some(difference) = difference(id, old, new)
            {
                complain(format!("{path}: {difference}"));
            }
            if level == FixLevel::Safe && old.as_deref().is_some_and(|old| !is_same_body(old, new))
            {
                complain(format!("{path}: a safe fix changes the body"));
            }
        }
        for finding in new_findings(before, &self.findings()) {
            // A mended text can hold a restraint that nobody could read before, or a form that a client drops.
            let is_of_mended =
                ["restraint-partial", "client-drops"].contains(&finding.rule.as_str());
            if id == "yaml-syntax" && is_of_mended {
                continue;
            }
            complain(format!("new: {finding}"));
        }
        let again = self.fix(id, level);
        for path in again.keys() {
            complain(format!("{path}: the second fix changes it again"));
        }
        for (path, (old, _)) in again.iter().chain(&texts) {
            let path = self.root.join(path);
            match old {
                Some(old) => fs::write(path, old).expect("a file"),
                None => fs::remove_file(path).expect("a file"),
            }
        }
        texts.len()
    }

    fn open(&self, settings: &Settings) -> Repository {
        let start = Start::new(Path::new("."), Some(&self.root)).expect("a start");
        Repository::open(start, settings).expect("a repository")
    }

    /// Returns the findings of every rule.
    fn findings(&self) -> Vec<Diagnostic> {
        let mut settings = Settings::default();
        let quiet = RULES.iter().filter(|rule| rule.level == Level::Allow);
        settings.levels = quiet
            .map(|rule| (rule.id.to_string(), Level::Warn))
            .collect();
        let repository = self.open(&settings);
        let bundles = repository.bundles.iter();
        bundles
            .flat_map(|bundle| repository.check(bundle).diagnostics)
            .collect()
    }

    /// Writes the fixes of one rule, and returns the old and the new text of each changed file. A new file has no old
    /// text.
    fn fix(&self, id: &str, level: FixLevel) -> BTreeMap<String, (Option<String>, String)> {
        let mut settings = Settings::default();
        let levels = RULES.iter().map(|rule| {
            let level = if rule.id.as_str() == id {
                Level::Warn
            } else {
                Level::Allow
            };
            (rule.id.to_string(), level)
        });
        settings.levels = levels.collect();
        let repository = self.open(&settings);
        let mut texts = BTreeMap::new();
        for bundle in &repository.bundles {
            let before = repository.read(bundle);
            let mut after = before.clone();
            for path in repository.fix(bundle, &mut after, level).changed {
                let (old, new) = (text(&before, &path), text(&after, &path));
                let new = new.expect("a text");
                let file = self.root.join(&path);
                fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
                fs::write(file, &new).expect("a file");
                texts.insert(path, (old, new));
            }
        }
        texts
    }
}

/// Returns the findings that are new. Lines, columns, and numbers in a message may differ.
fn new_findings<'f>(before: &'f [Diagnostic], after: &'f [Diagnostic]) -> Vec<&'f Diagnostic> {
    let key = |finding: &'f Diagnostic| {
        let message = finding
            .message
            .replace(|letter: char| letter.is_ascii_digit(), "");
        (finding.rule, &finding.path, message)
    };
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for finding in before {
        *known.entry(key(finding)).or_default() += 1;
    }
    let mut new = Vec::new();
    for finding in after {
        match known.get_mut(&key(finding)) {
            Some(left) if *left > 0 => *left -= 1,
            _ => new.push(finding),
        }
    }
    new
}

/// Returns how an independent YAML reader reads the front matter differently, apart from the rule's own field.
fn difference(rule: &str, old: &str, new: &str) -> Option<String> {
    let old = front_matter(old)?;
    let Some(new) = front_matter(new) else {
        return Some("the front matter does not parse any more".to_owned());
    };
    let about = match rule {
        "name-form" | "name-mismatch" | "name-missing" => "name",
        "allowed-tools-form" => "allowed-tools",
        _ => "",
    };
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let is_restraint = |key: &str| {
        rule == "restraint-partial" && matches!(key, "metadata" | "disable-model-invocation")
    };
    let differs = |key: &&&String| {
        **key != about
            && !is_restraint(key.as_str())
            && match (old.get(**key), new.get(**key)) {
                (Some(old), Some(new)) if rule == "hidden-text" => !is_rest(old, new),
                (Some(old), Some(new)) => !is_same(old, new),
                _ => true,
            }
    };
    let differing: Vec<&&String> = keys.iter().filter(differs).collect();
    let is_renamed = |keys: &[&&String]| {
        let mut values = keys.iter().map(|key| (old.get(**key), new.get(**key)));
        matches!((values.next(), values.next(), values.next()),
            (Some((a, b)), Some((c, d)), None) if a.or(c) == b.or(d))
    };
    match differing.as_slice() {
        [] => None,
        keys if rule == "field-typo" && is_renamed(keys) => None,
        keys => Some(format!("{keys:?} is read otherwise")),
    }
}

/// Returns whether two texts have one body, but for line ends and marks of byte order. A text without front matter is a body.
fn is_same_body(old: &str, new: &str) -> bool {
    let body = |text: &str| {
        let text = text.replace("\r\n", "\n").replace(['\r', '\u{FEFF}'], "");
        let body = Document::split(&text).map(|document| document.body.of(&text).to_owned());
        body.unwrap_or(text)
    };
    body(old) == body(new)
}

/// Returns whether a text results from another by removing characters.
fn is_rest(old: &Value, new: &Value) -> bool {
    let mut letters = old.as_str().unwrap_or_default().chars();
    let mut new_letters = new.as_str().unwrap_or_default().chars();
    old == new || new.is_string() && new_letters.all(|new| letters.any(|old| old == new))
}

fn front_matter(text: &str) -> Option<BTreeMap<String, Value>> {
    let document = Document::split(text).ok()?;
    serde_yaml::from_str(document.yaml.of(text)).ok()
}

/// Returns whether two values are equal: a fix may quote a number or boolean, and write `/` in a path.
fn is_same(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::String(old), Value::String(new)) => {
            old.replace('\\', "/") == new.replace('\\', "/")
        }
        (Value::Number(old), Value::String(new)) => {
            let new: Result<f64, _> = new.parse();
            new.is_ok_and(|new| old.as_f64() == Some(new))
        }
        (Value::Bool(_), Value::String(new)) => {
            let quoted: Result<bool, _> = new.to_lowercase().parse();
            quoted.is_ok_and(|quoted| *old == Value::Bool(quoted))
        }
        (Value::Sequence(old), Value::Sequence(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same(old, new))
        }
        (Value::Mapping(old), Value::Mapping(new)) => {
            let mut pairs = old.iter().zip(new);
            old.len() == new.len()
                && pairs.all(|(old, new)| is_same(old.0, new.0) && is_same(old.1, new.1))
        }
        _ => old == new,
    }
}

fn text(tree: &Tree, path: &str) -> Option<String> {
    let bytes = tree.get(path)?.bytes.clone().expect("bytes");
    Some(String::from_utf8(bytes).expect("UTF-8"))
}

fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).expect("a folder");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() {
            copy(&from, &to);
        } else if kind.is_symlink() {
            #[cfg(unix)]
            std::os::unix::fs::symlink(fs::read_link(&from).expect("a link"), to).expect("a link");
        } else {
            let bytes = fs::read(&from).expect("a file");
            fs::write(to, bytes).expect("a file");
        }
    }
}
