//! Which of the skills that a text names are activated together.

use crate::catalog::entry::Entry;
use crate::turn::resolution::{Compose, Turn};

/// What a turn becomes that names these skills: all of them are activated, or none.
pub(crate) fn compose(compose: Compose, skills: &[Entry<'_>]) -> Turn {
    let scopes_tools = |entry: &Entry<'_>| !entry.fields().allowed_tools.is_empty();
    match (compose, skills) {
        (_, []) => Turn::Plain,
        // One guides, the other scopes the tools.
        (Compose::ChooseOne, [a, b]) if scopes_tools(a) != scopes_tools(b) => Turn::Activate,
        (Compose::ChooseOne, [_, _, ..]) => Turn::ChooseOne,
        _ => Turn::Activate,
    }
}
