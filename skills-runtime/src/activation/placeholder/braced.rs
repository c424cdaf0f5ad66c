//! The values in braces: `${CLAUDE_SKILL_DIR}`, and the variables of the host.

use crate::activation::placeholder::values::Values;
use crate::activation::placeholders::Placeholders;

/// The variables in braces that a host can supply.
const VARIABLES: [&str; 7] = [
    "CLAUDE_EFFORT",
    "CLAUDE_PLUGIN_DATA",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_SESSION_ID",
    "PLUGIN_DATA",
    "PLUGIN_ROOT",
];

/// The longest of the names, with its braces.
const LONGEST: usize = "{CLAUDE_PROJECT_DIR}".len();

/// Returns the length and the value of a name in braces at the start of a text that follows a `$`. The value is
/// `None` if the host does not supply it.
pub(super) fn braced<'v>(text: &str, values: &'v Values<'_>) -> Option<(usize, Option<&'v str>)> {
    let start = text.as_bytes().get(..LONGEST.min(text.len()))?;
    let end = start.iter().position(|byte| *byte == b'}')?;
    let name = text.get(1..end)?;
    let value = if is_folder(name, values.placeholders) {
        values.folder.skill()
    } else if VARIABLES.contains(&name) {
        let given = values.variables.get(name).map(String::as_str);
        // Each plugin has its own root, which one variable of the host cannot say.
        let root = || {
            values
                .folder
                .plugin()
                .filter(|_| name.ends_with("PLUGIN_ROOT"))
        };
        root().or(given)
    } else {
        return None;
    };
    Some((end + 1, value))
}

fn is_folder(name: &str, placeholders: Placeholders) -> bool {
    match name {
        "CLAUDE_SKILL_DIR" => true,
        "SKILL_DIR" => placeholders == Placeholders::Guarded,
        _ => false,
    }
}
