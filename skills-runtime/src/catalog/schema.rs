//! Reads the `arguments.schema.json` of a skill.

use crate::catalog::skill::Skill;
use crate::error::{Error, ErrorKind};
use crate::source::SkillContent;
use skills_arguments::Schema;
use skills_arguments::SchemaFile;
use skills_format::ARGUMENTS_FILE;
use skills_format::text::span::Lines;
use std::borrow::Cow;

impl<'c> Skill<'c> {
    /// Returns the typed arguments. Returns `None` if the skill has no `arguments.schema.json`, if the file is a
    /// link that leads out of the skill, or if it is at an MCP server and the host has not supplied it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Schema`]: the file is not a schema of the form that is read. Any kind of [`Skill::read`], except
    /// that a missing file is not an error.
    ///
    /// # Cost
    ///
    /// A bundled skill: nothing. A skill of a folder: opens the file, and reads it if it exists.
    pub fn typed_arguments(&self) -> Result<Option<Cow<'c, Schema>>, Error> {
        if let SkillContent::Bundled(skill) = self.content {
            return Ok(skill.typed_arguments().map(Cow::Borrowed));
        }
        let bytes = match self.read(ARGUMENTS_FILE) {
            Ok(bytes) => bytes,
            Err(error) => {
                return match error.kind() {
                    // A link that leads out of the skill is not a file of the skill, and is not listed either.
                    ErrorKind::NotFound => Ok(None),
                    _ => Err(error),
                };
            }
        };
        let file = SchemaFile::read(&bytes);
        let Some(fault) = file.faults.first() else {
            return Ok(Some(Cow::Owned(
                file.schema.ordered(&self.fields().arguments),
            )));
        };
        let place = fault.span.map_or_else(String::new, |span| {
            let place = Lines::new(&bytes).position(span.start);
            format!(", line {}, column {}", place.line, place.column)
        });
        let more = match file.faults.len() - 1 {
            0 => String::new(),
            1 => "; the file has 1 more fault".to_owned(),
            more => format!("; the file has {more} more faults"),
        };
        let what = format_args!(
            "skill '{}', file '{ARGUMENTS_FILE}'{place}: {} ({}){more}",
            self.name(),
            fault.message,
            fault.help
        );
        Err(Error::new(ErrorKind::Schema, what))
    }
}
