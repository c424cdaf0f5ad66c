//! The arguments of a skill in one line, for lists and messages.

use crate::schema::{Argument, Schema};
use skills_format::text::shorten::one_line;

/// Returns the names with what fits: `environment (staging or production), dry-run (true or false, default false)`.
pub fn signature(schema: &Schema) -> String {
    let mut line = String::new();
    for argument in schema.arguments.iter() {
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(&argument.name);
        line.push_str(" (");
        line.push_str(&fits(argument));
        match &argument.default {
            Some(default) => {
                line.push_str(", default ");
                match &*one_line(&default.join(" ")) {
                    "" => line.push_str("''"),
                    default => line.push_str(default),
                }
            }
            None if argument.is_required => {}
            None => line.push_str(", optional"),
        }
        line.push(')');
    }
    line
}

/// Returns the values that an argument takes, on one line.
pub(crate) fn fits(argument: &Argument) -> String {
    one_line(&argument.fits()).into_owned()
}
