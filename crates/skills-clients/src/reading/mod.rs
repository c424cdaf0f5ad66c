//! Reads a folder of skills as other programs read it.
//!
//! A simulation lists what the program lists: it reads only what the program reads, and drops what the program drops.
//! `.ci/clients` runs the programs themselves, and `tests/clients` compares.

mod claude_code;
mod codex;
mod file;
mod front;
mod gemini_cli;
mod opencode;
mod order;
mod placed;
mod reason;
mod yaml;

pub use claude_code::reads_field as claude_code_reads_field;
pub(crate) use file::Seen;
pub use file::{Found, ReadSkill};
pub use placed::{Placed, Tier};

use serde::Deserialize;
use skills_lint::DropReason;
use std::borrow::Cow;

/// A program whose way of reading a folder is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reader {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Gemini CLI.
    GeminiCli,
    /// `OpenCode`.
    Opencode,
}

impl Reader {
    /// Returns whether the program reads a spelling that closes a skill to the model.
    pub(crate) fn closes(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Codex)
    }

    /// Returns whether the program reads several files at once. Of two skills with one name it lists the one that it read
    /// last, which can be another one at each start.
    pub fn is_concurrent(self) -> bool {
        self == Self::Opencode
    }

    /// Returns the skills that the program lists, in its order.
    pub fn read(self, mut found: Vec<Found>) -> Vec<ReadSkill> {
        found.sort_by(|a, b| a.path.cmp(&b.path));
        match self {
            Self::ClaudeCode => claude_code::read(&found),
            Self::Codex => codex::read(&found),
            Self::GeminiCli => gemini_cli::read(&found),
            Self::Opencode => opencode::read(&found),
        }
    }

    /// Returns the reason for which the program drops a file, wherever the file lies. `None`: the program reads a skill.
    pub fn drops(self, file: &Found) -> Option<DropReason> {
        match self.sees(file) {
            Seen::Dropped(reason) => Some(reason),
            Seen::Listed(_) | Seen::Closed => None,
        }
    }

    /// Returns what the program makes of one file. The place of the file, and other skills of the same name, do not count.
    pub(crate) fn sees(self, file: &Found) -> Seen {
        match self {
            Self::ClaudeCode => claude_code::sees(file),
            Self::Codex => codex::sees(file),
            Self::GeminiCli => gemini_cli::sees(file),
            Self::Opencode => opencode::sees(file),
        }
    }

    /// Returns a description as the program writes it into its list.
    pub(crate) fn written(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::ClaudeCode => claude_code::one_line(text.trim()).into(),
            Self::Codex => codex::one_line(text).into(),
            Self::GeminiCli | Self::Opencode => text.into(),
        }
    }
}
