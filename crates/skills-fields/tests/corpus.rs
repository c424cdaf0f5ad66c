//! Values that `serde_yaml` reads otherwise than the program, over the folder of real skills that `SKILLS_CORPUS` names.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

use serde_json::Value;
use skills_format::SkillFile;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn skill_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_symlink() {
        } else if path.is_dir() {
            skill_files(&path, found);
        } else if path.ends_with("SKILL.md") {
            found.push(path);
        }
    }
}

fn compare(key: &str, ours: &Value, theirs: &Value, found: &mut Vec<(String, String, String)>) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let keys: std::collections::BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
            for name in keys {
                let [ours, theirs] = [ours, theirs].map(|it| it.get(name).unwrap_or(&Value::Null));
                compare(&format!("{key}.{name}"), ours, theirs, found);
            }
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            for (ours, theirs) in ours.iter().zip(theirs) {
                compare(key, ours, theirs, found);
            }
        }
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => {}
        _ if ours == theirs => {}
        _ => found.push((key.to_owned(), ours.to_string(), theirs.to_string())),
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the list of a run")]
fn values_that_are_read_otherwise() {
    #[expect(clippy::disallowed_methods, reason = "the folder of real skills")]
    let Some(corpus) = std::env::var_os("SKILLS_CORPUS") else {
        return;
    };
    let mut files = Vec::new();
    skill_files(Path::new(&corpus), &mut files);
    let (mut read, mut differ, mut refused) = (0, Vec::new(), BTreeMap::new());
    for path in files {
        let bytes = fs::read(&path).unwrap();
        let file = SkillFile::read(path.to_string_lossy(), "x", &bytes);
        let (Ok(text), Some(skill)) = (file.text, file.strict()) else {
            continue;
        };
        read += 1;
        match skills_fields::read::<Value>(&file.path, text) {
            Ok(theirs) => {
                let ours: Value = serde_json::from_str(&skill.front_matter_values()).unwrap();
                let mut ours = ours;
                // The description of a skill has no white space at its ends.
                let mut theirs = theirs;
                for value in [&mut ours, &mut theirs] {
                    if let Some(Value::String(text)) = value.get_mut("description") {
                        *text = text.trim().to_owned();
                    }
                }
                compare("", &ours, &theirs, &mut differ);
            }
            Err(error) => {
                *refused
                    .entry(error.diagnostic().message.to_string())
                    .or_insert(0) += 1;
            }
        }
    }
    println!("{read} skills; {} values differ", differ.len());
    for (key, ours, theirs) in &differ {
        println!("{key}: here {ours}, serde {theirs}");
    }
    println!("refused: {refused:#?}");
    assert!(read > 0);
}
