//! The answer to a refused request: a JSON-RPC error that says how to correct the request.

use crate::http::paced::Paced;
use crate::message::{Refused, id_of};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderMap, HeaderValue};
use hyper::{Response, StatusCode, Uri};
use rmcp::ErrorData;
use rmcp::model::{ErrorCode, ProtocolVersion, ServerJsonRpcMessage};
use serde_json::Value;
use std::convert::Infallible;

/// The path at which the server answers.
pub const PATH: &str = "/mcp";

/// The answer in place of an error that cannot be written as JSON. Our own errors always can.
const UNWRITABLE: &str =
    r#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"the error has no form as JSON"}}"#;

/// Creates the answer to a text that is not a message, or to wrong parameters.
pub(super) fn refusal(refused: Refused) -> Response<Paced> {
    let status = match refused.error.code {
        ErrorCode::INVALID_PARAMS => StatusCode::OK,
        ErrorCode::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        _ => StatusCode::BAD_REQUEST,
    };
    with_status(status, refused)
}

/// Creates the answer to a request for another server or path, whatever its message.
pub(super) fn not_heard(status: StatusCode, why: String) -> Response<Paced> {
    with_status(
        status,
        Refused::new(None, ErrorData::invalid_request(why, None)),
    )
}

fn with_status(status: StatusCode, refused: Refused) -> Response<Paced> {
    let error = ServerJsonRpcMessage::error(*refused.error, refused.id);
    let text = serde_json::to_string(&error).unwrap_or_else(|_| UNWRITABLE.to_owned());
    let mut response = Response::new(Paced::new(Full::new(Bytes::from(text)).boxed(), None, None));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

/// The headers that may occur once at most: they name the host, the origin, and the call. A proxy before this
/// server could use the other value of a repeated header.
const ONCE: [&str; 8] = [
    "host",
    "origin",
    "content-type",
    "content-length",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "mcp-session-id",
];

/// Returns why the head of a request is ambiguous; `None` if it is not.
pub(super) fn unclear_head(uri: &Uri, headers: &HeaderMap) -> Option<String> {
    let is_twice = |name: &&str| headers.get_all(*name).iter().nth(1).is_some();
    if let Some(name) = ONCE.into_iter().find(is_twice) {
        return Some(format!("the header {name} stands twice; send it once"));
    }
    // Programs disagree on which part of `localhost:80,evil` and `user@localhost` is the host.
    let host = headers.get(HOST).map(HeaderValue::as_bytes);
    if host.is_some_and(|host| host.iter().any(|byte| b"@,".contains(byte))) {
        return Some("the header Host is more than a name and a port; send these alone".to_owned());
    }
    // A first line with an absolute URL names a host too, which overrides the header `Host`.
    let target = uri.authority()?.as_str();
    let is_same = host.is_some_and(|host| host.eq_ignore_ascii_case(target.as_bytes()));
    (!is_same).then(|| {
        format!(
            "the first line and the header Host name different hosts; send the path {PATH} alone"
        )
    })
}

/// Returns whether the SDK refused a request with a plain text. Its other errors are JSON-RPC messages.
pub(super) fn is_bare<B>(answer: &Response<B>) -> bool {
    let is_json = |kind: &HeaderValue| kind.as_bytes().starts_with(b"application/json");
    let has_failed = answer.status().is_client_error() || answer.status().is_server_error();
    has_failed && !answer.headers().get(CONTENT_TYPE).is_some_and(is_json)
}

/// Replaces the SDK's text by a JSON-RPC error. The status and the other headers stay.
pub(super) async fn sentence(
    answer: Response<BoxBody<Bytes, Infallible>>,
    message: Option<&Value>,
) -> Response<Paced> {
    let (mut head, body) = answer.into_parts();
    let Ok(text) = body.collect().await;
    let text = String::from_utf8_lossy(&text.to_bytes()).into_owned();
    let why = meaning(head.status, &text).unwrap_or(text);
    let error = if head.status.is_server_error() {
        ErrorData::internal_error(why, None)
    } else {
        ErrorData::invalid_request(why, None)
    };
    // A refused page or host must learn nothing about the message.
    let message = message.filter(|_| head.status != StatusCode::FORBIDDEN);
    let id = message
        .and_then(Value::as_object)
        .map(id_of)
        .and_then(Result::ok)
        .flatten();
    let (own, body) = with_status(head.status, Refused::new(id, error)).into_parts();
    head.headers.remove(CONTENT_LENGTH);
    head.headers.extend(own.headers);
    Response::from_parts(head, body)
}

/// Explains a status of the SDK, and how to correct the request. The SDK's text names the header.
fn meaning(status: StatusCode, text: &str) -> Option<String> {
    Some(match status {
        StatusCode::FORBIDDEN if text.contains("Origin") => {
            "this web page may not call the server: the header Origin names a page that is not allowed; start the \
             server with this origin as an allowed origin, or call it from a program, which sends no Origin"
                .to_owned()
        }
        StatusCode::FORBIDDEN => "the header Host names a machine that is not this one; call the server by 127.0.0.1 \
             or localhost, or start it with this name as an allowed host"
            .to_owned(),
        StatusCode::BAD_REQUEST if text.contains("Host") => {
            "the header Host is missing or is not the name of a machine; send the name of the server's address, \
             such as 127.0.0.1"
                .to_owned()
        }
        StatusCode::BAD_REQUEST if text.contains("MCP-Protocol-Version") => format!(
            "the header MCP-Protocol-Version names an unknown version; send one of {}",
            known_versions()
        ),
        StatusCode::METHOD_NOT_ALLOWED => {
            format!(
                "send each message by POST to {PATH}; GET and DELETE are of the session in the header Mcp-Session-Id"
            )
        }
        StatusCode::NOT_ACCEPTABLE => {
            "the answer can have two forms; send the header Accept: application/json, text/event-stream".to_owned()
        }
        // The SDK answers a body with the same status.
        StatusCode::UNSUPPORTED_MEDIA_TYPE if text.contains("Content-Type") => {
            "a message is JSON; send the header Content-Type: application/json".to_owned()
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            "the body is not one message: a member stands twice or has another type; write each member once".to_owned()
        }
        _ => return None,
    })
}

fn known_versions() -> String {
    let known: Vec<&str> = ProtocolVersion::KNOWN_VERSIONS
        .iter()
        .map(ProtocolVersion::as_str)
        .collect();
    known.join(", ")
}
