//! The fields of manifests: the form of each, and what its program does with another form.

use skills_format::yaml::{Node, Style, Value};
use skills_format::{Severity, Span};

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Truth,
    Texts,
    /// An object with a text `name`.
    Author,
    Object,
    List,
    /// A path, or a list of paths.
    Paths,
    /// A path, the component itself as an object, or a list of both.
    Component,
}

/// What a program does with a manifest whose field has another form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Harm {
    /// The program does not load the plugin.
    Plugin,
    /// The program ignores the field.
    Field,
    /// The program loads the plugin without a part of it.
    Part,
    /// The program does not add the marketplace.
    Marketplace,
    /// The program does not install this plugin of the marketplace.
    Entry,
}

pub(super) type Fields = &'static [(&'static str, Form, Harm)];

pub(super) const CLAUDE_PLUGIN: Fields = &[
    ("version", Form::Text, Harm::Plugin),
    ("defaultEnabled", Form::Truth, Harm::Plugin),
    ("dependencies", Form::List, Harm::Plugin),
    ("settings", Form::Object, Harm::Plugin),
    ("userConfig", Form::Object, Harm::Plugin),
    ("channels", Form::List, Harm::Plugin),
    ("$schema", Form::Text, Harm::Field),
    ("description", Form::Text, Harm::Field),
    ("displayName", Form::Text, Harm::Field),
    ("homepage", Form::Text, Harm::Field),
    ("repository", Form::Text, Harm::Field),
    ("license", Form::Text, Harm::Field),
    ("keywords", Form::Texts, Harm::Field),
    ("author", Form::Author, Harm::Field),
    ("skills", Form::Paths, Harm::Plugin),
    ("commands", Form::Component, Harm::Plugin),
    ("agents", Form::Paths, Harm::Plugin),
    ("hooks", Form::Component, Harm::Plugin),
    ("mcpServers", Form::Component, Harm::Plugin),
    ("lspServers", Form::Component, Harm::Plugin),
    ("outputStyles", Form::Paths, Harm::Plugin),
    ("themes", Form::Paths, Harm::Plugin),
    ("workflows", Form::Paths, Harm::Plugin),
    ("monitors", Form::Component, Harm::Plugin),
];

/// The fields of a marketplace's entry beside those of a plugin.
pub(super) const CLAUDE_ENTRY: Fields = &[
    ("category", Form::Text, Harm::Entry),
    ("tags", Form::Texts, Harm::Entry),
    ("strict", Form::Truth, Harm::Entry),
];

pub(super) const CLAUDE_MARKETPLACE: Fields = &[
    ("description", Form::Text, Harm::Marketplace),
    ("version", Form::Text, Harm::Marketplace),
    ("owner", Form::Author, Harm::Marketplace),
    ("metadata", Form::Object, Harm::Marketplace),
    ("forceRemoveDeletedPlugins", Form::Truth, Harm::Marketplace),
];

/// Codex ignores a wrong `author`.
pub(super) const CODEX_PLUGIN: Fields = &[
    ("version", Form::Text, Harm::Plugin),
    ("description", Form::Text, Harm::Plugin),
    ("keywords", Form::Texts, Harm::Plugin),
    ("interface", Form::Object, Harm::Plugin),
    ("skills", Form::Paths, Harm::Part),
];

pub(super) const GEMINI_EXTENSION: Fields = &[
    ("settings", Form::List, Harm::Plugin),
    ("excludeTools", Form::Texts, Harm::Plugin),
    ("skills", Form::Paths, Harm::Plugin),
];

pub(super) const OTHER: Fields = &[("skills", Form::Paths, Harm::Plugin)];

/// The kinds of sources of Claude Code, and the part that each must have.
pub(super) const SOURCES: [(&str, &str); 5] = [
    ("github", "repo"),
    ("url", "url"),
    ("git-subdir", "url"),
    ("npm", "package"),
    ("archive", "url"),
];

impl Harm {
    /// Returns a help that also says what the program does.
    pub(super) fn help(self, help: &str, program: &str) -> String {
        match self {
            Self::Plugin => format!("{help}; {program} does not load the plugin otherwise"),
            Self::Field => format!(
                "{help}; {program} ignores the field, and its older versions do not load the plugin"
            ),
            Self::Part => format!("{help}; {program} loads the plugin without it otherwise"),
            Self::Marketplace => {
                format!("{help}; {program} does not add the marketplace otherwise")
            }
            Self::Entry => format!("{help}; {program} does not install the plugin otherwise"),
        }
    }

    pub(super) const fn severity(self) -> Severity {
        match self {
            Self::Field => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

impl Form {
    /// Returns the place of a value that has another form, the message, and what to write instead.
    pub(super) fn fault(self, field: &str, value: &Node) -> Option<(Span, String, &'static str)> {
        let items = value.items().unwrap_or_default();
        let (is_right, wanted, help) = match self {
            Self::Text => (text(value).is_some(), "a text", "write a text in quotes"),
            Self::Truth => (
                value.as_bool().is_some() && text(value).is_none(),
                "a truth value",
                "write `true` or `false`, without quotes",
            ),
            Self::Texts => (
                value.items().is_some() && items.iter().all(|item| text(item).is_some()),
                "a list of texts",
                "write a list of texts, as in `[\"one\", \"two\"]`",
            ),
            Self::Author => (
                value
                    .get("name")
                    .and_then(text)
                    .is_some_and(|name| !name.is_empty()),
                "an object with a name",
                "write an object with a name, as in `{\"name\": \"A. Author\"}`",
            ),
            Self::Object => (is_object(value), "an object", "write an object"),
            Self::List => (value.items().is_some(), "a list", "write a list"),
            Self::Paths => (
                text(value).is_some()
                    || value.items().is_some() && items.iter().all(|item| text(item).is_some()),
                "a path or a list of paths",
                "write a path that begins with `./`, or a list of paths",
            ),
            Self::Component => (
                text(value).is_some()
                    || is_object(value)
                    || value.items().is_some()
                        && items
                            .iter()
                            .all(|item| text(item).is_some() || is_object(item)),
                "a path, a list or an object",
                "write a path that begins with `./`, or what the file would hold",
            ),
        };
        if is_right {
            return None;
        }
        Some(match self {
            // The list is right, and an item is not.
            Self::Texts | Self::Paths | Self::Component if value.items().is_some() => {
                let is_known = |item: &&Node| {
                    text(item).is_some() || self == Self::Component && is_object(item)
                };
                let wrong = items.iter().find(|item| !is_known(item)).unwrap_or(value);
                (
                    wrong.span,
                    format!("`{field}` is not {wanted}: it holds {}", kind(wrong)),
                    help,
                )
            }
            _ => (
                value.span,
                format!("`{field}` is {}, not {wanted}", kind(value)),
                help,
            ),
        })
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
        _ if text(value).is_some() => "a text",
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
        let cases: [(Form, &[&str], &[&str]); 8] = [
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
                Form::Author,
                &["{\"name\": \"a\"}", "{\"name\": \" \", \"phone\": 1}"],
                &[
                    "\"me\"",
                    "{}",
                    "{\"name\": \"\"}",
                    "{\"name\": 1}",
                    "null",
                    "[]",
                ],
            ),
            (
                Form::Object,
                &["{}", "{\"a\": 1}"],
                &["null", "\"x\"", "[]"],
            ),
            (Form::List, &["[]", "[1]"], &["{}", "\"a\""]),
            (
                Form::Paths,
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
