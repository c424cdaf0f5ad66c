//! The clients that `--to` names, from the table of clients.

use skills_clients::client::{Client, Folders, all, named};
use skills_format::text::distance::nearest;
use skills_store::{Error, ErrorKind};
use std::path::Path;

/// A client whose folders of skills are known.
#[derive(Clone, Copy, Debug)]
pub struct Agent {
    /// The client.
    pub client: &'static Client,
    /// The client's folders.
    pub folders: &'static Folders,
}

impl Agent {
    /// Returns every client with folders.
    pub fn all() -> impl Iterator<Item = Self> {
        all().iter().filter_map(Self::of)
    }

    /// Finds the client with a name. Returns `None` for a word that names no client.
    ///
    /// # Errors
    ///
    /// `Usage`, if the client has no folders.
    pub fn named(name: &str) -> Result<Option<Self>, Error> {
        let Some(client) = named(name) else {
            return Ok(None);
        };
        Self::of(client).map(Some).ok_or_else(|| {
            let message = format!("{} has no folder of skills", client.title);
            let help = format!("the clients with folders are {}", names());
            Error::new(ErrorKind::Usage, message).help(help)
        })
    }

    /// Returns the error for a word that is neither a client nor an existing folder. Such a word is more often a typing
    /// error than a new folder.
    pub fn unknown(name: &str, folder: &Path) -> Option<Error> {
        let is_word = !name.is_empty() && !name.contains(['/', '\\', '.', '~']);
        if !is_word || folder.exists() {
            return None;
        }
        let name = name.escape_debug();
        let message = format!("there is no client '{name}', and no folder of that name");
        let help = match near(&name.to_string()) {
            Some(near) => format!("Did you mean {near}? For a new folder, write ./{name}"),
            None => format!(
                "for a new folder, write ./{name}; the clients are {}",
                names()
            ),
        };
        Some(Error::new(ErrorKind::Usage, message).help(help))
    }

    fn of(client: &'static Client) -> Option<Self> {
        let folders = client.folders.as_ref()?;
        Some(Self { client, folders })
    }
}

/// Returns the clients that a name can mean: the names that begin with it, or the nearest name.
fn near(name: &str) -> Option<String> {
    let known = || Agent::all().map(|agent| &*agent.client.name);
    let is_longer = |known: &&str| {
        let rest = known.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with('-'))
    };
    let longer: Vec<&str> = known().filter(is_longer).collect();
    if longer.is_empty() {
        return nearest(name, known()).map(str::to_owned);
    }
    Some(longer.join(" or "))
}

fn names() -> String {
    let names: Vec<&str> = Agent::all().map(|agent| &*agent.client.name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_to() {
        let client = |name: &str| {
            let agent = Agent::named(name).expect(name);
            agent.map(|agent| &*agent.client.name)
        };
        assert_eq!(client("agents"), Some("default"));
        assert_eq!(client("gemini"), Some("gemini-cli"));
        assert_eq!(client("claude"), None);
        assert_eq!(client(""), None);
        let error = Agent::named("claude-ai").expect_err("a client without folders");
        assert_eq!(error.to_string(), "claude.ai has no folder of skills");
        let unknown = |name| Agent::unknown(name, Path::new("/no/such/folder")).is_some();
        let help = |name| {
            let error = Agent::unknown(name, Path::new("/no/such/folder")).expect(name);
            error
                .remedy()
                .map(|help| help.to_string())
                .unwrap_or_default()
        };
        assert!(help("claude").starts_with("Did you mean claude-code?"));
        assert!(help("gosse").starts_with("Did you mean goose?"));
        assert!(help("nowhere").starts_with("for a new folder, write ./nowhere"));
        assert!(unknown("claude") && !unknown("./claude") && !unknown(".agents/skills"));
    }
}
