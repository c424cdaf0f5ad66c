//! Folders that resemble skills and have no `SKILL.md`: the rule `skill-file-missing`.

use crate::diagnostic::rule_id::RuleId;
use crate::diagnostic::{Diagnostic, Severity};
use crate::disk::{Item, Kind};
use crate::tree::ARGUMENTS_FILE;

/// A folder with an item that only skills have, or whose name was meant as `SKILL.md`, or without any item.
///
/// A folder with `scripts/` or other files alone is not reported: several skills can share such a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookalike {
    /// The path of the folder.
    pub folder: String,
    /// The name of the item, or nothing of an empty folder. The name of a folder `SKILL.md` ends with `/`.
    pub item: String,
}

impl Lookalike {
    /// Looks at the items of a folder that is not a skill.
    pub fn of(folder: &str, items: &[Item]) -> Option<Self> {
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
    pub fn finding(&self, severity: Severity, path: String) -> Diagnostic {
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
                | "skill.mdx"
                | "skill"
                | ARGUMENTS_FILE
        ),
    }
}
