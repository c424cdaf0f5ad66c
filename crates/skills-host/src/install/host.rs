//! What an operation is given: folders, git, the time, and who watches.

use crate::git::observer::Observer;
use crate::git::program::Git;
use crate::install::fetch::Fetcher;
use skills_store::files::clock::Clock;
use skills_store::files::data::DataFolder;
use std::path::PathBuf;

/// What an operation is given. Nothing else is asked of the machine.
#[derive(Clone, Copy)]
pub struct Host<'h> {
    /// The store, the trash and temporary folders.
    pub data: &'h DataFolder,
    /// The user's own git.
    pub git: &'h Git,
    /// The time.
    pub clock: &'h dyn Clock,
    /// Who watches, and may stop it.
    pub observer: &'h dyn Observer,
}

impl<'h> Host<'h> {
    pub(crate) fn fetcher(self, temporary: &'h PathBuf) -> Fetcher<'h> {
        Fetcher {
            git: self.git,
            temporary,
            observer: self.observer,
        }
    }
}
