//! Any text as front matter: places are those of the text, and what can be read is JSON. A restraint
//! beside it holds.

use skills_format::SkillFile;
use skills_format::yaml::{Node, Value, parse};

/// Panics when it does not hold.
pub(crate) fn hold(text: &str) {
    if let Ok(Some(node)) = parse(text) {
        places(&node, text);
        let json: Result<serde_json::Value, _> = serde_json::from_str(&node.to_json());
        assert!(json.is_ok(), "{json:?}");
    }
    let file = format!("---\nuser-invocable: false\n{text}\n---\nBody.\n");
    let file = SkillFile::read("x/SKILL.md", "x", file.as_bytes());
    let skills = [file.strict(), file.lenient().0];
    for skill in skills.into_iter().flatten() {
        let is_whole = file.front_matter.as_ref().is_some_and(Result::is_ok);
        assert!(
            !is_whole || !skill.fields.user_invocable,
            "a restraint is lost"
        );
    }
}

fn places(node: &Node, text: &str) {
    assert!(text.get(node.span.range()).is_some(), "{:?}", node.span);
    match &node.value {
        Value::Scalar(_) => {}
        Value::Sequence(items) => items.iter().for_each(|item| places(item, text)),
        Value::Mapping(entries) => {
            for (key, value) in entries {
                places(key, text);
                places(value, text);
            }
        }
    }
}
