//! A page about skills: one HTML file that loads nothing and runs no script.
//!
//! A [`Page`] is data. `Repository::page_bundle` gathers the skills of a folder. A caller that knows the skills only as a
//! list fills in the known fields. [`Page::html`] renders the page: the same data gives the same bytes. Every text of a
//! skill is foreign, and is escaped before it enters the page.

mod budget;
mod html;
#[cfg(test)]
mod tests;

use skills_format::Diagnostic;
use skills_permit::Powers;

/// The data of a page, which [`Page::html`] renders.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Page {
    /// The folder or program that the skills belong to.
    pub subject: Subject,
    /// The bundles, in the order in which they are shown.
    pub bundles: Vec<PageBundle>,
    /// The findings of a check; `None` if unknown.
    pub findings: Option<Vec<Diagnostic>>,
    /// The context of the model in tokens, for the budgets; `None` if unknown.
    pub context: Option<u64>,
    /// The number of skills that are copies of, or links to, skills of the page. The page does not show the copies.
    pub copies: usize,
    /// Notes about skills that the page does not show, one sentence each.
    pub notes: Vec<String>,
    /// The arguments of `skills check`, quoted for a shell; `None` if there is no folder to check.
    pub arguments: Option<String>,
    /// The time at which the page was made, as a person reads it; `None` leaves the time out.
    pub made: Option<String>,
    /// The short id of the folder's commit; `None` if unknown.
    pub commit: Option<String>,
}

/// The folder or program that the skills of a page belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subject {
    /// A folder or a repository, by its path.
    Folder(String),
    /// A program, by its name.
    Program(String),
}

/// A bundle on a page: skills that are loaded together.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PageBundle {
    /// The name of the bundle.
    pub name: String,
    /// The skills, in order of names.
    pub skills: Vec<PageSkill>,
}

/// One skill of a page.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PageSkill {
    /// The name of the skill.
    pub name: String,
    /// The description; empty if missing.
    pub description: String,
    /// The text of the field `when-to-use`; empty if missing.
    pub when_to_use: String,
    /// The printed path of the folder; `None` if unknown.
    pub path: Option<String>,
    /// The path of the `SKILL.md`, as a client writes it; empty if unknown.
    pub location: String,
    /// True if the skill breaks the format: strict clients refuse it.
    pub is_broken: bool,
    /// True if only a person may start the skill. Such a skill is not offered to a model.
    pub is_for_people_alone: bool,
    /// The estimated tokens of the body.
    pub tokens: Option<usize>,
    /// The number of files, and their size in bytes.
    pub files: Option<(usize, u64)>,
    /// The powers of the skill; `None` if unknown.
    pub powers: Option<Powers>,
}

impl Page {
    /// Starts a page without skills.
    pub fn new(subject: Subject) -> Self {
        Self {
            subject,
            bundles: Vec::new(),
            findings: None,
            context: None,
            copies: 0,
            notes: Vec::new(),
            arguments: None,
            made: None,
            commit: None,
        }
    }

    /// Returns all skills, in the order of the page.
    pub fn skills(&self) -> impl Iterator<Item = &PageSkill> {
        self.bundles.iter().flat_map(|bundle| &bundle.skills)
    }
}

impl PageBundle {
    /// Starts a bundle without skills.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            skills: Vec::new(),
        }
    }
}

impl PageSkill {
    /// Starts a skill with a name and a description, and everything else unknown.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            ..Self::default()
        }
    }
}

/// The beginning of every page.
const BEGINNING: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                         <meta name=\"generator\" content=\"skills page\">\n";
