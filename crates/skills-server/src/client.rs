//! What a client of an older protocol has set: its subscriptions, and the level of its log.

#![expect(deprecated, reason = "clients before 2026-07-28 use logging")]

use crate::listing::find;
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
    /// The addresses as the client wrote them, each with the digest of the file that the client knows. The digest is
    /// `None` for a file that cannot be read.
    files: Mutex<BTreeMap<String, Option<Digest>>>,
    /// The lowest level of reported messages. `None` reports no message.
    level: Mutex<Option<LoggingLevel>>,
}

impl Client {
    /// Creates the settings of a client that subscribes to files once, and to no more than the maximum.
    pub(crate) fn subscribed(skills: &Skills, uris: &[String]) -> Self {
        let files = uris.iter().map(|uri| (uri.clone(), digest(skills, uri)));
        Self {
            files: Mutex::new(files.take(SUBSCRIPTIONS).collect()),
            level: Mutex::default(),
        }
    }

    /// Subscribes to a file. A second subscription to an address changes nothing.
    pub(crate) fn subscribe(&self, skills: &Skills, uri: &str) -> Result<(), ErrorData> {
        skills.served_file(uri)?;
        // Before the lock: the file is read.
        let digest = digest(skills, uri);
        let mut files = locked(&self.files);
        if files.len() >= SUBSCRIPTIONS && !files.contains_key(uri) {
            let message = format!(
                "this client has {SUBSCRIPTIONS} subscriptions already; end some with resources/unsubscribe"
            );
            return Err(ErrorData::invalid_request(message, None));
        }
        files.entry(uri.to_owned()).or_insert(digest);
        Ok(())
    }

    /// Ends a subscription. An address without a subscription is not an error.
    pub(crate) fn unsubscribe(&self, uri: &str) {
        locked(&self.files).remove(uri);
    }

    /// Returns the subscribed addresses whose files differ from those that the client knows, which it knows from now
    /// on.
    ///
    /// # Cost
    ///
    /// Reads and hashes each subscribed file.
    pub(crate) fn changed(&self, skills: &Skills) -> Vec<String> {
        let uris: Vec<String> = locked(&self.files).keys().cloned().collect();
        let now = uris.into_iter().map(|uri| (digest(skills, &uri), uri));
        let now: Vec<_> = now.collect();
        let mut files = locked(&self.files);
        let differs = now.into_iter().filter_map(|(digest, uri)| {
            let known = files.get_mut(&uri)?;
            (std::mem::replace(known, digest) != digest).then_some(uri)
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

fn digest(skills: &Skills, uri: &str) -> Option<Digest> {
    let now = skills.now();
    let (entry, address) = find(&now.catalog, uri).ok()?;
    Some(Digest::of(&entry.read(&address.path).ok()?))
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
