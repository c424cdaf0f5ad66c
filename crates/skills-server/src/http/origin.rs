//! The web pages that may call the server, and the headers with which their browser lets them (CORS).
//!
//! The SDK refuses each request with the header `Origin`. A request of a page that may call loses this header before
//! the SDK sees it.

use crate::http::growing::Answer;
use http_body_util::{BodyExt as _, Empty};
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, HOST,
    HeaderMap, HeaderName, HeaderValue, ORIGIN, VARY,
};
use hyper::{Response, StatusCode};
use std::net::Ipv6Addr;
use std::sync::Arc;

/// The headers that a client of the protocol sends.
const SENT: &str = "accept, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id";
/// The header that a page must be able to read.
const READ: &str = "mcp-session-id";
const PRIVATE_ASKED: HeaderName = HeaderName::from_static("access-control-request-private-network");
const PRIVATE_ALLOWED: HeaderName = HeaderName::from_static("access-control-allow-private-network");

/// The origin of a web page: its scheme, host and port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    scheme: String,
    host: String,
    port: Option<u16>,
}

impl Origin {
    /// Parses an origin as a browser writes it. `null`, the origin of a page without one, is not an origin: every page
    /// can make a frame that has it.
    pub(super) fn parse(written: &str) -> Option<Self> {
        let (scheme, authority) = written.split_once("://")?;
        let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(is_scheme)
        {
            return None;
        }
        let scheme = scheme.to_ascii_lowercase();
        let end = match authority.strip_prefix('[') {
            Some(address) => address.find(']')? + 2,
            None => authority.find(':').unwrap_or(authority.len()),
        };
        let (host, port) = authority.split_at_checked(end)?;
        let port = match port.strip_prefix(':') {
            Some(port) => Some(number(port)?),
            None if port.is_empty() => default_port(&scheme),
            None => return None,
        };
        let host = self::host(host)?;
        Some(Self { scheme, host, port })
    }
}

/// Returns whether a text is the origin of a web page, such as `https://app.example`, as
/// [`HttpOptions::allowed_origins`](crate::http::HttpOptions::allowed_origins) takes it.
pub fn is_origin(written: &str) -> bool {
    Origin::parse(written).is_some()
}

/// Returns a host in lower case, and an IPv6 address in its shortest form.
fn host(written: &str) -> Option<String> {
    if let Some(address) = written.strip_prefix('[') {
        let address: Ipv6Addr = address.strip_suffix(']')?.parse().ok()?;
        return Some(format!("[{address}]"));
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let is_host = !written.is_empty() && written.chars().all(is_part);
    is_host.then(|| written.to_ascii_lowercase())
}

/// Parses a port in the one form that a browser writes.
fn number(written: &str) -> Option<u16> {
    let port: u16 = written.parse().ok()?;
    (port.to_string() == written).then_some(port)
}

/// The port that a browser leaves out.
fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

/// The pages that may call the server, beside its own.
#[derive(Clone, Debug)]
pub(super) struct Origins(Arc<[Origin]>);

/// A page that may call the server: its header `Origin`.
pub(super) struct Page(HeaderValue);

impl Origins {
    /// Parses the allowed origins, or returns the one that is invalid.
    pub(super) fn new(allowed: &[String]) -> Result<Self, String> {
        let parsed = allowed
            .iter()
            .map(|written| Origin::parse(written).ok_or_else(|| written.clone()));
        parsed
            .collect::<Result<Vec<_>, _>>()
            .map(|all| Self(all.into()))
    }

    /// Returns the page of a request that may call the server, and removes its header, so that the SDK lets the request
    /// pass. The SDK refuses every other page.
    pub(super) fn admit(&self, headers: &mut HeaderMap) -> Option<Page> {
        let written = headers.get(ORIGIN)?;
        let origin = Origin::parse(written.to_str().ok()?)?;
        if !self.0.contains(&origin) && !is_own(&origin, headers) {
            return None;
        }
        headers.remove(ORIGIN).map(Page)
    }
}

/// Returns whether a page has the address that it calls: the server's own origin. The SDK refuses foreign names in
/// `Host`, so a page of a name that merely resolves to this machine does not pass.
fn is_own(origin: &Origin, headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    // The server speaks HTTP. Behind a proxy that speaks HTTPS its origin is one to be allowed.
    host.is_some_and(|host| Origin::parse(&format!("http://{host}")).as_ref() == Some(origin))
}

/// Returns whether a request asks which calls its page may make.
pub(super) fn is_preflight(headers: &HeaderMap) -> bool {
    headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// Answers which calls a page may make.
pub(super) fn preflight(asked: &HeaderMap) -> Response<Answer> {
    let mut response = Response::new(Empty::new().boxed());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
    set(ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE");
    set(ACCESS_CONTROL_ALLOW_HEADERS, SENT);
    set(ACCESS_CONTROL_MAX_AGE, "600");
    // Chromium asks when a page of the internet calls a machine of the local network.
    if asked.contains_key(PRIVATE_ASKED) {
        set(PRIVATE_ALLOWED, "true");
    }
    response
}

/// Lets a page read an answer. A cache must not give the answer for one page to another.
pub(super) fn allow<B>(response: &mut Response<B>, page: Option<Page>) {
    let is_refused = response.status() == StatusCode::FORBIDDEN;
    let headers = response.headers_mut();
    headers.insert(VARY, HeaderValue::from_static("origin"));
    if let Some(Page(origin)) = page.filter(|_| !is_refused) {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(
            ACCESS_CONTROL_EXPOSE_HEADERS,
            HeaderValue::from_static(READ),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(allowed: &[&str], host: &str, origin: &str) -> bool {
        let allowed: Vec<String> = allowed.iter().map(ToString::to_string).collect();
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_str(host).expect("a value"));
        headers.insert(ORIGIN, HeaderValue::from_str(origin).expect("a value"));
        let page = Origins::new(&allowed).expect("origins").admit(&mut headers);
        assert_eq!(page.is_none(), headers.contains_key(ORIGIN));
        page.is_some()
    }

    #[test]
    fn the_own_origin_is_that_of_the_called_host() {
        for (host, origin) in [
            ("127.0.0.1:8000", "http://127.0.0.1:8000"),
            ("localhost:8000", "http://localhost:8000"),
            ("LocalHost:8000", "HTTP://LOCALHOST:8000"),
            ("[::1]:8000", "http://[::1]:8000"),
            ("[::1]:8000", "http://[0:0::1]:8000"),
            ("skills.example", "http://skills.example"),
            ("skills.example:80", "http://skills.example"),
            ("skills.example", "http://skills.example:80"),
        ] {
            assert!(admitted(&[], host, origin), "{host} {origin}");
        }
        for (host, origin) in [
            ("127.0.0.1:8000", "http://127.0.0.1"),
            ("127.0.0.1:8000", "http://127.0.0.1:8001"),
            ("127.0.0.1:8000", "http://127.0.0.1:80"),
            // Another process can listen there.
            ("127.0.0.1:8000", "http://localhost:8000"),
            ("127.0.0.1:8000", "http://[::1]:8000"),
            ("127.0.0.1:8000", "http://[::ffff:127.0.0.1]:8000"),
            ("localhost:8000", "http://localhost.:8000"),
            ("localhost:8000", "https://localhost:8000"),
            ("skills.example", "https://skills.example"),
            ("localhost:8000", "http://user@localhost:8000"),
            ("localhost:8000", "http://localhost:8000@evil.example"),
            (
                "localhost:8000",
                "http://evil.example/http://localhost:8000",
            ),
            ("localhost:8000", "http://localhost:8000/"),
            ("localhost:8000", "http://localhost:8000?"),
            ("localhost:8000", "http://localhost:8000#"),
            ("localhost:8000", "http://localhost:08000"),
            ("localhost:8000", "http://localhost:+8000"),
            ("localhost:8000", "http://localhost:73536"),
            (
                "localhost:8000",
                "http://localhost:8000 http://evil.example",
            ),
            (
                "localhost:8000",
                "http://localhost:8000, http://evil.example",
            ),
            ("localhost:8000", "//localhost:8000"),
            ("localhost:8000", "localhost:8000"),
            ("localhost", "http://localhost:"),
            ("localhost", "http://"),
            ("localhost", "null"),
            ("localhost", "NULL"),
            ("localhost", "*"),
            ("localhost", ""),
        ] {
            assert!(!admitted(&[], host, origin), "{host} {origin}");
        }
    }

    #[test]
    fn an_allowed_origin_is_exactly_that_origin() {
        let allowed = [
            "https://app.example",
            "http://localhost:5173",
            "app-x://abc",
        ];
        for origin in [
            "https://app.example",
            "https://app.example:443",
            "https://APP.example",
            "http://localhost:5173",
            "app-x://abc",
        ] {
            assert!(admitted(&allowed, "127.0.0.1:8000", origin), "{origin}");
        }
        for origin in [
            "http://app.example",
            "https://app.example:80",
            "https://app.example:8443",
            "https://app.example.",
            "https://app.example.evil.example",
            "https://evil.app.example",
            "https://evil.example",
            "http://localhost",
            "app-x://abd",
        ] {
            assert!(!admitted(&allowed, "127.0.0.1:8000", origin), "{origin}");
        }
        for wrong in [
            "app.example",
            "https://app.example/",
            "null",
            "*",
            "https://*",
        ] {
            assert!(!is_origin(wrong), "{wrong}");
            assert_eq!(
                Origins::new(&[wrong.to_owned()]).err().as_deref(),
                Some(wrong)
            );
        }
    }
}
