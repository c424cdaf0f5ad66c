//! The forms of the fields of a manifest, and where a value has another form.

use skills_format::yaml::{Node, Style, Value};
use skills_format::{Severity, Span};

/// What a program does with a manifest whose field has a wrong value.
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

impl Harm {
    /// Returns a help that also says what the program does.
    pub(super) fn help(self, help: &str, program: &str) -> String {
        let then = match self {
            Self::Plugin => format!("{program} does not load the plugin otherwise"),
            Self::Field => format!(
                "{program} ignores the field, and its older versions do not load the plugin"
            ),
            Self::Part => format!("{program} loads the plugin without it otherwise"),
            Self::Marketplace => format!("{program} does not add the marketplace otherwise"),
            Self::Entry => format!("{program} does not install the plugin otherwise"),
        };
        format!("{help}; {then}")
    }

    pub(super) fn most(self) -> Severity {
        match self {
            Self::Field => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Url,
    Truth,
    Texts,
    /// An object with a text `name`, and the texts `email` and `url` if they are there.
    Author,
    Object,
    /// An object of objects.
    Objects,
    List,
    /// A list of texts and objects.
    Dependencies,
}

/// A value that has another form than its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) span: Span,
    pub(super) message: String,
    /// What to write instead.
    pub(super) help: &'static str,
}

impl Fault {
    pub(super) fn new(span: Span, message: impl Into<String>, help: &'static str) -> Self {
        let message = message.into();
        Self {
            span,
            message,
            help,
        }
    }

    /// Creates the fault of a value that is not `what`.
    pub(super) fn kind(field: &str, value: &Node, what: &str, help: &'static str) -> Self {
        let message = format!("`{field}` is {}, not {what}", kind(value));
        Self::new(value.span, message, help)
    }
}

impl Form {
    /// Returns the fault of a field's value, if the value has another form.
    pub(super) fn fault(self, field: &str, value: &Node) -> Option<Fault> {
        let unless = |is_right: bool, what: &str, help: &'static str| {
            (!is_right).then(|| Fault::kind(field, value, what, help))
        };
        match self {
            Self::Text => unless(text(value).is_some(), "a text", "write a text in quotes"),
            Self::Truth => unless(
                value.as_bool().is_some() && text(value).is_none(),
                "a truth value",
                "write `true` or `false`, without quotes",
            ),
            Self::Object => unless(is_object(value), "an object", "write an object"),
            Self::List => unless(value.items().is_some(), "a list", "write a list"),
            Self::Url => match text(value) {
                None => unless(false, "a text", "write a text in quotes"),
                Some(url) if is_url(url) => None,
                Some(url) => Some(Fault::new(
                    value.span,
                    format!("`{field}` is `{url}`, which is not a URL"),
                    "write the whole address, as in `https://example.org`",
                )),
            },
            Self::Texts => {
                let help = "write a list of texts, as in `[\"one\", \"two\"]`";
                match value.items() {
                    None => unless(false, "a list of texts", help),
                    Some(items) => {
                        let wrong = items.iter().find(|item| text(item).is_none())?;
                        let message =
                            format!("`{field}` holds {}, and may hold only texts", kind(wrong));
                        Some(Fault::new(wrong.span, message, help))
                    }
                }
            }
            Self::Objects => {
                if !is_object(value) {
                    return unless(false, "an object", "write an object");
                }
                let mut entries = value.entries().iter();
                let (key, wrong) = entries.find(|(_, value)| !is_object(value))?;
                let key = key.as_str().unwrap_or_default();
                let field = format!("{field}.{key}");
                Some(Fault::kind(&field, wrong, "an object", "write an object"))
            }
            Self::Dependencies => {
                let help = "write a list of names of plugins, as in `[\"other\"]`";
                let Some(items) = value.items() else {
                    return unless(false, "a list", help);
                };
                let is_right = |item: &&Node| text(item).is_some() || is_object(item);
                let wrong = items.iter().find(|item| !is_right(item))?;
                let message = format!("`{field}` holds {}", kind(wrong));
                Some(Fault::new(wrong.span, message, help))
            }
            Self::Author => author(field, value),
        }
    }
}

fn author(field: &str, value: &Node) -> Option<Fault> {
    let help = "write an object with a name, as in `{\"name\": \"A. Author\"}`";
    if !is_object(value) {
        return Some(Fault::kind(field, value, "an object", help));
    }
    let Some((_, name)) = value.entry("name") else {
        let message = format!("`{field}` has no `name`");
        return Some(Fault::new(value.span, message, help));
    };
    if text(name) == Some("") {
        let message = format!("`{field}.name` is empty");
        return Some(Fault::new(name.span, message, "write a name"));
    }
    ["name", "email", "url"].into_iter().find_map(|part| {
        let value = value.get(part)?;
        Form::Text.fault(&format!("{field}.{part}"), value)
    })
}

/// Returns the text of a value in quotes.
pub(super) fn text(value: &Node) -> Option<&str> {
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

/// Returns whether a text is an absolute address, as browsers read addresses. A text that is doubtful is one.
fn is_url(url: &str) -> bool {
    let Some((scheme, rest)) = url.trim().split_once(':') else {
        return false;
    };
    let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-');
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(is_inner) {
        return false;
    }
    let is_web = ["http", "https", "ws", "wss", "ftp"];
    if !is_web.contains(&scheme.to_ascii_lowercase().as_str()) {
        return true;
    }
    let host = rest.trim_start_matches(['/', '\\']);
    let host = host.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default();
    !host.is_empty() && !host.starts_with(':') && !host.contains(' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_format::yaml::json;

    fn fault(form: Form, value: &str) -> Option<String> {
        let value = json::parse(value).expect("of a test");
        form.fault("f", &value).map(|fault| fault.message)
    }

    #[test]
    fn right_and_wrong_values() {
        let cases: [(Form, &[&str], &[&str]); 9] = [
            (
                Form::Text,
                &["\"\"", "\"5\""],
                &["5", "null", "[]", "{}", "true"],
            ),
            (Form::Truth, &["true", "false"], &["\"true\"", "null", "1"]),
            (
                Form::Url,
                &[
                    "\"https://x.example\"",
                    "\"http:x\"",
                    "\" https://x.example \"",
                    "\"foo:bar\"",
                    "\"x:\"",
                ],
                &[
                    "\"\"",
                    "\"example.com\"",
                    "\"http://\"",
                    "\"https:\"",
                    "\"https://a b\"",
                    "\"://x\"",
                    "\"1a:b\"",
                    "\"#\"",
                    "5",
                ],
            ),
            (
                Form::Texts,
                &["[]", "[\"\"]"],
                &["\"a\"", "[1]", "null", "{}"],
            ),
            (
                Form::Author,
                &[
                    "{\"name\": \"a\"}",
                    "{\"name\": \" \", \"email\": \"\", \"phone\": 1}",
                ],
                &[
                    "\"me\"",
                    "{}",
                    "{\"name\": \"\"}",
                    "{\"name\": 1}",
                    "{\"name\": \"a\", \"url\": 1}",
                    "null",
                    "[{\"name\": \"a\"}]",
                ],
            ),
            (
                Form::Object,
                &["{}", "{\"a\": 1}"],
                &["null", "\"x\"", "[]"],
            ),
            (Form::Objects, &["{}", "{\"a\": {}}"], &["{\"a\": 1}", "[]"]),
            (Form::List, &["[]", "[1]"], &["{}", "\"a\""]),
            (
                Form::Dependencies,
                &["[]", "[\"a\", {\"name\": \"a\"}]"],
                &["\"a\"", "[5]", "{}"],
            ),
        ];
        for (form, right, wrong) in cases {
            for value in right {
                assert_eq!(fault(form, value), None, "{form:?} {value}");
            }
            for value in wrong {
                assert!(fault(form, value).is_some(), "{form:?} {value}");
            }
        }
    }
}
