//! What a start of a skill gives as arguments, and the values of its types.

use crate::catalog::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::resolve::arguments::line::{Values, joined, line};
use crate::resolve::arguments::parse::parse;
use skills_format::Text;
use skills_format::arguments::Schema;

/// The arguments that a start carries.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    /// A text of a person, a model or a program. It can be empty.
    Text(&'a str),
    /// This way of starting carries no arguments: the types of the skill are not asked.
    Nothing,
}

/// The values of a skill's typed arguments, for its text.
pub(crate) struct Typed {
    /// The canonical line.
    pub(crate) line: String,
    /// The names, in the order of the schema.
    pub(crate) names: Vec<Text>,
    /// The text of each argument; `None` if it is not given and has no default.
    pub(crate) values: Vec<Option<String>>,
    /// The arguments also go by their positions.
    pub(crate) by_position: bool,
}

impl Typed {
    /// Reads the values from a text. An error names the skill.
    pub(crate) fn read(schema: &Schema, text: &str, entry: &Entry<'_>) -> Result<Self, Error> {
        let values: Values = parse(schema, text).map_err(|why| {
            let what = format_args!("skill '{}': {why}", entry.name());
            Error::new(ErrorKind::Arguments, what)
        })?;
        let arguments = schema.arguments.iter();
        Ok(Self {
            line: line(schema, &values),
            names: arguments
                .clone()
                .map(|argument| argument.name.clone())
                .collect(),
            values: arguments
                .zip(values)
                .map(|(argument, texts)| {
                    let texts = texts?;
                    Some(if argument.is_list {
                        joined(&texts)
                    } else {
                        texts.into_iter().next().unwrap_or_default()
                    })
                })
                .collect(),
            by_position: schema.by_position,
        })
    }
}
