//! Folders that resemble skills and have no `SKILL.md`: the rule `skill-file-missing`.

use skills_format::disk::{Item, Kind};
use skills_format::{ARGUMENTS_FILE, Diagnostic, RuleId, Severity};

/// A folder with an item that only skills have, or whose name was meant as `SKILL.md`, or without any item.
///
/// A folder with `scripts/` or other files alone is not reported: several skills can share such a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lookalike {
    /// The path of the folder.
    pub(crate) folder: String,
    /// The name of the item, or nothing of an empty folder. The name of a folder `SKILL.md` ends with `/`.
    pub(crate) item: String,
}

impl Lookalike {
    /// Looks at the items of a folder that is not a skill.
    pub(crate) fn of(folder: &str, items: &[Item]) -> Option<Self> {
        if items.is_empty() {
            return Some(Self {
                folder: folder.to_owned(),
                item: String::new(),
            });
        }
        let item = items.iter().find(|item| resembles(item))?;
        let mut name = item.name.to_string_lossy().into_owned();
        if name.eq_ignore_ascii_case("SKILL.md") {
            // The item is a folder named `SKILL.md`.
            name.push('/');
        }
        Some(Self {
            folder: folder.to_owned(),
            item: name,
        })
    }

    /// Returns the finding. `path` is the printed path of the folder.
    pub(crate) fn finding(&self, severity: Severity, path: String) -> Diagnostic {
        let item = &self.item;
        let message = if item.is_empty() {
            "the folder is empty: it is not a skill".to_owned()
        } else {
            format!("the folder has `{item}` and no `SKILL.md`: it is not a skill")
        };
        let help = match item.as_str() {
            "" | "references" | "skill.md/" | ARGUMENTS_FILE => {
                "write a `SKILL.md`, or move the folder out of the folder of skills".to_owned()
            }
            item if item.ends_with('/') => "write a `SKILL.md` that is a file".to_owned(),
            item => format!(
                "rename `{item}` to `SKILL.md`, or move the folder out of the folder of skills"
            ),
        };
        Diagnostic::new(RuleId::SkillFileMissing, severity, path, message).help(help)
    }
}

/// Returns whether an item is typical of skills, or has a name that was meant as `SKILL.md`.
fn resembles(item: &Item) -> bool {
    let name = item.name.to_string_lossy().to_ascii_lowercase();
    match item.kind {
        Kind::Folder => matches!(name.as_str(), "references" | "skill.md"),
        _ => matches!(
            name.as_str(),
            "skills.md"
                | "skill.txt"
                | "skill.md.txt"
                | "skill.markdown"
                | "skill"
                | ARGUMENTS_FILE
        ),
    }
}
