//! The methods that the server answers, and the types of their parameters.

use crate::listing::{invalid, short};
use rmcp::ErrorData;
use rmcp::model::ErrorCode;
use serde_json::Value;

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Flag,
    Object,
    /// An object whose values are strings.
    Texts,
    /// An array of strings.
    List,
    /// A level of the log.
    Level,
}

use Kind::{Flag, Level, List, Object, Text, Texts};

/// The levels of the log, the least severe first.
const LEVELS: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

/// A parameter: its path, its type, and whether a request needs it. An object precedes its members.
type Parameter = (&'static str, Kind, bool);

/// Every method, with its parameters.
const METHODS: &[(&str, &[Parameter])] = &[
    (
        "initialize",
        &[
            ("protocolVersion", Text, true),
            ("capabilities", Object, true),
            ("clientInfo", Object, true),
            ("clientInfo.name", Text, true),
            ("clientInfo.version", Text, true),
        ],
    ),
    ("server/discover", &[]),
    ("ping", &[]),
    ("skills/list", PAGE),
    ("skills/get", &[("uri", Text, true)]),
    ("resources/list", PAGE),
    ("resources/templates/list", PAGE),
    ("resources/read", &[("uri", Text, true)]),
    ("resources/subscribe", &[("uri", Text, true)]),
    ("resources/unsubscribe", &[("uri", Text, true)]),
    (
        "resources/directory/read",
        &[("uri", Text, true), ("cursor", Text, false)],
    ),
    ("tools/list", PAGE),
    (
        "tools/call",
        &[("name", Text, true), ("arguments", Object, false)],
    ),
    ("prompts/list", PAGE),
    (
        "prompts/get",
        &[("name", Text, true), ("arguments", Texts, false)],
    ),
    (
        "completion/complete",
        &[
            ("ref", Object, true),
            ("ref.type", Text, true),
            ("ref.name", Text, false),
            ("ref.uri", Text, false),
            ("argument", Object, true),
            ("argument.name", Text, true),
            ("argument.value", Text, true),
            ("context", Object, false),
            ("context.arguments", Texts, false),
        ],
    ),
    (
        "subscriptions/listen",
        &[
            ("notifications", Object, true),
            ("notifications.toolsListChanged", Flag, false),
            ("notifications.promptsListChanged", Flag, false),
            ("notifications.resourcesListChanged", Flag, false),
            ("notifications.resourceSubscriptions", List, false),
        ],
    ),
    ("logging/setLevel", &[("level", Level, true)]),
];
const PAGE: &[Parameter] = &[("cursor", Text, false)];

/// The methods that ended with 2026-07-28, each with what stands in its place.
const ENDED: [(&str, &str); 5] = [
    ("initialize", "server/discover"),
    ("ping", "any other request"),
    (
        "logging/setLevel",
        "`_meta` with `io.modelcontextprotocol/logLevel`",
    ),
    ("resources/subscribe", "subscriptions/listen"),
    ("resources/unsubscribe", "notifications/cancelled"),
];

/// Returns the error of a request's parameters. `params` is null if there are none.
pub(crate) fn parameters_error(method: &str, params: &Value) -> Option<ErrorData> {
    let version = params
        .pointer("/_meta/io.modelcontextprotocol~1protocolVersion")
        .and_then(Value::as_str);
    let ended = ENDED.iter().find(|(ended, _)| *ended == method);
    if let Some((_, instead)) = ended
        && let Some(version) = version.filter(|version| *version >= "2026-07-28")
    {
        let version = short(version);
        let message = format!("{method} is not a method of {version}; in its place is {instead}");
        return Some(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None));
    }
    let Some((_, parameters)) = METHODS.iter().find(|(known, _)| *known == method) else {
        return Some(unknown_method(method));
    };
    let all = [("_meta", Object, false)];
    let wrong = if params.is_null() || params.is_object() {
        let mut parameters = all.iter().chain(*parameters);
        parameters.find_map(|parameter| wrong_parameter(params, parameter))
    } else {
        Some(format!("`params` must be an object, not {}", said(params)))
    };
    wrong.map(|wrong| invalid(format!("{method}: {wrong}")))
}

/// Creates the error for an unknown method.
pub(crate) fn unknown_method(method: &str) -> ErrorData {
    let known: Vec<&str> = METHODS.iter().map(|(known, _)| *known).collect();
    let message = format!(
        "unknown method '{}'; this server answers {}",
        short(method),
        known.join(", ")
    );
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
}

fn wrong_parameter(params: &Value, (path, kind, is_needed): &Parameter) -> Option<String> {
    let mut parts = path.split('.');
    // A required member of a missing optional object is not missing.
    let mut of = params;
    let mut last = parts.next()?;
    for part in parts {
        of = of.get(last)?;
        last = part;
    }
    match of.get(last) {
        None | Some(Value::Null) if *is_needed => Some(format!("`{path}` is missing")),
        None | Some(Value::Null) => None,
        Some(value) => mistyped(path, *kind, value),
    }
}

fn mistyped(path: &str, kind: Kind, value: &Value) -> Option<String> {
    let expected = match (kind, value) {
        (Text, Value::String(_)) | (Flag, Value::Bool(_)) | (Object, Value::Object(_)) => {
            return None;
        }
        (Texts, Value::Object(texts)) => {
            let (name, value) = texts.iter().find(|(_, value)| !value.is_string())?;
            let path = format!("{path}.{}", short(name));
            return mistyped(&path, Text, value);
        }
        (List, Value::Array(texts)) => {
            let at = texts.iter().position(|text| !text.is_string())?;
            return mistyped(&format!("{path}[{at}]"), Text, texts.get(at)?);
        }
        (Level, Value::String(level)) if LEVELS.contains(&level.as_str()) => return None,
        (Level, Value::String(level)) => {
            let (levels, level) = (LEVELS.join(", "), short(level));
            return Some(format!("`{path}` must be one of {levels}, not '{level}'"));
        }
        (Text | Level, _) => "a string",
        (Flag, _) => "true or false",
        (Object | Texts, _) => "an object",
        (List, _) => "an array",
    };
    Some(format!("`{path}` must be {expected}, not {}", said(value)))
}

/// Names the type of a value.
fn said(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_parameter_with_each_wrong_type() {
        let values = [json!(7), json!("x"), json!(true), json!([]), json!({})];
        for (method, parameters) in METHODS {
            for value in values.iter().filter(|value| !value.is_object()) {
                let error = parameters_error(method, value).expect("wrong");
                assert!(
                    error.message.contains("`params` must be an object"),
                    "{method}"
                );
                let error = parameters_error(method, &json!({ "_meta": value })).expect("wrong");
                assert!(
                    error.message.contains("`_meta` must be an object"),
                    "{method}"
                );
            }
            for (path, kind, _) in *parameters {
                for value in &values {
                    let params = with(method, path, value);
                    let error = parameters_error(method, &params);
                    let fits = match kind {
                        Text => value.is_string(),
                        Flag => value.is_boolean(),
                        Object | Texts => value.is_object(),
                        List => value.is_array(),
                        Level => false,
                    };
                    // An object without its members lacks required members.
                    let message = error
                        .map(|error| error.message.into_owned())
                        .unwrap_or_default();
                    let says = message.contains(&format!("`{path}` must be"));
                    assert_eq!(says, !fits, "{method} {params}: {message}");
                }
            }
        }
    }

    #[test]
    fn each_missing_parameter() {
        for (method, parameters) in METHODS {
            assert_eq!(parameters_error(method, &valid(method)), None, "{method}");
            for (path, _, is_needed) in *parameters {
                let missing = parameters_error(method, &with(method, path, &Value::Null));
                let says = missing.is_some_and(|error| error.message.ends_with("is missing"));
                assert_eq!(says, *is_needed, "{method} {path}");
            }
        }
    }

    #[test]
    fn arguments_are_texts() {
        let params = json!({ "name": "a", "arguments": { "b": 7 } });
        let error = parameters_error("prompts/get", &params).expect("wrong");
        assert_eq!(
            error.message,
            "prompts/get: `arguments.b` must be a string, not a number"
        );
    }

    /// Creates valid parameters of a method.
    fn valid(method: &str) -> Value {
        let mut params = json!({});
        let known = METHODS.iter().find(|(known, _)| *known == method);
        for (path, kind, _) in known.expect("a method").1 {
            let value = match kind {
                Text => json!("x"),
                Flag => json!(true),
                Object | Texts => json!({}),
                List => json!(["x"]),
                Level => json!("info"),
            };
            put(&mut params, path, value);
        }
        params
    }

    /// Creates valid parameters, except for the value at a path.
    fn with(method: &str, path: &str, value: &Value) -> Value {
        let mut params = valid(method);
        put(&mut params, path, value.clone());
        params
    }

    fn put(params: &mut Value, path: &str, value: Value) {
        let place = path.split('.').fold(params, |place, part| &mut place[part]);
        *place = value;
    }
}
