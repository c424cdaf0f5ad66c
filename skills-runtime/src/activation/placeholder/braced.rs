//! The values in braces: `${CLAUDE_SKILL_DIR}`, and the variables of the host.

use crate::activation::placeholder::Values;
use crate::catalog::entry::{Entry, Location};
use crate::options::placeholders::Placeholders;
use crate::source::SourceKind;
use skills_format::text::path::PathText as _;
use skills_format::{Text, ToolRule};
use std::borrow::Cow;
use std::cell::OnceCell;

/// The folders of a skill, found when a placeholder first asks for one.
pub(crate) struct Folder<'a> {
    entry: Option<Entry<'a>>,
    skill: OnceCell<Option<String>>,
    plugin: OnceCell<Option<String>>,
}

impl<'a> Folder<'a> {
    pub(crate) fn of(entry: Option<Entry<'a>>) -> Self {
        Self {
            entry,
            skill: OnceCell::new(),
            plugin: OnceCell::new(),
        }
    }

    /// Returns the folder of the skill: a whole path, because a shell does not expand `~` between quotes; the
    /// address of a skill without a folder.
    fn skill(&self) -> Option<&str> {
        let folder = self.skill.get_or_init(|| {
            let entry = self.entry.as_ref()?;
            match entry.location() {
                Location::Folder(path) => Some(path.shown().into_owned()),
                Location::Bundled => {
                    let places = entry.catalog.places();
                    let mut extracted = places.extracted.iter();
                    match extracted.find(|(source, _)| source == entry.source().name()) {
                        Some((_, folder)) => Some(folder.join(entry.name()).shown().into_owned()),
                        None => places.directory(entry),
                    }
                }
                Location::Server(_) => entry.catalog.places().directory(entry),
            }
        });
        folder.as_deref()
    }

    /// Returns the folder of the plugin that the skill is of.
    fn plugin(&self) -> Option<&str> {
        let folder = self.plugin.get_or_init(|| {
            let entry = self.entry.as_ref()?;
            let root = (entry.source().kind() == SourceKind::Plugin).then(|| entry.root())??;
            Some(root.parent()?.shown().into_owned())
        });
        folder.as_deref()
    }
}

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
    let end = memchr_brace(start)?;
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

fn memchr_brace(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| *byte == b'}')
}

fn is_folder(name: &str, placeholders: Placeholders) -> bool {
    match name {
        "CLAUDE_SKILL_DIR" => true,
        "SKILL_DIR" => placeholders == Placeholders::Guarded,
        _ => false,
    }
}

/// Fills the skill's folder into the patterns of its rules.
pub(crate) fn fill_rules(
    rules: Vec<ToolRule>,
    placeholders: Placeholders,
    folder: &Folder<'_>,
) -> Vec<ToolRule> {
    let filled = |rule: ToolRule| ToolRule {
        pattern: rule
            .pattern
            .map(|pattern| filled(pattern, placeholders, folder)),
        ..rule
    };
    rules.into_iter().map(filled).collect()
}

fn filled(pattern: Text, placeholders: Placeholders, folder: &Folder<'_>) -> Text {
    let names: &[&str] = match placeholders {
        Placeholders::Guarded => &["${CLAUDE_SKILL_DIR}", "${SKILL_DIR}"],
        Placeholders::Everywhere => &["${CLAUDE_SKILL_DIR}"],
        Placeholders::Numbered | Placeholders::None => &[],
    };
    if !names.iter().any(|name| pattern.contains(name)) {
        return pattern;
    }
    // A folder named `*` would turn a rule for one script into a rule for many: the pattern then stays, and
    // matches nothing.
    let plain = |folder: &&str| {
        !folder.contains(|c: char| {
            c.is_control() || c.is_whitespace() || "*?[]{}()!\\\"'`$;&|<>,".contains(c)
        })
    };
    let Some(folder) = folder.skill().filter(plain) else {
        return pattern;
    };
    let fill = |pattern: Cow<'_, str>, name: &&str| pattern.replace(name, folder).into();
    names.iter().fold(pattern, fill)
}
