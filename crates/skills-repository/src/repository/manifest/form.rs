//! The fields of manifests: the form of each, and whether its program refuses another form.

use skills_format::yaml::{Node, Style, Value};
use skills_format::{Severity, Span};

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Truth,
    Texts,
    Object,
    List,
    /// A path, or a list of paths.
    PathList,
    /// A path, the component itself as an object, or a list of both.
    Component,
}

/// Names of fields, their form, and the severity of another form: the program refuses the manifest, or ignores the field.
pub(super) type Fields = &'static [(&'static str, Form, Severity)];

/// Older versions of Claude Code refuse what this one ignores.
pub(super) const CLAUDE_PLUGIN: Fields = &[
    ("version", Form::Text, Severity::Error),
    ("defaultEnabled", Form::Truth, Severity::Error),
    ("dependencies channels", Form::List, Severity::Error),
    ("settings userConfig", Form::Object, Severity::Error),
    (
        "$schema description displayName",
        Form::Text,
        Severity::Warning,
    ),
    ("homepage repository license", Form::Text, Severity::Warning),
    ("keywords", Form::Texts, Severity::Warning),
    ("author", Form::Object, Severity::Warning),
    (
        "skills agents outputStyles",
        Form::PathList,
        Severity::Error,
    ),
    ("themes workflows", Form::PathList, Severity::Error),
    ("commands hooks monitors", Form::Component, Severity::Error),
    ("mcpServers lspServers", Form::Component, Severity::Error),
];

pub(super) const CLAUDE_MARKETPLACE: Fields = &[
    ("description version", Form::Text, Severity::Error),
    ("owner metadata", Form::Object, Severity::Error),
    ("forceRemoveDeletedPlugins", Form::Truth, Severity::Error),
];

pub(super) const CODEX_PLUGIN: Fields = &[
    ("version description", Form::Text, Severity::Error),
    ("keywords", Form::Texts, Severity::Error),
    ("interface", Form::Object, Severity::Error),
    ("skills", Form::PathList, Severity::Error),
];

pub(super) const GEMINI_EXTENSION: Fields = &[
    ("settings", Form::List, Severity::Error),
    ("excludeTools", Form::Texts, Severity::Error),
    ("skills", Form::PathList, Severity::Error),
];

pub(super) const OTHER: Fields = &[("skills", Form::PathList, Severity::Error)];

impl Form {
    /// Returns what a value must be, and how to write it.
    const fn wanted(self) -> (&'static str, &'static str) {
        match self {
            Self::Text => ("a string", "write a string in quotes"),
            Self::Truth => ("a boolean", "write `true` or `false`, without quotes"),
            Self::Texts => (
                "a list of strings",
                "write a list, as in `[\"one\", \"two\"]`",
            ),
            Self::Object => (
                "an object",
                "write an object, as in `{\"name\": \"A. Author\"}`",
            ),
            Self::List => ("a list", "write a list"),
            Self::PathList => (
                "a path or a list of paths",
                "write a path that begins with `./`, or a list of paths",
            ),
            Self::Component => (
                "a path, a list or an object",
                "write a path that begins with `./`, or what the file would hold",
            ),
        }
    }

    /// Returns the place of a value that has another form, the message, and what to write instead.
    pub(super) fn fault(self, field: &str, value: &Node) -> Option<(Span, String, &'static str)> {
        let is_item = |item: &Node| {
            text(item).is_some() || self == Self::Component && is_object(item) || self == Self::List
        };
        let is_right = match self {
            Self::Text => text(value).is_some(),
            Self::Truth => value.as_bool().is_some() && text(value).is_none(),
            Self::Object => is_object(value),
            Self::Texts | Self::List => false,
            Self::PathList | Self::Component => is_item(value),
        };
        let (wanted, help) = self.wanted();
        let is_list = matches!(
            self,
            Self::Texts | Self::List | Self::PathList | Self::Component
        );
        match value.items().filter(|_| is_list) {
            _ if is_right => None,
            Some(items) => {
                let wrong = items.iter().find(|item| !is_item(item))?;
                let message = format!("`{field}` is not {wanted}: it holds {}", kind(wrong));
                Some((wrong.span, message, help))
            }
            None => {
                let message = format!("`{field}` is {}, not {wanted}", kind(value));
                Some((value.span, message, help))
            }
        }
    }
}

/// Returns the text of a value in quotes.
pub(crate) fn text(value: &Node) -> Option<&str> {
    match &value.value {
        Value::Scalar(scalar) if scalar.style == Style::DoubleQuoted => Some(&scalar.text),
        _ => None,
    }
}

pub(super) fn is_object(value: &Node) -> bool {
    matches!(value.value, Value::Mapping(_))
}

/// Returns the kind of a JSON value for a message: `a list`.
pub(super) fn kind(value: &Node) -> &'static str {
    match value.kind() {
        _ if text(value).is_some() => "a string",
        "a mapping" => "an object",
        "empty" => "`null`",
        kind => kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::yaml::json;

    #[test]
    fn right_and_wrong_values() {
        let cases: [(Form, &[&str], &[&str]); 7] = [
            (
                Form::Text,
                &["\"\"", "\"5\""],
                &["5", "null", "[]", "{}", "true"],
            ),
            (Form::Truth, &["true", "false"], &["\"true\"", "null", "1"]),
            (
                Form::Texts,
                &["[]", "[\"\"]"],
                &["\"a\"", "[1]", "null", "{}"],
            ),
            (
                Form::Object,
                &["{}", "{\"a\": 1}"],
                &["null", "\"x\"", "[]"],
            ),
            (Form::List, &["[]", "[1]"], &["{}", "\"a\""]),
            (
                Form::PathList,
                &["\"a\"", "[]", "[\"a\"]"],
                &["{}", "[1]", "null", "[{}]"],
            ),
            (
                Form::Component,
                &["\"a\"", "{}", "[\"a\", {}]"],
                &["1", "[1]", "null"],
            ),
        ];
        for (form, right, wrong) in cases {
            for value in right {
                let value = json::parse(value).expect("of a test");
                assert_eq!(form.fault("f", &value), None, "{form:?}");
            }
            for value in wrong {
                let value = json::parse(value).expect("of a test");
                assert!(form.fault("f", &value).is_some(), "{form:?}");
            }
        }
    }
}
