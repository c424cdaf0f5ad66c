//! The differences that every format prints.

use crate::output::one_line;
use skills_format::{command, join, prose};
use skills_host::review::{LoweredLock, Redirection, SkillDifference};
use std::path::Path;

/// What the formats print.
pub(super) struct Report {
    pub(super) base: String,
    pub(super) head: String,
    /// The folder of the skills, to print paths of files.
    pub(super) prefix: String,
    pub(super) skills: Vec<SkillDifference>,
    pub(super) lowered: Vec<LoweredLock>,
    pub(super) redirections: Vec<Redirection>,
    /// Files of plugins and clients that differ.
    pub(super) plugin_files: Vec<String>,
}

impl Report {
    pub(super) fn is_widened(&self) -> bool {
        !self.lowered.is_empty()
            || !self.redirections.is_empty()
            || self.skills.iter().any(SkillDifference::is_widened)
    }

    /// Names the changed files of plugins and clients, whose powers are not compared.
    pub(super) fn unread(&self) -> Option<String> {
        const MOST: usize = 10;
        let mut named = self.plugin_files.iter();
        let first: Vec<String> = named
            .by_ref()
            .take(MOST)
            .map(|path| one_line(path))
            .collect();
        let more = match named.count() {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        (!first.is_empty()).then(|| {
            format!(
                "changed, and not compared: {}{more} (commands, agents, hooks, servers and instructions beside the skills: read these changes too)",
                first.join(", ")
            )
        })
    }

    /// Says for each lock, link and submodule why it widens, with its path.
    pub(super) fn loosened(&self) -> Vec<(&str, String)> {
        let locks = self.lowered.iter();
        let locks = locks.map(|lock| (lock.path.as_str(), lock.in_words()));
        let links = self.redirections.iter().map(|link| {
            let before = link.before.as_ref();
            let before = before.map_or_else(String::new, |before| format!(" ({before} before)"));
            let place = join(&self.prefix, &link.path);
            let place = Path::new(&place);
            let now = one_line(&format!("{}{before}", link.now));
            let words = prose!(
                "is now {now}; {} reads what the skills behind it may do",
                command("powers").path(place)
            );
            (link.path.as_str(), words.to_string())
        });
        locks.chain(links).collect()
    }
}
