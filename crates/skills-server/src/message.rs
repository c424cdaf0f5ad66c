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

/// The version of the protocol in which a client may send several messages as an array. It came with this version,
/// and went with the next.
pub(crate) const BATCHED: &str = "2025-03-26";
/// Maximum number of messages in a batch.
pub(crate) const MOST: usize = 100;

/// What a client sends at once.
#[derive(Debug)]
pub(crate) enum Received {
    Message(Value),
    /// The messages of a batch. None of them was checked.
    Batch(Vec<Value>),
}

/// The byte-order mark with which some clients start.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Returns the body of a request without a byte-order mark, which the SDK does not read.
#[cfg(feature = "http")]
pub(crate) fn without_mark(mut body: hyper::body::Bytes) -> hyper::body::Bytes {
    if body.starts_with(MARK) {
        return body.split_off(MARK.len());
    }
    body
}

/// Parses what a client sends as JSON, and checks the parameters of a single message.
pub(crate) fn read(text: &[u8]) -> Result<Received, Refused> {
    let refused = |error| Refused::new(None, error);
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let value: Value = serde_json::from_slice(text).map_err(|error| {
        let message = format!("the message is not JSON: {error}");
        refused(ErrorData::parse_error(message, None))
    })?;
    match value {
        Value::Array(messages) if messages.is_empty() => {
            Err(refused(wrong("a batch has at least one message")))
        }
        Value::Array(messages) if messages.len() > MOST => {
            let (count, why) = (messages.len(), "send several batches");
            let why = format!("the batch has {count} messages, and at most {MOST} are read; {why}");
            Err(refused(ErrorData::invalid_request(why, None)))
        }
        Value::Array(messages) => Ok(Received::Batch(messages)),
        message => checked(message).map(Received::Message),
    }
}

/// Checks a message and its parameters.
pub(crate) fn checked(value: Value) -> Result<Value, Refused> {
    let refused = |error| Refused::new(None, error);
    let Value::Object(message) = &value else {
        return Err(refused(wrong("a message is an object")));
    };
    let id = id_of(message).map_err(refused)?;
    match error_of(message, id.is_some()) {
        Some(error) => Err(Refused::new(id, error)),
        None => Ok(value),
    }
}

/// Checks a message of a batch.
pub(crate) fn checked_in_batch(value: Value) -> Result<Value, Refused> {
    let message = checked(value)?;
    // The client does not know yet whether the server reads batches.
    if message
        .get("method")
        .is_some_and(|method| method == "initialize")
    {
        let id = message
            .as_object()
            .map(id_of)
            .and_then(Result::ok)
            .flatten();
        return Err(Refused::new(
            id,
            wrong("initialize must not be in a batch; send it by itself"),
        ));
    }
    Ok(message)
}

/// Returns whether a message expects an answer.
#[cfg(feature = "http")]
pub(crate) fn is_request(message: &Value) -> bool {
    message.get("method").is_some() && message.get("id").is_some()
}

/// Creates the error for a batch in a version of the protocol without batches.
pub(crate) fn unbatched() -> Refused {
    let why =
        format!("only version {BATCHED} of the protocol has batches; send each message by itself");
    Refused::new(None, ErrorData::invalid_request(why, None))
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
        read(text.as_bytes())
            .err()
            .map(|refused| refused.error.code.0)
    }

    #[test]
    fn what_is_no_message() {
        for text in ["", "{", "\u{0}", "{\"a\":1e999}", "nul", "\u{feff}"] {
            assert_eq!(code(text), Some(-32700), "{text}");
        }
        assert_eq!(code(&"[".repeat(100_000)), Some(-32700));
        assert!(read(b"\"\xff\"").is_err_and(|refused| refused.error.code.0 == -32700));
        for text in [
            "null",
            "7",
            "[]",
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
    fn what_is_a_batch() {
        let batch = |count: usize| format!("[{}]", vec!["{}"; count].join(","));
        assert!(
            matches!(read(batch(MOST).as_bytes()), Ok(Received::Batch(all)) if all.len() == MOST)
        );
        for count in [0, MOST + 1, 100_000] {
            assert_eq!(code(&batch(count)), Some(-32600), "{count}");
        }
        // A batch in a batch is not a message.
        for inner in [
            "[]",
            "7",
            "null",
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
        ] {
            let inner = serde_json::from_str(inner).expect("JSON");
            let refused = checked_in_batch(inner).expect_err("refused");
            assert_eq!((refused.id, refused.error.code.0), (None, -32600));
        }
        let params =
            r#"{"protocolVersion":"x","capabilities":{},"clientInfo":{"name":"x","version":"1"}}"#;
        let hello =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{params}}}"#);
        let refused = checked_in_batch(serde_json::from_str(&hello).expect("JSON"));
        assert_eq!(refused.expect_err("refused").id, Some(RequestId::Number(1)));
    }

    #[test]
    fn an_error_has_the_id_of_its_request() {
        let refused = read(br#"{"jsonrpc":"2.0","id":7,"method":"x"}"#).expect_err("unknown");
        assert_eq!(
            (refused.id, refused.error.code.0),
            (Some(RequestId::Number(7)), -32601)
        );
        let refused = read(br#"{"jsonrpc":"1.0","id":"a","method":"x"}"#).expect_err("wrong");
        assert_eq!(refused.id, Some(RequestId::String("a".into())));
    }
}
