//! The folders and the clock of this process, for the ready-made subcommand.

#![expect(
    clippy::disallowed_methods,
    reason = "the ready subcommand is a program's part: it asks for what a program would hand in"
)]

use crate::export::agents::Agent;
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use jiff::Timestamp;
use skills_store::files::clock::Clock;
use skills_store::files::data::DataFolder;
use std::path::PathBuf;

/// The clock of the machine.
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// Returns the data folder of skills. Without a home folder, it is in the working folder.
pub(crate) fn data_folder() -> DataFolder {
    let data = choose_native_strategy()
        .ok()
        .map_or_else(|| PathBuf::from("."), |folders| folders.data_dir());
    DataFolder::new(data.join("skills"))
}

/// Returns the folder of an agent for the present user.
pub(crate) fn user_folder(agent: Agent) -> Option<PathBuf> {
    let variable = agent
        .folders
        .variable
        .as_deref()
        .and_then(std::env::var_os)
        .map(PathBuf::from);
    agent
        .folders
        .of_person(&std::env::home_dir()?, variable.as_deref())
}

/// Makes a path absolute, relative to the working folder.
pub(crate) fn absolute(path: &std::path::Path) -> PathBuf {
    std::env::current_dir().map_or_else(|_| path.to_owned(), |folder| folder.join(path))
}
