//! The trace of an agent's session: its steps, their errors, and the active skills.
//!
//! Three formats are supported:
//!
//! - the format of this crate, one JSON object:
//!   `{"skills":["lint"],"steps":[{"tool":"Bash","input":"lint .","error":"no such command"}]}`. `input` is
//!   optional; `error` is null or missing for a successful step.
//! - a session of Claude Code: JSON lines with `message.content`, made of `tool_use` and `tool_result` blocks. A
//!   skill is active if the tool `Skill` was called with its name, or the user typed its command.
//! - a session of Codex: JSON lines with a `payload`, made of calls and their outputs. A skill is active if its text
//!   was put into the conversation, or its `SKILL.md` was read.

mod claude;
mod codex;
pub(crate) mod excerpt;
mod parse;
pub(crate) mod steps;

pub use parse::MAX_TRACE;
pub use steps::{Step, Trace};
