//! The text that enters a conversation when a skill starts: an envelope that no text inside can end, with the
//! placeholders of the body filled. `skills-render` writes both.

use crate::catalog::Catalog;
use crate::catalog::entry::{Location, Skill};
use crate::catalog::places::is_unwritable;
use crate::catalog::plugins::Plugins;
use crate::error::{Error, ErrorKind};
use crate::resolve::outcome::Outcome;
use crate::resolve::resolution::SkillToStart;
use crate::resolve::surface::Surface;
use crate::source::SourceKind;
use skills_format::foreign::{CLIENT_SKILL_DIR, SKILL_DIR};
use skills_format::text::path::PathText as _;
use skills_render::{MAX_INSERTED, Values, open};
use std::cell::OnceCell;
use std::path::Path;

impl Skill<'_> {
    /// Returns the text of the skill, as it enters a conversation, with the arguments of a person or of the model filled in.
    ///
    /// Does not check whether a person or the model may start the skill: [`Catalog::start`] and [`Catalog::answer`] do.
    /// Arguments are plain text: typed ones are checked by `skills-session`.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Untrusted`], [`ErrorKind::Disabled`], [`ErrorKind::Ineligible`]: the skill cannot be started.
    /// - [`ErrorKind::TooLarge`]: the values of several placeholders have more than 1 MiB together.
    /// - Any kind of [`Skill::body`] and [`Skill::resources`].
    ///
    /// # Cost
    ///
    /// Reads the files of a folder's skill. A bundled skill costs a copy of its body.
    pub fn activate(&self, arguments: &str) -> Result<String, Error> {
        self.check_startable()?;
        let arguments = arguments.trim();
        let checked = self.checked()?;
        let resources = match checked.resources {
            Some(resources) => resources,
            None => self.resources()?,
        };
        let resources: Vec<String> = resources
            .into_iter()
            .map(|resource| resource.path.replace(is_unwritable, "\u{fffd}"))
            .collect();
        let directory = self.catalog.places().directory(self);
        let mut attributes = vec![("name", self.name()), ("source", self.source().name())];
        attributes.extend(
            directory
                .as_deref()
                .map(|directory| ("directory", directory)),
        );
        let mut out = String::new();
        let opened = open(&mut out, &attributes);
        let folder = Folder::of(Some(*self));
        let values = Values {
            arguments,
            typed: None,
            listed: &checked.fields.arguments,
            variable: &|name| folder.variable(name),
        };
        let is_placed = values
            .fill(&mut out, &checked.body)
            .ok_or_else(|| self.too_long())?;
        if !is_placed && !arguments.is_empty() {
            out.push_str("\n\nARGUMENTS: ");
            out.push_str(arguments);
        }
        opened.close(&mut out, &resources);
        Ok(out)
    }

    /// Returns the error of a body that repeats its placeholders too often.
    pub fn too_long(&self) -> Error {
        let id = self.qualified_id();
        let what = format_args!(
            "skill '{id}' repeats its placeholders: their values would have more than {MAX_INSERTED} bytes; give shorter arguments"
        );
        Error::new(ErrorKind::TooLarge, what)
    }

    /// Checks that the skill is trusted, enabled and eligible.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Untrusted`], [`ErrorKind::Disabled`] or [`ErrorKind::Ineligible`].
    pub fn check_startable(&self) -> Result<(), Error> {
        let refuse = |kind, what: &str| {
            let id = self.qualified_id();
            Err(Error::new(kind, format_args!("skill '{id}' {what}")))
        };
        if !self.is_trusted() {
            let what = if self.has_changed() {
                "has changed since it was trusted"
            } else {
                "is not trusted"
            };
            return refuse(ErrorKind::Untrusted, what);
        }
        if !self.is_enabled() {
            let what = if self.catalog.disabled().unknown.is_some() {
                "is off: it is unknown which skills are disabled"
            } else {
                "is disabled"
            };
            return refuse(ErrorKind::Disabled, what);
        }
        if !self.is_eligible() {
            let needs = format!("needs {}", self.missing().join(", "));
            return refuse(ErrorKind::Ineligible, &needs);
        }
        Ok(())
    }
}

impl Catalog {
    /// Starts a skill that a text names for a person, and returns its text. Arguments are given to a skill whose mention
    /// leads the text, and to that of a command.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: the skill may not be started now; the errors of [`Skill::activate`].
    pub fn start(&self, skill: &SkillToStart, task: &str) -> Result<String, Error> {
        let entry = self
            .skill_at(skill, Surface::User, Plugins::Merged)
            .map_err(|notice| Error::new(ErrorKind::Refused, notice.to_string()))?;
        entry.activate(if skill.leads { task } else { "" })
    }

    /// Answers a call of the one tool that starts skills: the text of the skill, or why it does not start, for the model.
    pub fn answer(&self, name: &str) -> String {
        let id = name.trim();
        let id = id.strip_prefix('$').unwrap_or(id);
        let started = match self.find(id, Surface::Model, Plugins::Merged) {
            Ok(entry) => entry.activate(""),
            Err(notice) => {
                return match &notice.outcome {
                    Outcome::Suggestion { suggestion, .. } => {
                        format!("No skill is named '{id}'. The nearest is '{suggestion}'.")
                    }
                    Outcome::Unknown => format!("No skill is named '{id}'."),
                    _ => notice.to_string(),
                };
            }
        };
        started.unwrap_or_else(|error| format!("{error:#}"))
    }
}

/// The folders that a skill's placeholders stand for, found when a placeholder first asks for one.
pub struct Folder<'a> {
    entry: Option<Skill<'a>>,
    skill: OnceCell<Option<String>>,
    plugin: OnceCell<Option<String>>,
}

impl<'a> Folder<'a> {
    /// Names the folder of a skill. `None`: there is none.
    pub fn of(entry: Option<Skill<'a>>) -> Self {
        Self {
            entry,
            skill: OnceCell::new(),
            plugin: OnceCell::new(),
        }
    }

    /// Returns the folder of the skill: a whole path, because a shell does not expand `~` between quotes; the
    /// address of a skill without a folder.
    pub fn skill(&self) -> Option<&str> {
        let folder = self.skill.get_or_init(|| {
            let entry = self.entry.as_ref()?;
            let places = entry.catalog().places();
            match entry.location() {
                Location::Folder(path) => Some(written(path)),
                Location::Bundled => match places.extracted(entry) {
                    Some((folder, dir)) => Some(written(&folder.join(dir))),
                    None => places.directory(entry),
                },
                Location::Files => places.directory(entry),
            }
        });
        folder.as_deref()
    }

    /// Returns the folder of a variable: of the skill, or of the plugin that the skill is of.
    pub fn variable(&self, name: &str) -> Option<&str> {
        if [SKILL_DIR, CLIENT_SKILL_DIR].contains(&name) {
            return self.skill();
        }
        if !name.ends_with("PLUGIN_ROOT") {
            return None;
        }
        let plugin = self.plugin.get_or_init(|| {
            let entry = self.entry.as_ref()?;
            let root = (entry.source().kind() == SourceKind::Plugin).then(|| entry.root())??;
            Some(written(root.parent()?))
        });
        plugin.as_deref()
    }
}

/// Writes a path on one line: a folder's name can hold a line end.
fn written(path: &Path) -> String {
    path.shown().replace(is_unwritable, "\u{fffd}")
}
