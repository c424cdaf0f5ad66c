//! The facts of the table as the rules of the group *portability* ask for them.

mod line;
#[cfg(test)]
mod source_file;
mod table;

#[cfg(test)]
pub(crate) use source_file::source_file;

use skills_lint::Client;

/// Returns the facts about every client of the table.
///
/// ```
/// let clients = skills_clients::check::clients();
/// assert!(clients.iter().any(|client| client.name == "codex" && client.common));
/// ```
pub fn clients() -> &'static [Client] {
    table::CLIENTS
}
