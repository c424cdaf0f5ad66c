//! Attacks on the program. Each attack tests one promise of docs/promises.md, which its comment states.
//!
//! An attack is a function that returns an error if the promise is broken. [`attacks`] lists all attacks;
//! `hostile.rs` runs each as a test. The attacks need Linux: they exchange paths under the program, kill it at system
//! calls, and read its terminal. On other systems the list is empty.

#[cfg(target_os = "linux")]
#[macro_use]
mod attack;
pub mod program;

#[cfg(target_os = "linux")]
mod case;
#[cfg(target_os = "linux")]
#[path = "../../../crates/skills-host/tests/all/memory.rs"]
mod memory;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod snapshot;
#[cfg(target_os = "linux")]
mod strace;
#[cfg(target_os = "linux")]
mod swapper;
#[cfg(target_os = "linux")]
mod terminal;

#[cfg(target_os = "linux")]
mod agents;
#[cfg(target_os = "linux")]
mod approvals;
#[cfg(target_os = "linux")]
mod control_characters;
#[cfg(target_os = "linux")]
mod deeds;
#[cfg(target_os = "linux")]
mod git_configuration;
#[cfg(target_os = "linux")]
mod git_keys;
#[cfg(target_os = "linux")]
mod hidden_keys;
#[cfg(target_os = "linux")]
mod hidden_text;
#[cfg(target_os = "linux")]
mod histories;
#[cfg(target_os = "linux")]
mod ignore_files;
#[cfg(target_os = "linux")]
mod interruptions;
#[cfg(target_os = "linux")]
mod limits;
#[cfg(target_os = "linux")]
mod link_swaps;
#[cfg(target_os = "linux")]
mod listing;
#[cfg(target_os = "linux")]
mod locks;
#[cfg(target_os = "linux")]
mod markdown;
#[cfg(target_os = "linux")]
mod markdown_text;
#[cfg(target_os = "linux")]
mod names;
#[cfg(target_os = "linux")]
mod narrowing;
#[cfg(target_os = "linux")]
mod nested_folders;
#[cfg(target_os = "linux")]
mod numbers;
#[cfg(target_os = "linux")]
mod overlap;
#[cfg(target_os = "linux")]
mod planted_links;
#[cfg(target_os = "linux")]
mod plugins;
#[cfg(target_os = "linux")]
mod profiles;
#[cfg(target_os = "linux")]
mod schedules;
#[cfg(target_os = "linux")]
mod state;
#[cfg(target_os = "linux")]
mod trust;
#[cfg(target_os = "linux")]
mod trust_digest;
#[cfg(target_os = "linux")]
mod trust_swaps;
#[cfg(target_os = "linux")]
mod workflow;

#[cfg(target_os = "linux")]
pub use attack::{Attack, Outcome};

/// Every attack, by theme.
#[cfg(target_os = "linux")]
pub fn attacks() -> impl Iterator<Item = &'static Attack> {
    [
        agents::ATTACKS,
        approvals::ATTACKS,
        control_characters::ATTACKS,
        git_configuration::ATTACKS,
        hidden_keys::ATTACKS,
        hidden_text::ATTACKS,
        histories::ATTACKS,
        ignore_files::ATTACKS,
        interruptions::ATTACKS,
        limits::ATTACKS,
        link_swaps::ATTACKS,
        listing::ATTACKS,
        locks::ATTACKS,
        markdown::ATTACKS,
        names::ATTACKS,
        narrowing::ATTACKS,
        nested_folders::ATTACKS,
        overlap::ATTACKS,
        planted_links::ATTACKS,
        plugins::ATTACKS,
        profiles::ATTACKS,
        schedules::ATTACKS,
        state::ATTACKS,
        trust::ATTACKS,
        trust_digest::ATTACKS,
        trust_swaps::ATTACKS,
        workflow::ATTACKS,
    ]
    .into_iter()
    .flatten()
}
