//! The facts about clients as `skills-lint` asks for them.

use serde::Deserialize;
use skills_lint::Client;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    client: Vec<Client>,
}

/// Returns the facts about every client.
///
/// ```
/// let clients = skills_clients::check::clients();
/// assert!(clients.iter().any(|client| client.name == "codex" && client.common));
/// ```
pub fn clients() -> &'static [Client] {
    static CLIENTS: LazyLock<Vec<Client>> = LazyLock::new(|| {
        let file: Result<File, _> = toml::from_str(include_str!("facts.toml"));
        // A test reads the same text, so the error cannot happen in a release.
        file.map_or_else(|_| Vec::new(), |file| file.client)
    });
    &CLIENTS
}
