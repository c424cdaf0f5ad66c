//! What a client of an older protocol has set: its subscriptions, and the level of its log.

#![expect(deprecated, reason = "clients before 2026-07-28 use logging")]

use crate::listing::{find, uri_of};
use crate::skills::Skills;
use rmcp::ErrorData;
use rmcp::model::LoggingLevel;
use skills_format::Digest;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Maximum number of files to which a client subscribes. Each of them is hashed at each change.
pub(crate) const SUBSCRIPTIONS: usize = 64;

/// The settings of one client.
#[derive(Debug, Default)]
pub(crate) struct Client {
    /// The files by their listed addresses, so that other spellings of an address are no further files.
    files: Mutex<BTreeMap<String, Subscribed>>,
    /// The lowest level of reported messages. `None` reports no message.
    level: Mutex<Option<LoggingLevel>>,
}

/// A file to which a client subscribes.
#[derive(Debug)]
struct Subscribed {
    /// The address as the client wrote it.
    written: String,
    /// The digest of the file that the client knows. `None` for a file that cannot be read.
    digest: Option<Digest>,
}

impl Client {
    /// Creates the settings of a client that subscribes to files once, and to no more than the maximum.
    pub(crate) fn subscribed(skills: &Skills, uris: &[String]) -> Self {
        let mut files = BTreeMap::new();
        for uri in uris.iter().take(SUBSCRIPTIONS) {
            let listed = listed_form(skills, uri);
            let digest = digest(skills, &listed);
            let written = uri.clone();
            files
                .entry(listed)
                .or_insert(Subscribed { written, digest });
        }
        Self {
            files: Mutex::new(files),
            level: Mutex::default(),
        }
    }

    /// Subscribes to a file. A second subscription to a file changes nothing.
    pub(crate) fn subscribe(&self, skills: &Skills, uri: &str) -> Result<(), ErrorData> {
        skills.served_file(uri)?;
        // Before the lock: the file is read.
        let listed = listed_form(skills, uri);
        let digest = digest(skills, &listed);
        let mut files = locked(&self.files);
        if files.len() >= SUBSCRIPTIONS && !files.contains_key(&listed) {
            let message = format!(
                "this client has {SUBSCRIPTIONS} subscriptions already; end some with resources/unsubscribe"
            );
            return Err(ErrorData::invalid_request(message, None));
        }
        let written = uri.to_owned();
        files
            .entry(listed)
            .or_insert(Subscribed { written, digest });
        Ok(())
    }

    /// Ends a subscription. An address without a subscription is not an error.
    pub(crate) fn unsubscribe(&self, skills: &Skills, uri: &str) {
        let listed = listed_form(skills, uri);
        // A file that is gone has no listed address.
        locked(&self.files).retain(|file, known| *file != listed && known.written != uri);
    }

    /// Returns the subscribed addresses whose files differ from those that the client knows, which it knows from now
    /// on.
    ///
    /// # Cost
    ///
    /// Reads and hashes each subscribed file, once a change for all clients.
    pub(crate) fn changed(&self, skills: &Skills) -> Vec<String> {
        let uris: Vec<String> = locked(&self.files).keys().cloned().collect();
        let now = uris.into_iter().map(|uri| (digest(skills, &uri), uri));
        let now: Vec<_> = now.collect();
        let mut files = locked(&self.files);
        let differs = now.into_iter().filter_map(|(digest, uri)| {
            let known = files.get_mut(&uri)?;
            let before = std::mem::replace(&mut known.digest, digest);
            (before != digest).then(|| known.written.clone())
        });
        differs.collect()
    }

    pub(crate) fn set_level(&self, level: LoggingLevel) {
        *locked(&self.level) = Some(level);
    }

    /// Returns whether the client wants messages of a level.
    pub(crate) fn wants(&self, level: LoggingLevel) -> bool {
        let lowest = *locked(&self.level);
        lowest.is_some_and(|lowest| is_at_least(level, lowest))
    }
}

/// Returns whether a level is as severe as another.
pub(crate) fn is_at_least(level: LoggingLevel, lowest: LoggingLevel) -> bool {
    level as u8 >= lowest as u8
}

/// Returns an address in the form in which it is listed, or as it is written if no skill has it.
fn listed_form(skills: &Skills, uri: &str) -> String {
    let now = skills.now();
    match find(&now.catalog, uri) {
        Ok((entry, address)) => uri_of(&entry, &address.path),
        Err(_) => uri.to_owned(),
    }
}

fn digest(skills: &Skills, uri: &str) -> Option<Digest> {
    skills.live.hashed(uri, || {
        let now = skills.now();
        let (entry, address) = find(&now.catalog, uri).ok()?;
        Some(Digest::of(&entry.read(&address.path).ok()?))
    })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_runtime::Catalog;

    #[test]
    fn spellings_of_one_file_are_one_subscription() {
        let catalog = Catalog::builder()
            .bundle("bundled", &bundled_skills::SKILLS)
            .load()
            .catalog;
        let skills = Skills::new(catalog);
        let client = Client::default();
        for uri in [
            "skill://bundled/code-review/SKILL.md",
            "skill://bundled/code-review/%53KILL.md",
        ] {
            client.subscribe(&skills, uri).expect("a file");
        }
        assert_eq!(locked(&client.files).len(), 1);
        client.unsubscribe(&skills, "skill://bundled/code-review/S%4BILL.md");
        assert!(locked(&client.files).is_empty());
    }
}
