//! The id of a skill, as a person gives it.

use std::convert::Infallible;

/// An id without the `$` that it has in a message. A path keeps it.
#[expect(clippy::unnecessary_wraps, reason = "as clap asks of a parser")]
pub(crate) fn given(text: &str) -> Result<String, Infallible> {
    let id = text.strip_prefix('$').unwrap_or(text);
    let is_path = text.contains(std::path::is_separator);
    Ok(if is_path { text } else { id }.to_owned())
}
