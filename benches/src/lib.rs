//! The data of the benches, and how they measure.

pub mod api;
mod baked;
mod callgrind;
mod catalogs;
mod counted;
mod docs;
mod folder;
#[path = "../../skills-runtime/tests/all/support/names.rs"]
#[expect(missing_docs, reason = "shared with the tests of near matches")]
pub mod names;
mod package;
mod synth;
pub mod texts;
mod time;
mod words;

pub use baked::{baked_package, expand_package, lookup_package};
pub use callgrind::{Part, instructions, instructions_with};
pub use catalogs::{BUDGETS, BUNDLED, FORMATS, load_names, write_names};
pub use counted::counted;
pub use docs::synth_docs;
pub use folder::Temporary;
pub use package::{Package, build_skills, skills_program, skills_size, succeed};
pub use synth::{synth, synth_plain};
pub use time::{Time, time};
