//! What an agent did in a session: its steps, their errors, and the skills that were active.
//!
//! Three forms are read:
//!
//! - the form of this crate, one JSON object:
//!   `{"skills":["lint"],"steps":[{"tool":"Bash","input":"lint .","error":"no such command"}]}`. `input` may
//!   be missing; `error` is null, or missing, for a step that went well.
//! - a session of Claude Code: JSON lines with `message.content`, of `tool_use` and `tool_result` blocks. A
//!   skill is active when the tool `Skill` was called with its name, or a person typed its command.
//! - a session of Codex: JSON lines with a `payload`, of calls and their outputs. A skill is active when its
//!   text was put into the conversation, or its `SKILL.md` was read.

mod claude;
mod codex;
pub(crate) mod excerpt;
mod parse;
pub(crate) mod steps;

pub use parse::MAX_TRACE;
pub use steps::{Step, Trace};
