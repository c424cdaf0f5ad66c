//! Writes values as one canonical line: the same values give the same line, and the line gives the same values.

use crate::schema::{Kind, Schema};
use skills_format::text::escape::push_json_text;
use skills_format::text::words::{assigned, option_of, short_option};
use std::fmt::{Display, Write as _};

/// The values of the arguments of a schema, in its order: canonical texts. `None`: the argument is not given. A value
/// that is no list has one text.
pub type Values = Vec<Option<Vec<String>>>;

/// Writes the values: by position as far as all of them are given, then by name. Defaults are written too, since a
/// model does not see the schema.
pub fn line(schema: &Schema, values: &Values) -> String {
    let mut line = String::new();
    let mut by_position = schema.by_position;
    for (argument, value) in schema.arguments.iter().zip(values) {
        let Some(texts) = value else {
            by_position = false;
            continue;
        };
        by_position &= !texts.is_empty() && texts.iter().all(|text| is_value(text));
        if by_position {
            for text in texts {
                next(&mut line);
                push_quoted(&mut line, text);
            }
        } else if argument.is_list {
            push_list(&mut line, &argument.name, texts);
        } else {
            let is_flag = argument.kind == Kind::Boolean && texts.iter().all(|text| text == "true");
            let value = texts.first().filter(|_| !is_flag);
            push_named(&mut line, &argument.name, value.map(String::as_str));
        }
    }
    line
}

/// Returns whether a word at a position is read as a value.
pub fn is_value(text: &str) -> bool {
    let is_option = option_of(text).or_else(|| short_option(text)).is_some();
    text != "--" && !is_option && assigned(text).is_none()
}

/// Appends `--name=value`. `None`: `--name`.
pub(crate) fn push_named(line: &mut String, name: &str, value: Option<&str>) {
    next(line);
    line.push_str("--");
    line.push_str(name);
    if let Some(value) = value {
        line.push('=');
        if !value.is_empty() {
            push_quoted(line, value);
        }
    }
}

/// Appends `--name=value` for each item, or a JSON list if an item would be read as such a list.
pub(crate) fn push_list(line: &mut String, name: &str, texts: &[String]) {
    if !texts.is_empty() && !texts.iter().any(|text| text.starts_with('[')) {
        for text in texts {
            push_named(line, name, Some(text));
        }
        return;
    }
    let mut list = String::from("[");
    for (place, text) in texts.iter().enumerate() {
        if place > 0 {
            list.push(',');
        }
        list.push('"');
        push_json_text(&mut list, text);
        list.push('"');
    }
    list.push(']');
    push_named(line, name, Some(&list));
}

/// Joins values to words with quotes.
pub fn joined(texts: &[String]) -> String {
    let mut line = String::new();
    for text in texts {
        next(&mut line);
        push_quoted(&mut line, text);
    }
    line
}

fn next(line: &mut String) {
    if !line.is_empty() {
        line.push(' ');
    }
}

/// Appends a word as a shell reads it. Letters, digits and a few signs need no quotes; a character that ends a line
/// or cannot be seen is written as an escape, so that the line is one line.
fn push_quoted(line: &mut String, text: &str) {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:@%+,=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return line.push_str(text);
    }
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    if !text.contains(is_break) {
        line.push('\'');
        line.push_str(&text.replace('\'', r"'\''"));
        return line.push('\'');
    }
    line.push_str("$'");
    for c in text.chars() {
        match c {
            '\n' => line.push_str(r"\n"),
            '\r' => line.push_str(r"\r"),
            '\t' => line.push_str(r"\t"),
            '\\' | '\'' => line.extend(['\\', c]),
            c if is_break(c) => {
                let _ = write!(line, "\\u{:04x}", u32::from(c));
            }
            c => line.push(c),
        }
    }
    line.push('\'');
}

/// The typed arguments of one skill as a struct. The module form of `skills_runtime::include_skills!`
/// generates a struct `Arguments` for each skill with an `arguments.schema.json`.
pub trait TypedArguments {
    /// The name of the skill.
    const SKILL: &'static str;

    /// Returns the arguments as a person could type them: `--environment=staging --dry-run`.
    fn line(&self) -> String;
}

/// Appends a value by the name of its argument.
pub fn push(line: &mut String, name: &str, value: Option<&impl Display>) {
    if let Some(value) = value {
        push_named(line, name, Some(&value.to_string()));
    }
}

/// Appends a list by the name of its argument.
pub fn push_items(line: &mut String, name: &str, items: &[impl Display]) {
    let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    push_list(line, name, &texts);
}
