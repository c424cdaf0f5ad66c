//! Values that a program has as a struct: what the module form of `include_skills!` generates.

use crate::line::{push_list, push_named};

/// The typed arguments of one skill as a struct. The module form of `skills_runtime::include_skills!`
/// generates a struct `Arguments` for each skill with an `arguments.schema.json`.
pub trait TypedArguments {
    /// The name of the skill.
    const SKILL: &'static str;

    /// Returns the arguments as a person could type them: `--environment=staging --dry-run`.
    fn line(&self) -> String;
}

/// A scalar of a generated struct, also as an item of a list.
pub trait Scalar {
    /// Returns the value as a person could type it.
    fn text(&self) -> String;
}

impl Scalar for bool {
    fn text(&self) -> String {
        self.to_string()
    }
}

impl Scalar for i64 {
    fn text(&self) -> String {
        self.to_string()
    }
}

impl Scalar for f64 {
    fn text(&self) -> String {
        self.to_string()
    }
}

impl Scalar for String {
    fn text(&self) -> String {
        self.clone()
    }
}

/// Appends a value by the name of its argument.
pub fn push(line: &mut String, name: &str, value: Option<&impl Scalar>) {
    if let Some(value) = value {
        push_named(line, name, Some(&value.text()));
    }
}

/// Appends a list by the name of its argument.
pub fn push_items(line: &mut String, name: &str, items: &[impl Scalar]) {
    let texts: Vec<String> = items.iter().map(Scalar::text).collect();
    push_list(line, name, &texts);
}
