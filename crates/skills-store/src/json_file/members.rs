//! Reads and writes the members of the JSON object in a file.

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;

/// Parses an object, or returns the reason why the bytes are invalid. A repeated member is an error: one of the
/// values would be lost silently.
pub(super) fn read(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    match serde_json::from_slice(bytes) {
        Ok(Members(object)) => Ok(object),
        Err(error) if !error.is_data() => Err(format!("it is not JSON: {error}")),
        Err(error) => Err(match error.to_string() {
            what if what.starts_with("invalid type") => "it is not a JSON object".to_owned(),
            what => what,
        }),
    }
}

/// Renders an object with line breaks. A member that is unchanged since `before` keeps its bytes: a number in an
/// unknown field would otherwise lose digits.
///
/// # Errors
///
/// If `before` is not an object. An empty text stands for a missing file.
pub(super) fn write(object: &Map<String, Value>, before: &[u8]) -> serde_json::Result<String> {
    let before: BTreeMap<String, &RawValue> = match before {
        [] => BTreeMap::new(),
        before => serde_json::from_slice(before)?,
    };
    let members = object.iter().map(|(name, value)| {
        let same = before.get(name).filter(|raw| is(raw, value));
        (
            name,
            same.map_or(Member::New(value), |raw| Member::Kept(raw)),
        )
    });
    let mut text = serde_json::to_string_pretty(&Written(members.collect()))?;
    text.push('\n');
    Ok(text)
}

fn is(raw: &RawValue, value: &Value) -> bool {
    serde_json::from_str::<Value>(raw.get()).is_ok_and(|raw| raw == *value)
}

struct Members(Map<String, Value>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Members, A::Error> {
        let mut members = Map::new();
        while let Some((name, value)) = access.next_entry::<String, Value>()? {
            let twice = format!("`{name}` is in it twice");
            if members.insert(name, value).is_some() {
                return Err(de::Error::custom(twice));
            }
        }
        Ok(Members(members))
    }
}

struct Written<'a>(Vec<(&'a String, Member<'a>)>);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, member)| (name, member)))
    }
}

enum Member<'a> {
    Kept(&'a RawValue),
    New(&'a Value),
}

impl Serialize for Member<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Kept(raw) => raw.serialize(serializer),
            Self::New(value) => value.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_members_keep_their_bytes() {
        let before =
            r#"{"a": 0.30000000000000004441, "b":{ "c" : 1e2, "c": 1.10 },"d": [1], "e\n": 2}"#;
        let mut object = read(before.as_bytes()).unwrap();
        object.insert("d".to_owned(), vec![1, 2].into());
        let text = write(&object, before.as_bytes()).unwrap();
        for kept in [
            "0.30000000000000004441",
            r#"{ "c" : 1e2, "c": 1.10 }"#,
            r#""e\n": 2"#,
        ] {
            assert!(text.contains(kept), "{text}");
        }
        assert!(text.contains("[\n    1,\n    2\n  ]"), "{text}");
        assert_eq!(read(text.as_bytes()).unwrap(), object);
    }
}
