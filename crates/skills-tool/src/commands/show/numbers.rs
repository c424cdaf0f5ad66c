//! Numbers of a front matter whose text JSON does not keep: `1.50`, `007`.

use serde_json::Value;
use std::collections::BTreeMap;

/// Returns the source texts of the numbers that JSON writes differently, by JSON pointer. `values` is the
/// front matter with numbers; `texts` is the front matter with each number as its source text.
pub(super) fn texts(
    values: &str,
    texts: &str,
) -> Result<BTreeMap<String, String>, serde_json::Error> {
    let mut found = BTreeMap::new();
    let (values, texts): (Value, Value) =
        (serde_json::from_str(values)?, serde_json::from_str(texts)?);
    collect(&values, &texts, String::new(), &mut found);
    Ok(found)
}

fn collect(value: &Value, text: &Value, at: String, found: &mut BTreeMap<String, String>) {
    match (value, text) {
        (Value::Number(number), Value::String(text)) if number.to_string() != *text => {
            found.insert(at, text.clone());
        }
        (Value::Array(values), Value::Array(texts)) => {
            for (place, (value, text)) in values.iter().zip(texts).enumerate() {
                collect(value, text, format!("{at}/{place}"), found);
            }
        }
        (Value::Object(values), Value::Object(texts)) => {
            for (key, value) in values {
                if let Some(text) = texts.get(key) {
                    // Escaped for a JSON pointer. `~` first: the escape of `/` contains a `~`.
                    let key = key.replace('~', "~0").replace('/', "~1");
                    collect(value, text, format!("{at}/{key}"), found);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_json_writes_otherwise() {
        let values = r#"{"a":[1,2.5,1.5],"b/c":{"d~":7,"e":"1.50"},"f":31,"g":true}"#;
        let written =
            r#"{"a":["1","2.5","1.50"],"b/c":{"d~":"007","e":"1.50"},"f":"0x1F","g":true}"#;
        let found = texts(values, written).expect("JSON");
        let found: Vec<(&str, &str)> = found.iter().map(|(at, text)| (&**at, &**text)).collect();
        assert_eq!(
            found,
            [("/a/2", "1.50"), ("/b~1c/d~0", "007"), ("/f", "0x1F")]
        );
    }
}
