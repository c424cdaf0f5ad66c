//! What enters the conversation when a skill starts, whichever way it was started.

pub(crate) mod envelope;
pub(crate) mod exchange;
pub(crate) mod narrow;
pub(crate) mod placeholder;
pub(crate) mod tool_names;

pub use envelope::Envelope;
pub use exchange::{Exchange, ToolArguments, ToolIds, ToolShape};
pub use narrow::{Narrowed, NarrowedTool, narrow};
pub use tool_names::{TablePlace, ToolNames};

use crate::activation::envelope::push_enclosed;
use crate::activation::placeholder::{Values, fill};
use crate::catalog::entry::Entry;
use crate::catalog::ids::id_of;
use crate::catalog::names::Plugins;
use crate::catalog::places::{Places, is_unwritable};
use crate::error::{Error, ErrorKind};
use crate::source::FolderTrust;
use skills_format::{Text, ToolRule};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// How an activation is written: the part of a profile that concerns it, and what the host supplies.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ActivationOptions {
    /// The form of the text.
    pub envelope: Envelope,
    /// A line that stands before the text; empty: none.
    pub preamble: Text,
    /// What the host calls the tools that skills name otherwise.
    pub tool_names: ToolNames,
    /// The tool of the model's own activations, for [`Activation::exchange`].
    pub tool: Option<ToolShape>,
    /// Values of `$FILE`, `$SELECTION` and the like, by name without `$`. Put into the bodies of
    /// skills that list them in `arguments`.
    pub variables: BTreeMap<String, String>,
    /// How places are written.
    pub places: Places,
    /// Whether a plugin's skills answer to their qualified ids only.
    pub plugins: Plugins,
}

impl Default for ActivationOptions {
    fn default() -> Self {
        Self {
            envelope: Envelope::Tagged,
            preamble: Text::Borrowed(""),
            tool_names: ToolNames::NONE,
            tool: Some(ToolShape::SKILL),
            variables: BTreeMap::new(),
            places: Places::default(),
            plugins: Plugins::Merged,
        }
    }
}

/// The preamble of profiles that have one.
pub(crate) const PREAMBLE: &str =
    "The user's message sets parameters for this skill and overrides its defaults.";

/// A skill that starts. It depends on the skill, the arguments and the options, never on the way it
/// was started: a mention, a slash command, a tool call and a scheduled run give the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Activation {
    /// The id that finds the skill.
    pub skill: String,
    /// The name of its source.
    pub source: String,
    /// What enters the conversation.
    pub text: String,
    /// What stands before it, in the user's turn; empty: nothing.
    pub preamble: Text,
    /// What a host says about this run, between preamble and text; empty: nothing. Never set here.
    pub note: String,
    /// What the skill declares in `allowed-tools`, under the host's names. None: it declares
    /// nothing.
    pub allowed_tools: Cow<'static, [ToolRule]>,
    /// The files beside the `SKILL.md`, relative to the skill's folder.
    pub resources: Vec<Text>,
    /// The arguments, without white space at their ends.
    pub arguments: String,
    /// The `ARGUMENTS:` line in `text`; empty where there is none.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(crate) arguments_line: Range<usize>,
    #[cfg_attr(feature = "serde", serde(skip))]
    tool: Option<ToolShape>,
}

impl Entry<'_> {
    /// Starts the skill. White space at the ends of the arguments does not count; empty ones are
    /// none.
    ///
    /// A skill that is disabled, not trusted or not eligible is an error; so is a body that
    /// cannot be read. Whether a person or the model may start it is asked by those who resolve ids.
    /// Reads a folder's skill from disk; a bundled one's costs a copy of its body.
    pub fn activate(
        &self,
        arguments: &str,
        options: &ActivationOptions,
    ) -> Result<Activation, Error> {
        self.check_startable()?;
        let arguments = arguments.trim();
        let resources = self.resource_paths()?;
        let mut activation = Activation {
            skill: id_of(self, options.plugins).into_owned(),
            source: self.source().name().to_owned(),
            text: String::new(),
            preamble: options.preamble.clone(),
            note: String::new(),
            allowed_tools: options.tool_names.apply(&self.fields().allowed_tools),
            resources,
            arguments: arguments.to_owned(),
            arguments_line: 0..0,
            tool: options.tool.clone(),
        };
        activation.write(self, options)?;
        Ok(activation)
    }

    fn check_startable(&self) -> Result<(), Error> {
        let refuse = |kind, what: &str| {
            let id = self.qualified_id();
            Err(Error::new(kind, format_args!("skill '{id}' {what}")))
        };
        if !self.is_trusted() {
            return refuse(ErrorKind::Untrusted, "is of a source that is not trusted");
        }
        if !self.is_enabled() {
            return refuse(ErrorKind::Disabled, "is disabled");
        }
        if !self.is_eligible() {
            let needs = format!("needs {}", self.missing().join(", "));
            return refuse(ErrorKind::Ineligible, &needs);
        }
        Ok(())
    }

    fn resource_paths(&self) -> Result<Vec<Text>, Error> {
        if let Some(skill) = self.bundled() {
            return Ok(skill.files().skip(1).map(|file| file.path.into()).collect());
        }
        let resources = self.resources()?;
        Ok(resources
            .into_iter()
            .map(|resource| match resource.path {
                path if path.contains(is_unwritable) => {
                    path.replace(is_unwritable, "\u{fffd}").into()
                }
                path => path.into(),
            })
            .collect())
    }
}

impl Activation {
    fn write(&mut self, entry: &Entry<'_>, options: &ActivationOptions) -> Result<(), Error> {
        let mut content = String::new();
        let placed = match options.envelope {
            Envelope::Pointer => {
                if entry.trust() == FolderTrust::Recorded {
                    // The model is going to read what a person trusted: it must still be that.
                    entry.body()?;
                }
                let place = options.places.file(entry).ok_or_else(|| nowhere(entry))?;
                content.push_str("Use the skill ");
                content.push_str(&self.skill);
                content.push_str(": read ");
                content.push_str(&place);
                content.push_str(" and follow it.");
                placeholder::Arguments::NotPlaced
            }
            Envelope::Tagged | Envelope::Body => {
                let body = entry.body()?;
                content.reserve(body.len() + self.arguments.len() + 64);
                let values = Values {
                    arguments: &self.arguments,
                    variables: &options.variables,
                    listed: &entry.fields().arguments,
                };
                fill(&mut content, &body, &values)
            }
        };
        if options.tool_names.place == TablePlace::Activation {
            options.tool_names.push_table(&mut content);
        }
        let before = content.len();
        if placed == placeholder::Arguments::NotPlaced && !self.arguments.is_empty() {
            content.push_str("\n\nARGUMENTS: ");
            content.push_str(&self.arguments);
        }
        let line = content.len() - before;
        if options.envelope == Envelope::Tagged {
            let directory = options.places.directory(entry);
            let attributes = [
                ("name", entry.name()),
                ("source", self.source.as_str()),
                ("directory", directory.as_deref().unwrap_or_default()),
            ];
            let attributes = match directory {
                Some(_) => attributes.as_slice(),
                None => attributes.get(..2).unwrap_or_default(),
            };
            let paths: usize = self.resources.iter().map(|path| path.len() + 1).sum();
            self.text.reserve_exact(content.len() + paths + 256);
            let opened = push_enclosed(&mut self.text, attributes, &content, &self.resources);
            self.arguments_line = opened + before..opened + before + line;
        } else {
            self.text = content;
            self.arguments_line = before..before + line;
        }
        Ok(())
    }

    /// Preamble, note and text as one message.
    pub fn message(&self) -> String {
        let parts = [&*self.preamble, &self.note, &self.text];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    }

    /// The same as a call of the skill tool and its result: the bytes that the model's own call
    /// leaves in the conversation. The host supplies the call's id.
    ///
    /// `None` where the profile has no such tool, or one that takes no arguments and there are any:
    /// then no call could have left this.
    pub fn exchange(&self) -> Option<Exchange> {
        let tool = self.tool.as_ref()?;
        Some(Exchange {
            tool: tool.name.to_string(),
            arguments: tool.call(&self.skill, &self.arguments)?,
            result: self.text.clone(),
        })
    }

    /// The text without the `ARGUMENTS:` line, in its two parts.
    pub(crate) fn without_arguments(&self) -> (&str, &str) {
        let Range { start, end } = self.arguments_line;
        (
            self.text.get(..start).unwrap_or_default(),
            self.text.get(end..).unwrap_or_default(),
        )
    }
}

fn nowhere(entry: &Entry<'_>) -> Error {
    Error::new(
        ErrorKind::NotFound,
        format_args!(
            "skill '{}' lies in the program alone, and the model reads files by path only",
            entry.qualified_id()
        ),
    )
}

#[cfg(all(test, feature = "discover", feature = "macros"))]
mod properties;
#[cfg(all(test, feature = "discover", feature = "macros"))]
mod tests;
