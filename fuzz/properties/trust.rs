//! Any bytes as `trust.json`: a skill is trusted only by a record of its folder as it is, records are
//! read as they were written, and a file that cannot be read trusts nothing and is not written.
//!
//! `{ROOT}` and `{RECORD}` in the bytes stand for the root of a skill, and for its record.

use serde_json::Value;
use skills_runtime::Catalog;
use skills_runtime::source::TrustRecord;
use skills_store::TrustFile;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs, process};

const SKILL: &str = "---\nname: deploy\ndescription: Deploys.\n---\nDo it.\n";

/// A skill of a project, its record, and that record as JSON.
static PROJECT: LazyLock<(PathBuf, TrustRecord, String)> = LazyLock::new(|| {
    let root = env::temp_dir().join(format!("skills-trust-root-{}", process::id()));
    let skill = root.join("deploy");
    let written = fs::create_dir_all(&skill)
        .and_then(|()| fs::write(skill.join("SKILL.md"), SKILL))
        .and_then(|()| fs::write(skill.join(".hidden"), "x"));
    assert!(written.is_ok(), "{written:?}");
    let record = load(&root, Vec::new())
        .get("project:deploy")
        .expect("a skill")
        .trust_record();
    let record = record.expect("a record");
    let file = TrustFile::new(root.with_extension("json"));
    file.trust(vec![record.clone()]).expect("trusted");
    let text = fs::read(file.path()).expect("the file");
    let json: Value = serde_json::from_slice(&text).expect("JSON");
    (root, record, json["skills"][0].to_string())
});

/// Panics when it does not hold.
pub(crate) fn hold(bytes: &[u8]) {
    let (root, genuine, json) = &*PROJECT;
    let text = String::from_utf8_lossy(bytes).replace("{RECORD}", json);
    let text = text.replace("{ROOT}", &root.to_string_lossy());
    let folder = env::temp_dir().join(format!("skills-trust-{}", process::id()));
    let path = folder.join("trust.json");
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, &text));
    assert!(written.is_ok(), "{written:?}");
    let file = TrustFile::new(&path);
    let before = file.read().expect("records");
    let is_whole = before.diagnostics.is_empty();
    assert!(is_whole || before.value.is_empty());
    let is_genuine = |record: &TrustRecord| {
        record.place() == genuine.place() && record.digest() == genuine.digest()
    };
    let catalog = load(root, before.value.clone());
    let is_trusted = catalog.get("project:deploy").expect("a skill").is_trusted();
    assert!(!is_trusted || before.value.iter().any(is_genuine), "{text}");
    let kept = file.distrust(&[genuine]);
    assert_eq!(kept.is_ok(), is_whole);
    if is_whole {
        let mut left = before.value;
        left.retain(|record| record.place() != (root, Path::new("deploy")));
        left.sort_by(|a, b| a.place().cmp(&b.place()));
        let after = file.read().expect("records");
        assert!(after.diagnostics.is_empty());
        assert_eq!(after.value, left);
        let catalog = load(root, after.value);
        assert!(!catalog.get("project:deploy").expect("a skill").is_trusted());
    } else {
        assert!(fs::read(&path).is_ok_and(|now| now == text.as_bytes()));
    }
    assert!(fs::remove_dir_all(&folder).is_ok());
}

fn load(root: &Path, records: Vec<TrustRecord>) -> Catalog {
    let builder = Catalog::builder().untrusted("project", root);
    builder.trusted(records).load()
}
