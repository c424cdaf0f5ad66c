//! Renders findings for people.

mod drawing;
mod excerpt;
mod full;
mod quoted;

use std::borrow::Cow;

pub use drawing::Color;
pub use excerpt::{Excerpt, Hidden, without};
pub use full::{Full, each, full};
pub use quoted::quoted;

/// A function that returns the bytes of a file, by the path of a diagnostic.
pub type Sources<'a> = dyn Fn(&str) -> Option<Cow<'a, [u8]>> + 'a;
