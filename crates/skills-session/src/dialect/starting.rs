//! A skill that starts, and the text that is written for it.

use crate::options::Options;
use crate::options::fill::fill;
use skills_arguments::Typed;
use skills_format::{SKILL_FILE, ToolRule};
use skills_permit::{Tools, is_taken};
use skills_render::{Instructions, TypedValues, Values, open, too_long};
use skills_runtime::{Error, ErrorKind, Skill};
use std::collections::BTreeMap;
use std::ops::Range;

/// A skill that starts, for [`Dialect::text`](crate::Dialect::text).
pub struct Starting<'a> {
    /// The skill.
    pub entry: &'a Skill<'a>,
    /// The skill's id.
    pub id: &'a str,
    /// The arguments, without white space at their ends.
    pub arguments: &'a str,
    /// The skill as it was read now.
    pub read: &'a Instructions<'a>,
    pub(crate) typed: Option<&'a Typed>,
    pub(crate) disallowed_tools: &'a [ToolRule],
    pub(crate) options: &'a Options,
    pub(crate) variables: &'a BTreeMap<String, String>,
    pub(crate) tools: &'a Tools,
}

/// The text of a skill that starts.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Where in the text the line of the arguments stands, which a reminder of the skill repeats. Empty: there is none.
    pub arguments: Range<usize>,
}

impl Starting<'_> {
    /// Returns the whole path of the skill's file, or its address.
    pub fn file(&self) -> String {
        let place = self.entry.place();
        let name = place.rsplit('/').next().unwrap_or(SKILL_FILE);
        [&*self.read.folders.skill, "/", name].concat()
    }

    /// Appends the instructions with their placeholders filled, and the table of the tools' names. Returns whether the
    /// instructions hold the arguments.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]: the values of several placeholders have more than 1 MiB together.
    pub fn push_instructions(&self, out: &mut String) -> Result<bool, Error> {
        let (options, fields) = (self.options, &*self.read.fields);
        let values = Values {
            arguments: self.arguments,
            typed: self.typed.map(|typed| TypedValues {
                names: &typed.names,
                values: &typed.values,
                by_position: typed.by_position,
            }),
            listed: &fields.arguments,
            variable: &|name| {
                let folder = self.read.folders.variable(name);
                folder.or_else(|| self.variables.get(name).map(String::as_str))
            },
        };
        let placed = fill(options.placeholders, out, &self.read.body, &values);
        let placed = placed
            .ok_or_else(|| Error::new(ErrorKind::Refused, too_long(&self.entry.to_string())))?;
        if options.tool_table {
            let rules = fields.allowed_tools.iter().chain(&*fields.disallowed_tools);
            let in_lists = rules.map(|rule| &*rule.tool);
            // What `allowed-tools` leaves is not asked: with skills that narrow, it depends on the others that a
            // person starts.
            let is_taken = |tool: &str, kind| is_taken(self.disallowed_tools, tool, kind);
            let (tools, body) = (self.tools, &self.read.body);
            options
                .tool_names
                .push_table_of(out, tools, in_lists, body, is_taken);
        }
        Ok(placed)
    }
}

/// Writes `<skill_content name source directory>` with the instructions, the arguments and the list of resources, which
/// nothing in the instructions can end.
///
/// # Errors
///
/// The errors of [`Starting::push_instructions`].
pub fn tagged(skill: &Starting<'_>) -> Result<Written, Error> {
    let entry = skill.entry;
    let place = entry.place();
    let directory = place.rsplit_once('/').map_or(&*place, |(folder, _)| folder);
    let attributes = [
        ("name", entry.name()),
        ("source", entry.source()),
        ("directory", directory),
    ];
    let room = skill.read.body.len() + skill.arguments.len();
    let mut out = String::with_capacity(room + 512);
    let opened = open(&mut out, &attributes);
    let is_placed = skill.push_instructions(&mut out)?;
    let before = out.len();
    if !is_placed && !skill.arguments.is_empty() {
        out.push_str("\n\nARGUMENTS: ");
        out.push_str(skill.arguments);
    }
    let line = before..out.len();
    let moved = opened.close(&mut out, &skill.read.resources);
    Ok(Written {
        text: out,
        arguments: line.start + moved..line.end + moved,
    })
}
