//! Any bytes as `skills.json`: what a person disabled stays disabled, and a file that cannot be read is
//! not written.

use serde_json::{Map, Value};
use skills_format::mention::Id;
use skills_format::nfc;
use skills_store::{Disabled, StateFile};
use std::collections::BTreeSet;
use std::{env, fs, process};

/// Panics when it does not hold.
pub(crate) fn hold(bytes: &[u8]) {
    let folder = env::temp_dir().join(format!("skills-state-{}", process::id()));
    let path = folder.join("skills.json");
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, bytes));
    assert!(written.is_ok(), "{written:?}");
    let file = StateFile::new(&path);
    let before = file.read().expect("a state");
    let is_whole = before.diagnostics.is_empty();
    assert_eq!(before.value.unknown.is_some(), !is_whole);
    let json: Option<Value> = serde_json::from_slice(bytes).ok();
    for id in disabled(json.as_ref()) {
        assert!(!is_whole || is_off(&before.value, id), "{id:?}");
    }
    assert_eq!(file.check().is_ok(), is_whole);
    let mut ids: BTreeSet<String> = before.value.ids.clone();
    let updated = file.update(|state| state.ids.insert("aleph".into()));
    assert_eq!(updated.is_ok(), is_whole);
    if is_whole {
        assert_eq!(
            ids,
            disabled(json.as_ref())
                .into_iter()
                .map(|id| nfc(id).into_owned())
                .collect()
        );
        ids.insert("aleph".to_owned());
        let after = file.read().expect("a state");
        assert!(after.diagnostics.is_empty() && after.value.unknown.is_none());
        assert!(after.value.ids == ids, "{after:?}");
        let after = fs::read(&path).expect("the file");
        assert_eq!(others(bytes), others(&after));
    } else {
        assert_eq!(fs::read(&path).expect("the file"), bytes);
    }
    assert!(fs::remove_dir_all(&folder).is_ok());
}

/// The ids of a list of nothing but ids.
fn disabled(json: Option<&Value>) -> Vec<&str> {
    let list = json.and_then(|json| json.get("disabled")?.as_array());
    let ids = list.map(|list| list.iter().map(Value::as_str).collect::<Option<_>>());
    ids.flatten().unwrap_or_default()
}

fn is_off(state: &Disabled, id: &str) -> bool {
    // The names of skills are in this form.
    let id = &*nfc(id);
    state.ids.contains(id) || state.ids.contains(Id::parse(id).name)
}

/// The members that the program does not know. A number in them has the digits of an `f64`.
fn others(bytes: &[u8]) -> Map<String, Value> {
    let mut members: Map<String, Value> = serde_json::from_slice(bytes).expect("an object");
    members.retain(|name, _| !["version", "disabled"].contains(&name.as_str()));
    members
}
