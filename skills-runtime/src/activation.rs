//! The text that enters a conversation when a skill starts: an envelope that no text inside can end, with the
//! placeholders of the body filled. `skills-render` writes both.

use crate::catalog::Catalog;
use crate::catalog::skill::Skill;
use crate::error::{Error, ErrorKind};
use crate::resolve::outcome::{Outcome, Surface};
use skills_render::{Values, open, too_long};

impl Skill<'_> {
    /// Returns the text of the skill, as it enters a conversation, with the arguments of a person or of the model filled in.
    ///
    /// Does not check whether a person or the model may start the skill: [`Catalog::resolve`] and [`Catalog::answer`] do.
    /// Arguments are plain text: typed ones are checked by `skills-session`.
    ///
    /// # Errors
    ///
    /// The errors of [`Skill::instructions`]. [`ErrorKind::Refused`] also if the values of several placeholders have more
    /// than 1 MiB together.
    ///
    /// # Cost
    ///
    /// Reads the files of a folder's skill. A bundled skill costs a copy of its body.
    pub fn activate(&self, arguments: &str) -> Result<String, Error> {
        let arguments = arguments.trim();
        let read = self.instructions()?;
        let directory = self.folder_place();
        let attributes = [
            ("name", self.name()),
            ("source", self.source()),
            ("directory", &directory),
        ];
        let mut out = String::new();
        let opened = open(&mut out, &attributes);
        let values = Values {
            arguments,
            typed: None,
            listed: &read.fields.arguments,
            variable: &|name| read.folders.variable(name),
        };
        let is_placed = values
            .fill(&mut out, &read.body)
            .ok_or_else(|| Error::new(ErrorKind::Refused, too_long(&self.to_string())))?;
        if !is_placed && !arguments.is_empty() {
            out.push_str("\n\nARGUMENTS: ");
            out.push_str(arguments);
        }
        opened.close(&mut out, &read.resources);
        Ok(out)
    }

    /// Checks that the skill is trusted, enabled and eligible.
    pub(crate) fn check_startable(&self) -> Result<(), Error> {
        let refuse =
            |kind, what: &str| Err(Error::new(kind, format_args!("skill '{self}' {what}")));
        if !self.is_trusted() {
            let what = if self.has_changed() {
                "has changed since it was trusted"
            } else {
                "is not trusted"
            };
            return refuse(ErrorKind::Untrusted, what);
        }
        if !self.is_enabled() {
            let disabled = self.catalog.map(Catalog::disabled);
            let what = if disabled.is_some_and(|disabled| disabled.unknown.is_some()) {
                "is off: it is unknown which skills are disabled"
            } else {
                "is disabled"
            };
            return refuse(ErrorKind::Refused, what);
        }
        let missing = self.missing();
        if !missing.is_empty() {
            let needs = format!("needs {}", missing.join(", "));
            return refuse(ErrorKind::Refused, &needs);
        }
        Ok(())
    }
}

impl Catalog {
    /// Answers a call of the one tool that starts skills: the text of the skill, or why it does not start, for the model.
    pub fn answer(&self, name: &str) -> String {
        let id = name.trim();
        let id = id.strip_prefix('$').unwrap_or(id);
        let started = match self.find(id, Surface::Model) {
            Ok(skill) => skill.activate(""),
            Err(notice) => {
                return match &notice.outcome {
                    Outcome::Unknown => format!("No skill is named '{id}'."),
                    outcome => match outcome.suggestion() {
                        Some(near) => {
                            format!("No skill is named '{id}'. The nearest is '{near}'.")
                        }
                        None => notice.to_string(),
                    },
                };
            }
        };
        started.unwrap_or_else(|error| format!("{error:#}"))
    }
}
