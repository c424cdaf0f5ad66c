//! Functions that reach a host.

use crate::powers::code::arguments::split;
use crate::powers::code::calls::Call;
use crate::powers::code::script::Script;
use crate::powers::code::skeleton::{MARK, Text};
use crate::powers::host::{authority, bare, hosts};
use crate::powers::reader::{Reader, excerpt};
use skills_format::PowerKind;

/// Ends of functions whose argument is a host without a scheme.
const TAKE_HOST: [&str; 16] = [
    "Connection(",
    "connection(",
    "SMTP(",
    "SMTP_SSL(",
    "FTP(",
    "FTP_TLS(",
    "gethostbyname(",
    "getaddrinfo(",
    "connect((",
    "Telnet(",
    "lookup(",
    "resolve(",
    "Socket.new(",
    "HTTP.new(",
    "HTTP.start(",
    "fsockopen(",
];
/// Methods of HTTP: the address is the second argument.
const METHODS: [&str; 6] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];

impl Script<'_> {
    /// Adds the host of a call. Hosts in texts are found anyway: what counts here is an address that is computed, or that
    /// has no scheme.
    pub(super) fn reach(&self, call: &Call<'_>, reader: &mut Reader<'_>) {
        let first = call.first.trim_start_matches('(');
        match self.text(first) {
            Some(text) if METHODS.contains(&text.value.as_str()) => {
                if let Some(second) = split(call.all).get(1) {
                    let call = Call {
                        first: second,
                        all: "",
                        ..*call
                    };
                    self.reach(&call, reader);
                }
            }
            Some(text) => reach_text(text, call, reader),
            None if is_address(call.function, first) => {
                let text = format!("(computed) {}{})", call.function, self.shown(first));
                reader.add(PowerKind::Hosts, text, call.line);
            }
            None => {}
        }
    }
}

fn reach_text(text: &Text, call: &Call<'_>, reader: &mut Reader<'_>) {
    let value = text.value.as_str();
    // The hosts of texts are found by themselves, and a path is not a host.
    if !hosts(value).is_empty() || value.starts_with(['/', '.', '#', '?']) {
        return;
    }
    if text.is_computed || value.starts_with('{') {
        let text = format!("(computed) {}", excerpt(value));
        return reader.add(PowerKind::Hosts, text, call.line);
    }
    let takes_host = TAKE_HOST.iter().any(|end| call.function.ends_with(end));
    let host = bare(value).or_else(|| authority(value).filter(|_| takes_host));
    if let Some(host) = host {
        reader.add(PowerKind::Hosts, host, call.line);
    }
}

/// Returns whether the argument of a call, which is not a text, can be an address.
fn is_address(function: &str, first: &str) -> bool {
    // A definition: `fetch(request: Request)`.
    if first.is_empty()
        || first.starts_with([')', '*', '{'])
        || first.contains(": ") && !first.contains(MARK)
    {
        return false;
    }
    // A connection of a database or a bus has such functions too; the address only of a socket counts.
    let is_general = function.starts_with(".connect")
        || function.starts_with("client.")
        || function == ".sendto("
        || function.starts_with("session.");
    !is_general
        || function.ends_with("((")
        || first.contains(['+', '('])
        || function.starts_with(".sendto")
}
