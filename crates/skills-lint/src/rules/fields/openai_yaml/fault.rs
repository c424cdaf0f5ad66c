//! A fault of an `agents/openai.yaml`.

use skills_format::diagnostic::Fix;
use skills_format::text::span::Span;

/// A fault of a value.
pub(super) struct Fault {
    pub(super) span: Span,
    pub(super) what: String,
    /// The form that works.
    pub(super) works: String,
    /// True if Codex reads over the whole file, and not only over the value.
    pub(super) is_of_file: bool,
    pub(super) fix: Option<Fix>,
}
