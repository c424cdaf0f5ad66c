//! `arguments.schema.json`: the arguments of a skill, each with its type.
//!
//! The file is a JSON Schema of an object, of which a small part is read: [`SchemaFile::read`]. Values are kept as
//! their canonical text, so that a value is the same whether it was typed, called as JSON or compiled.

mod fit;
mod reader;
#[cfg(test)]
mod tests;
mod type_reader;

pub use reader::SchemaFile;

use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::fields::Text;
use skills_format::text::span::Span;
use std::borrow::Cow;

/// The maximum number of arguments of a skill.
pub const MAX_ARGUMENTS: usize = 64;

/// The maximum number of values in an `enum`.
pub const MAX_CHOICES: usize = 256;

/// The typed arguments of a skill, in order.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Schema {
    /// The arguments: in the order of the front matter's `arguments`, else in the order of the schema's properties.
    pub arguments: Cow<'static, [Argument]>,
    /// The arguments also go by their positions, because the front matter lists them in `arguments`.
    pub by_position: bool,
}

/// One typed argument.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Argument {
    /// The name of the property.
    pub name: Text,
    /// `description`; empty if missing.
    pub description: Text,
    /// The type; of a list, the type of each item.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub kind: Kind,
    /// The argument is a list.
    #[cfg_attr(feature = "serde", serde(rename = "list"))]
    pub is_list: bool,
    /// The argument must be given.
    #[cfg_attr(feature = "serde", serde(rename = "required"))]
    pub is_required: bool,
    /// The canonical text of the default. Of a list, the texts of its items.
    pub default: Option<Cow<'static, [Text]>>,
}

/// The type of an argument, or of each item of a list.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(tag = "type", rename_all = "lowercase"))]
pub enum Kind {
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer {
        /// The least number.
        minimum: Option<i64>,
        /// The greatest number.
        maximum: Option<i64>,
    },
    /// A number.
    Number {
        /// The least number.
        minimum: Option<f64>,
        /// The greatest number.
        maximum: Option<f64>,
    },
    /// A text. The lengths count Unicode scalar values.
    #[cfg_attr(feature = "serde", serde(rename = "string"))]
    Text {
        /// The least length.
        min_length: Option<u32>,
        /// The greatest length.
        max_length: Option<u32>,
    },
    /// A value of a list: `enum` or `const`.
    #[cfg_attr(feature = "serde", serde(rename = "enum"))]
    Choice {
        /// The values are numbers, not texts.
        numbers: bool,
        /// The canonical texts of the values.
        values: Cow<'static, [Text]>,
    },
}

impl Schema {
    /// Orders the arguments as the front matter lists them. A name that is not in the schema is left out, and a
    /// property that is not listed stands last.
    #[must_use]
    pub fn ordered(mut self, listed: &[Text]) -> Self {
        let listed: Vec<&str> = listed.iter().map(|name| bare(name)).collect();
        let place = |argument: &Argument| listed.iter().position(|name| *name == argument.name);
        self.by_position = self
            .arguments
            .iter()
            .any(|argument| place(argument).is_some());
        if self.by_position {
            let arguments = self.arguments.to_mut();
            arguments.sort_by_key(|argument| place(argument).unwrap_or(usize::MAX));
        }
        self
    }

    /// Finds an argument by its name. `-` and `_` are the same here.
    pub fn find(&self, name: &str) -> Option<(usize, &Argument)> {
        let mut arguments = self.arguments.iter().enumerate();
        arguments.find(|(_, argument)| is_same_name(&argument.name, name))
    }
}

impl Argument {
    /// Returns whether a value must be given: a required argument has no default.
    pub fn needs_value(&self) -> bool {
        self.is_required && self.default.is_none()
    }
}

/// Returns a name of the front matter's `arguments` without the `$` that it may have.
pub fn bare(name: &str) -> &str {
    name.strip_prefix('$').unwrap_or(name)
}

/// Returns whether two names are the same argument: `dry-run` and `dry_run`.
pub fn is_same_name(a: &str, b: &str) -> bool {
    let folded = |byte: u8| if byte == b'-' { b'_' } else { byte };
    a.len() == b.len()
        && a.bytes()
            .zip(b.bytes())
            .all(|(a, b)| folded(a) == folded(b))
}

/// The reason why a schema is not read, at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaFault {
    /// The bytes in the file; `None` for the whole file.
    pub span: Option<Span>,
    /// The fault.
    pub message: String,
    /// The correction.
    pub help: String,
    /// The rule that reports the fault.
    pub rule: RuleId,
}
