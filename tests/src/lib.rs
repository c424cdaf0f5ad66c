//! Cases as documents: every heading with blocks in a Markdown file is a test.
//!
//! docs/dev/cases.md describes the format. [`Document::read`] parses the [`Case`]s of a file, [`Case::run`] runs a case
//! in a folder of its own, [`Document::updated`] writes the present output of the program.

mod block;
mod case;
mod cell;
mod change;
mod console;
mod conversation;
mod document;
mod elsewhere;
mod folder;
mod hint;
mod hostile;
mod many;
pub mod markdown;
#[path = "../../crates/skills-host/tests/all/memory.rs"]
mod memory;
mod options;
mod pattern;
mod places;
mod program;
mod schemas;
mod served;
mod table;
mod watch;
#[cfg(unix)]
mod ways;
mod words;

pub use case::Case;
pub use document::{Document, documents};
pub use hostile::HOSTILE;
pub use program::{is_program, own_program};
pub use schemas::unshown;
