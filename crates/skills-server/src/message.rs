//! Checks a client's message before the SDK reads it.

// The SDK ignores parameters of a wrong type and lines that are not JSON. The types of all parameters are data
// (`parameters.rs`), and each error names the wrong parameter.

use crate::parameters::parameters_error;
use rmcp::ErrorData;
use rmcp::model::RequestId;
use serde_json::{Map, Value};

/// Maximum length of a client's message, in bytes.
pub(crate) const LONGEST: usize = 1024 * 1024;

/// The error for a text that is not a message, or for a request with wrong parameters.
#[derive(Debug)]
pub(crate) struct Refused {
    /// The id of the request. `None` if the text has no readable id.
    pub(crate) id: Option<RequestId>,
    pub(crate) error: Box<ErrorData>,
}

impl Refused {
    pub(crate) fn new(id: Option<RequestId>, error: ErrorData) -> Self {
        let error = Box::new(error);
        Self { id, error }
    }
}

/// Parses a message as JSON, and checks its parameters.
pub(crate) fn read_message(text: &[u8]) -> Result<Value, Refused> {
    let refused = |error| Refused::new(None, error);
    // Some clients start with a byte-order mark.
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let value: Value = serde_json::from_slice(text).map_err(|error| {
        let message = format!("the message is not JSON: {error}");
        refused(ErrorData::parse_error(message, None))
    })?;
    let message = match &value {
        Value::Object(message) => message,
        Value::Array(_) => {
            let why = "a batch is not a message; send each message by itself";
            return Err(refused(wrong(why)));
        }
        _ => return Err(refused(wrong("a message is an object"))),
    };
    let id = id_of(message).map_err(refused)?;
    match error_of(message, id.is_some()) {
        Some(error) => Err(Refused::new(id, error)),
        None => Ok(value),
    }
}

/// Returns the error of a message. `is_request` is true for a message that expects an answer.
fn error_of(message: &Map<String, Value>, is_request: bool) -> Option<ErrorData> {
    if message
        .get("jsonrpc")
        .is_none_or(|version| version != "2.0")
    {
        return Some(wrong("`jsonrpc` must be \"2.0\""));
    }
    match message.get("method") {
        Some(Value::String(method)) if is_request => {
            parameters_error(method, message.get("params").unwrap_or(&Value::Null))
        }
        Some(Value::String(_)) => None,
        Some(_) => Some(wrong("`method` must be a string")),
        None if message.contains_key("result") || message.contains_key("error") => None,
        None => Some(wrong("the message has no `method`")),
    }
}

/// Returns the id of a request; `None` for a notification.
pub(crate) fn id_of(message: &Map<String, Value>) -> Result<Option<RequestId>, ErrorData> {
    match message.get("id") {
        None => Ok(None),
        Some(Value::String(id)) => Ok(Some(RequestId::String(id.as_str().into()))),
        Some(Value::Number(id)) if id.is_i64() => Ok(id.as_i64().map(RequestId::Number)),
        // An error about a request that could not be read.
        Some(Value::Null) if message.contains_key("error") => Ok(None),
        Some(_) => Err(wrong("`id` must be a string or a whole number below 2^63")),
    }
}

/// Explains why a longer message is not read.
pub(crate) fn too_long() -> String {
    format!("the message is longer than {LONGEST} bytes; send a shorter message")
}

fn wrong(why: &'static str) -> ErrorData {
    ErrorData::invalid_request(why, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Option<i32> {
        read_message(text.as_bytes())
            .err()
            .map(|refused| refused.error.code.0)
    }

    #[test]
    fn what_is_no_message() {
        for text in ["", "{", "\u{0}", "{\"a\":1e999}", "nul", "\u{feff}"] {
            assert_eq!(code(text), Some(-32700), "{text}");
        }
        assert_eq!(code(&"[".repeat(100_000)), Some(-32700));
        assert!(read_message(b"\"\xff\"").is_err_and(|refused| refused.error.code.0 == -32700));
        for text in [
            "null",
            "7",
            "[]",
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            "{}",
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
        ] {
            assert_eq!(code(text), Some(-32600), "{text}");
        }
    }

    #[test]
    fn what_is_a_message() {
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":\"\",\"method\":\"ping\"}",
            r#"{"jsonrpc":"2.0","id":-1,"method":"ping","params":null}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/any","params":7}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":7}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{}}"#,
        ] {
            assert_eq!(code(text), None, "{text}");
        }
    }

    #[test]
    fn an_error_has_the_id_of_its_request() {
        let refused =
            read_message(br#"{"jsonrpc":"2.0","id":7,"method":"x"}"#).expect_err("unknown");
        assert_eq!(
            (refused.id, refused.error.code.0),
            (Some(RequestId::Number(7)), -32601)
        );
        let refused =
            read_message(br#"{"jsonrpc":"1.0","id":"a","method":"x"}"#).expect_err("wrong");
        assert_eq!(refused.id, Some(RequestId::String("a".into())));
    }
}
