//! The dependencies of an operation: folders, git, the clock, and the observer.

use crate::files::clock::Clock;
use crate::files::data::DataFolder;
use crate::git::observer::Observer;
use crate::git::program::Git;
use crate::install::fetch::Fetcher;
use std::path::PathBuf;

/// The dependencies of an operation, which uses nothing else of the machine.
#[derive(Clone, Copy)]
pub struct Host<'h> {
    /// The folder of the store, the trash and temporary folders.
    pub data: &'h DataFolder,
    /// The user's own git.
    pub git: &'h Git,
    /// The clock.
    pub clock: &'h dyn Clock,
    /// The observer, which can cancel the operation.
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
