//! What a start of a skill gives as arguments, and the values of its types.

use crate::line::{Values, joined, line};
use crate::parse::parse;
use crate::schema::Schema;
use skills_format::Text;

/// The arguments that a start carries.
#[derive(Clone, Copy)]
pub enum Given<'a> {
    /// A text of a person, a model or a program. It can be empty.
    Text(&'a str),
    /// This way of starting carries no arguments: the types of the skill are not asked.
    Nothing,
}

/// The values of a skill's typed arguments, for its text.
pub struct Typed {
    /// The canonical line.
    pub line: String,
    /// The names, in the order of the schema.
    pub names: Vec<Text>,
    /// The text of each argument; `None` if it is not given and has no default.
    pub values: Vec<Option<String>>,
    /// The arguments also go by their positions.
    pub by_position: bool,
}

impl Typed {
    /// Reads the values from a text. An error names the skill.
    pub fn read(schema: &Schema, text: &str) -> Result<Self, String> {
        let values: Values = parse(schema, text)?;
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
