//! An author's own fields in the front matter of a `SKILL.md`, as a Rust type.
//!
//! The format leaves room for keys that only one program reads. Here they are a type of that program:
//!
//! ```
//! # const SKILL: &str = "---\nname: triage\ndescription: Sorts mail.\nactivation:\n  keywords: [mail]\n---\nSort it.\n";
//! #[derive(serde::Deserialize)]
//! struct Extra {
//!     activation: Activation,
//! }
//!
//! #[derive(serde::Deserialize)]
//! struct Activation {
//!     keywords: Vec<String>,
//!     #[serde(default)]
//!     max_tokens: u32,
//! }
//!
//! let extra: Extra = skills_fields::read("triage/SKILL.md", SKILL)?;
//! assert_eq!(extra.activation.keywords, ["mail"]);
//!
//! let wrong = skills_fields::read::<Extra>("triage/SKILL.md", &SKILL.replace("[mail]", "mail"));
//! let error = wrong.err().expect("a text is not a list");
//! assert_eq!(
//!     error.to_string(),
//!     "triage/SKILL.md:5:13: error[field-type]: activation.keywords: invalid type: string \"mail\", expected a sequence"
//! );
//! # Ok::<(), skills_fields::Error>(())
//! ```
//!
//! - In a program: [`TypedFields::fields_as`] of a bundled skill or of a catalog's entry, and
//!   [`CheckFields::check_fields`] for all skills of a catalog.
//! - In a build script, with the feature `build`: `Build::new("skills").fields::<Extra>()`. What does not fit is a compile
//!   error of `include_skills!(OUT_DIR, "skills")`, at its line of the `SKILL.md`.
//!
//! `T` gets the whole front matter, `name` and `description` included. Other keys are ignored. With
//! `#[serde(deny_unknown_fields)]` they are errors, and a field with `#[serde(flatten)]` keeps them. Inside of a flattened
//! field serde knows no places: its errors stand at the first line.
//!
//! Front matter that is not YAML is read once more, with the line of the fault in quotes. If it is YAML then, `T` is read from
//! that text. If not, the fault is the error: there is no partial `T`.
//!
//! # Other readings
//!
//! No value of 722 real skills was read otherwise than by `Skill::front_matter` (November 2026). These forms are, and
//! a test holds the list: a number with a leading zero is a text, `0b1` a number, `.inf` and `.nan` are numbers, an integer of
//! more than 64 bits is an error, `!!str 5` is a text, a private tag is accepted, and a merge key (`<<`) adds no keys.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "build")]
mod build;
mod read;
#[cfg(feature = "runtime")]
mod runtime;

#[cfg(feature = "build")]
pub use build::BuildFields;
pub use read::{Error, read};
#[cfg(feature = "runtime")]
pub use runtime::{CheckFields, TypedFields};
